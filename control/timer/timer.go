// Package timer holds the timers of all walls. A timer counts down or up. It does not depend on the widget trees that show it.
package timer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

const (
	// MaxTimers is the maximum number of timers of all walls together.
	MaxTimers = 64
	// MaxDuration is the maximum duration of a timer.
	MaxDuration = 7 * 24 * time.Hour
)

var (
	// ErrUnknown is returned for an unknown timer.
	ErrUnknown = errors.New("no timer has this name")
	// ErrAction is returned for an unknown action.
	ErrAction = errors.New("'action' must be one of: start, stop, reset, toggle")
	// ErrDuration is returned for an invalid duration.
	ErrDuration = fmt.Errorf("'duration' must be more than 0 and at most %v", MaxDuration)
)

// actions are the actions of a timer.
var actions = []string{"start", "stop", "reset", "toggle"}

// State is the state of a timer.
type State string

// States of timers.
const (
	Ready   State = "ready" // not started
	Running State = "running"
	Stopped State = "stopped" // paused by a user
	Over    State = "over"    // the duration has passed
)

// A Status describes a timer at a time.
type Status struct {
	Name     string
	Label    string // title for users
	State    State
	Duration time.Duration // 0 if the timer counts up
	Usual    time.Duration // duration in the file
	Passed   time.Duration // time that has passed, without pauses
	Left     time.Duration // remaining part of Duration
	EndsAt   time.Time     // time of the end; zero unless the timer runs and counts down
}

// A Timer is one timer. Any goroutine may call its methods, and they do not block.
type Timer struct {
	name string
	all  *Timers

	mu      sync.Mutex // guards the fields below
	label   string
	written time.Duration // duration in the file
	length  time.Duration // duration of this run; 0 to count up
	since   time.Time     // time when the timer last started or continued; zero while it is stopped
	before  time.Duration // time that passed in this run before the time in the field since
	told    bool          // whether the end was already reported
}

// Name returns the name of the timer.
func (t *Timer) Name() string { return t.name }

// At returns the status at a time.
func (t *Timer) At(now time.Time) Status {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.at(now)
}

func (t *Timer) at(now time.Time) Status {
	s := Status{Name: t.name, Label: t.label, State: Ready, Duration: t.length, Usual: t.written, Passed: t.before}
	if !t.since.IsZero() {
		s.State, s.Passed = Running, t.before+max(0, now.Sub(t.since))
	} else if t.before > 0 {
		s.State = Stopped
	}
	if t.length == 0 {
		return s
	}
	s.Left = max(0, t.length-s.Passed)
	switch {
	case s.Left == 0:
		s.State, s.Passed = Over, t.length
	case s.State == Running:
		s.EndsAt = t.since.Add(t.length - t.before)
	}
	return s
}

// Seconds converts a number of seconds that a caller has sent. It returns ErrDuration for an invalid number and for less than a
// nanosecond.
func Seconds(s float64) (time.Duration, error) {
	if !(s > 0 && s <= MaxDuration.Seconds()) {
		return 0, ErrDuration
	}
	if s < time.Nanosecond.Seconds() {
		return 0, fmt.Errorf("%w; this is less than a nanosecond", ErrDuration)
	}
	return max(time.Duration(s*float64(time.Second)), time.Nanosecond), nil
}

// Do starts, stops, resets or toggles the timer. A duration above 0 is the duration of a new run. A stop, and a toggle that continues a
// run, ignore the duration. Do returns ErrAction or ErrDuration.
func (t *Timer) Do(action string, d time.Duration, now time.Time) (Status, error) {
	if !slices.Contains(actions, action) {
		return Status{}, ErrAction
	}
	if d < 0 || d > MaxDuration {
		return Status{}, ErrDuration
	}
	t.mu.Lock()
	defer t.all.changed()
	defer t.mu.Unlock()
	s := t.at(now)
	if action == "toggle" {
		action = toggled(s.State)
		if s.State == Stopped {
			d = 0
		}
	}
	if action == "stop" {
		d = 0
	}
	if action == "reset" || d > 0 || action == "start" && s.State == Over {
		t.since, t.before, t.told, t.length = time.Time{}, 0, false, t.written
		if d > 0 {
			t.length = d
		}
		s = t.at(now)
	}
	switch {
	case action == "start" && s.State != Running:
		t.since = now
	case action == "stop" && s.State == Running:
		t.before, t.since = s.Passed, time.Time{}
	}
	return t.at(now), nil
}

// toggled() returns the action of a toggle for a timer in the given state.
func toggled(s State) string {
	switch s {
	case Running:
		return "stop"
	case Over:
		return "reset"
	}
	return "start"
}

