// Package timer keeps the timers of a wall: what runs down, or counts up, whichever of its trees shows it.
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
	// MaxTimers bounds the timers of all walls together.
	MaxTimers = 64
	// MaxDuration bounds how long one runs.
	MaxDuration = 7 * 24 * time.Hour
)

var (
	// ErrUnknown says that no timer has a name.
	ErrUnknown = errors.New("no timer has this name")
	// ErrAction says that an action is none.
	ErrAction = errors.New("'action' must be one of: start, stop, reset, toggle")
	// ErrDuration says that a duration is none.
	ErrDuration = fmt.Errorf("'duration' must be more than 0 and at most %v", MaxDuration)
)

// Actions are what can be done with a timer.
var actions = []string{"start", "stop", "reset", "toggle"}

// State is what a timer does.
type State string

// The states.
const (
	Ready   State = "ready" // at its beginning
	Running State = "running"
	Stopped State = "stopped" // on the way
	Over    State = "over"    // its time is over
)

// A Status is a timer at one moment.
type Status struct {
	Name     string
	State    State
	Duration time.Duration // 0 for one that counts up
	Passed   time.Duration // since it was started, without pauses
	Left     time.Duration // of Duration
	EndsAt   time.Time     // zero unless it runs down now
}

// Timer is one timer. Its methods may be called from any goroutine; they do not block.
type Timer struct {
	name string
	all  *Timers

	mu      sync.Mutex // guards what follows
	label   string
	written time.Duration // by the file
	length  time.Duration // of this run; 0 counts up
	since   time.Time     // of the present run; zero while it does not run
	before  time.Duration // of earlier runs
	told    bool          // its end has been told
}

// Name is what the timer is called by.
func (t *Timer) Name() string { return t.name }

// At is the timer at a moment.
func (t *Timer) At(now time.Time) Status {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.at(now)
}

func (t *Timer) at(now time.Time) Status {
	s := Status{Name: t.name, State: Ready, Duration: t.length, Passed: t.before}
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

// Seconds is the duration that somebody asks for in seconds. It returns ErrDuration if that is none; less than a nanosecond is none.
func Seconds(s float64) (time.Duration, error) {
	if !(s > 0 && s <= MaxDuration.Seconds()) {
		return 0, ErrDuration
	}
	if s < time.Nanosecond.Seconds() {
		return 0, fmt.Errorf("%w; this is less than a nanosecond", ErrDuration)
	}
	return max(time.Duration(s*float64(time.Second)), time.Nanosecond), nil
}

// Do starts, stops, resets or toggles the timer. A duration above 0 is the length of the run that begins; if none begins, because the timer
// stops or continues after a toggle, Do ignores it. It returns ErrAction or ErrDuration.
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

// toggled returns the action that a toggle stands for.
func toggled(s State) string {
	switch s {
	case Running:
		return "stop"
	case Over:
		return "reset"
	}
	return "start"
}

// Timers are all timers of a service. They outlive trees: one of the same name in the next tree goes on.
type Timers struct {
	wake func()
	more chan struct{}

	mu    sync.Mutex
	all   map[string]*Timer // of the trees on the walls
	built map[string]*Timer // of trees that were built since
}

// New returns no timers. wake is called whenever one of them changes, and must not block.
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

// Set is the timers of one generation of trees. It belongs to one goroutine.
type Set struct {
	of  *Timers
	all map[string]*Timer
	def map[string]definition

	expected bool // one may be asked for by its name
}

type definition struct {
	label  string
	length time.Duration
}

// Begin starts the timers of a new generation. Nothing changes until Commit.
func (s *Timers) Begin() *Set {
	return &Set{of: s, all: map[string]*Timer{}, def: map[string]definition{}}
}

// Timer returns the timer of a name, for all trees the same one. label is how it is called where it ends, "" for its name. ok is
// false where there are too many, and the timer one that nothing reaches.
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

// Expect notes that a timer of the set has a name by which it may be asked for from outside.
func (s *Set) Expect() { s.expected = true }

// Expected reports whether any has.
func (s *Set) Expected() bool { return s.expected }

// Commit makes the set's timers those of the walls. One that runs goes on as it was begun.
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

// List is all timers at a moment, sorted by name.
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

// Do does something with the timer of a name. It returns ErrUnknown, ErrAction or ErrDuration.
func (s *Timers) Do(name, action string, d time.Duration, now time.Time) (Status, error) {
	s.mu.Lock()
	t := s.all[name]
	s.mu.Unlock()
	if t == nil {
		return Status{}, ErrUnknown
	}
	return t.Do(action, d, now)
}

// longSleep bounds how long Run sleeps at once: a clock that is set is noticed then.
const longSleep = 30 * time.Second

// Run calls over for every timer whose time is over, once, until ctx ends.
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

// ends is how long the timer runs on, 0 if it does not run down; ended is whether its end has come and is not told yet.
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

// called is how the end of the timer is told.
func (t *Timer) called() (label string, length time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.label, t.length
}
