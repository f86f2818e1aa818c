// Package timer holds the timers of all walls, which run down or count up, independently of trees.
package timer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

const (
	// MaxTimers limits the timers of all walls together.
	MaxTimers = 64
	// MaxDuration is the maximum duration of a timer.
	MaxDuration = 7 * 24 * time.Hour
)

var (
	// ErrUnknown reports an unknown timer.
	ErrUnknown = errors.New("no timer has this name")
	// ErrAction reports an unknown action.
	ErrAction = errors.New("'action' must be one of: start, stop, reset, toggle")
	// ErrDuration reports an invalid duration.
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
	Stopped State = "stopped" // paused
	Over    State = "over"    // finished
)

// A Status is the state of a timer at a time.
type Status struct {
	Name     string
	Label    string // title for people
	State    State
	Duration time.Duration // 0 if it counts up
	Passed   time.Duration // without pauses
	Left     time.Duration // rest of Duration
	EndsAt   time.Time     // zero unless it runs down
}

// Timer is one timer. Its methods may be called from any goroutine and do not block.
type Timer struct {
	name string
	all  *Timers

	mu      sync.Mutex // guards the fields below
	label   string
	written time.Duration // duration from the file
	length  time.Duration // duration of this run, 0 to count up
	since   time.Time     // start of the current run; zero while stopped
	before  time.Duration // duration of earlier runs
	told    bool          // true if the end was reported
}

// Name returns the name.
func (t *Timer) Name() string { return t.name }

// At returns the state at a moment.
func (t *Timer) At(now time.Time) Status {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.at(now)
}

func (t *Timer) at(now time.Time) Status {
	s := Status{Name: t.name, Label: t.label, State: Ready, Duration: t.length, Passed: t.before}
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

// Seconds converts a number of seconds from a caller. It returns ErrDuration for an invalid number, and for less than a
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

// Do starts, stops, resets or toggles the timer. A duration above 0 is the duration of a new run. If a toggle stops or continues
// the timer, no run starts and Do ignores the duration. It returns ErrAction or ErrDuration.
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

// toggled returns the action of a toggle.
func toggled(s State) string {
	switch s {
	case Running:
		return "stop"
	case Over:
		return "reset"
	}
	return "start"
}

// Timers are all timers of a service. They outlive trees: the next tree continues a timer of the same name.
type Timers struct {
	wake func()
	more chan struct{}

	mu    sync.Mutex
	all   map[string]*Timer // timers of the trees on the walls
	built map[string]*Timer // timers of newer trees
}

// New returns an empty set of timers. It calls wake after each change. wake must not block.
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

// Set collects the timers of one generation of trees. Only one goroutine may use it.
type Set struct {
	of  *Timers
	all map[string]*Timer
	def map[string]definition

	expected bool // true if callers can name one of the timers
}

type definition struct {
	label  string
	length time.Duration
}

// Begin starts the timers of a new generation. Nothing changes until Commit.
func (s *Timers) Begin() *Set {
	return &Set{of: s, all: map[string]*Timer{}, def: map[string]definition{}}
}

// Timer returns the timer with a name, which all trees share. label is its title at the end. "" means the name. If there are too
// many timers, ok is false and the returned timer cannot be reached by callers.
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

// Expect records that callers can name a timer of the set.
func (s *Set) Expect() { s.expected = true }

// Expected reports whether callers can name a timer of the set.
func (s *Set) Expected() bool { return s.expected }

// Commit makes the set's timers current. A running timer continues its run.
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

// List returns all timers at a moment, sorted by name.
func (s *Timers) List(now time.Time) []Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]Status, 0, len(s.all))
	for _, t := range s.all {
		list = append(list, t.At(now))
	}
	slices.SortFunc(list, func(a, b Status) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// Do calls [Timer.Do] for the timer of a name. It returns ErrUnknown, ErrAction or ErrDuration.
func (s *Timers) Do(name, action string, d time.Duration, now time.Time) (Status, error) {
	s.mu.Lock()
	t := s.all[name]
	s.mu.Unlock()
	if t == nil {
		return Status{}, ErrUnknown
	}
	return t.Do(action, d, now)
}

// longSleep is the maximum duration of one sleep of Run, so that a change of the clock is noticed.
const longSleep = 30 * time.Second

// Run calls over once at the end of each timer, until ctx ends.
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

// ends returns the remaining time, 0 if the timer does not run down. ended reports whether it has ended and the end was not
// reported yet.
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

// called returns the title and the length for the report of the end.
func (t *Timer) called() (label string, length time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.label, t.length
}