// Timers holds all timers of a service. It outlives the widget trees: a timer of the same name continues in the next tree.
type Timers struct {
	wake func()
	more chan struct{}

	mu    sync.Mutex
	all   map[string]*Timer // timers of the trees that are on the walls
	built map[string]*Timer // timers of the newest trees
}

// New returns Timers without a timer. It calls `wake` after each change. `wake` must not block.
func New(wake func()) *Timers {
	return &Timers{wake: wake, more: make(chan struct{}, 1), all: map[string]*Timer{}, built: map[string]*Timer{}}
}

func (s *Timers) changed() {
	s.wake()
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// A Set collects the timers of the trees that are built when a configuration is loaded. Only one goroutine may use it.
type Set struct {
	of  *Timers
	all map[string]*Timer
	def map[string]definition

	expected bool // whether a timer of the set has a name by which callers can control it
}

type definition struct {
	label  string
	length time.Duration
}

// Begin returns a set for the trees of a new configuration. Nothing changes on the walls until Commit.
func (s *Timers) Begin() *Set {
	return &Set{of: s, all: map[string]*Timer{}, def: map[string]definition{}}
}

// Timer returns the timer with the given name. All trees share this timer. `label` is the title that is shown when the timer ends. ""
// means the name. If there are too many timers, ok is false, and callers cannot reach the returned timer.
func (s *Set) Timer(name, label string, length time.Duration) (t *Timer, ok bool) {
	if t := s.all[name]; t != nil {
		return t, true
	}
	if len(s.all) >= MaxTimers {
		return &Timer{name: name, all: s.of, label: label, written: length, length: length}, false
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	t = s.of.all[name]
	if t == nil {
		t = s.of.built[name]
	}
	if t == nil {
		t = &Timer{name: name, all: s.of, label: cmp.Or(label, name), written: length, length: length}
		s.of.built[name] = t
	}
	s.all[name], s.def[name] = t, definition{cmp.Or(label, name), length}
	return t, true
}

// Expect records that a timer of this set has a name by which callers can control it.
func (s *Set) Expect() { s.expected = true }

// Expected reports whether Expect was called.
func (s *Set) Expected() bool { return s.expected }

// Commit puts the timers of the set on the walls. A timer that is running continues.
func (s *Timers) Commit(set *Set) {
	s.mu.Lock()
	s.all, s.built = set.all, map[string]*Timer{}
	for name, d := range set.def {
		t := set.all[name]
		t.mu.Lock()
		t.label, t.written = d.label, d.length
		if t.since.IsZero() && t.before == 0 {
			t.length = d.length
		}
		t.mu.Unlock()
	}
	s.mu.Unlock()
	s.changed()
}

// List returns the status of all timers at a time, sorted by name.
func (s *Timers) List(now time.Time) []Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]Status, 0, len(s.all))
	for _, name := range slices.Sorted(maps.Keys(s.all)) {
		list = append(list, s.all[name].At(now))
	}
	return list
}

// Do calls [Timer.Do] for the timer with a name. It returns ErrUnknown, ErrAction or ErrDuration.
func (s *Timers) Do(name, action string, d time.Duration, now time.Time) (Status, error) {
	s.mu.Lock()
	t := s.all[name]
	s.mu.Unlock()
	if t == nil {
		return Status{}, ErrUnknown
	}
	return t.Do(action, d, now)
}

// longSleep is the maximum duration for which Run sleeps, so that Run notices a change of the clock.
const longSleep = 30 * time.Second

// Run calls the function `over` once when a timer ends. It returns when ctx ends.
func (s *Timers) Run(ctx context.Context, over func(label string, length time.Duration)) {
	for {
		now := time.Now()
		wait := longSleep
		for _, t := range s.timers() {
			left, ended := t.ends(now)
			if ended {
				over(t.called())
			} else if left > 0 {
				wait = min(wait, left)
			}
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-s.more:
		case <-timer.C:
		}
		timer.Stop()
	}
}

func (s *Timers) timers() []*Timer {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*Timer, 0, len(s.all))
	for _, t := range s.all {
		list = append(list, t)
	}
	return list
}

// ends() returns the remaining time, or 0 if the timer is not counting down. `ended` is true only in the first call after the timer has
// ended, so that Run reports the end once.
func (t *Timer) ends(now time.Time) (left time.Duration, ended bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch s := t.at(now); {
	case s.State == Over && !t.told:
		t.told = true
		return 0, true
	case s.State == Running:
		return s.Left, false
	}
	return 0, false
}

// called() returns the title and the duration of the timer, which are reported at its end.
func (t *Timer) called() (label string, length time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.label, t.length
}
