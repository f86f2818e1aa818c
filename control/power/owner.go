package power

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// `again` is the time between two checks of the screens. Checks are needed because another device may have switched the screens. Each
	// check reads the state of the screens once.
	again = time.Minute
	// `soon` is the time between two checks in the first minute after a switch. A television may take 20 s until it reports its real state.
	soon = 21 * time.Second
	// `rest` is the minimum time between two checks that were requested only by Look. People do not notice this delay.
	rest = 50 * time.Millisecond
)

// State is the wanted and the actual state of a wall's screens.
type State struct {
	Decision
	Hand      Hand
	HandUntil time.Time // zero: the request lasts until the next request
	Screens   []Report
}

// An Owner switches the screens of a wall. Nothing else in the program switches them. Any goroutine may call its methods. Run must be
// called only once.
type Owner struct {
	// Now returns the current time. It is time.Now except in tests.
	Now func() time.Time
	// Screens returns the screens of the wall. Only Run calls it.
	Screens func() []Screen
	// Before is called before screens are switched on, so that the picture on them is current.
	Before func(context.Context)
	// Switched is called when the decision changes from on to off or back. The screens are switched after it returns. It must not block.
	Switched func(on bool)
	// Lit is called when a change of brightness or warmth starts. `level` is from 0 to 1, or negative if nothing sets the brightness. Lit
	// must not block.
	Lit func(level, warmth float64)
	// Room is called with each new value of the light in the room, from 0 to 1. Room must not block. It may be nil.
	Room func(share float64)
	// Log may be nil.
	Log *slog.Logger
	// Patience is the maximum duration of a call of a backend. It is the constant Patience except in tests.
	Patience time.Duration

	guard   Guard
	on      atomic.Bool
	fresh   atomic.Bool   // whether the list of screens may have changed
	changed atomic.Int64  // time of the last change of the screens, in Unix ns; 0 for never
	poke    chan struct{} // capacity 1; receives a value when another check is needed
	turned  chan struct{} // capacity 1; receives a value after a user's request

	mu      sync.Mutex // guards the fields below
	machine Machine
	sense   func(now time.Time) (Senses, time.Time)
	latest  Decision
	reports []Report

	applied   bool     // whether the screens were switched at least once; only Run uses it
	screens   []Screen // screens at the last successful check
	was       bool     // whether the screens were on after the last step
	level     float64
	warm      float64
	darkBy    map[string]string // kind of the backend that last switched the screen off, by the screen's name
	turnedAt  time.Time         // time of the last switch
	lookedAt  time.Time
	appliedAt time.Time
}

// NewOwner returns an owner without screens. Until the first check in Run, the wall counts as on.
func NewOwner() *Owner {
	o := &Owner{
		Now: time.Now, Screens: func() []Screen { return nil }, Before: func(context.Context) {}, Switched: func(bool) {}, Lit: func(float64, float64) {},
		poke: make(chan struct{}, 1), turned: make(chan struct{}, 1),
		darkBy: map[string]string{}, Patience: Patience,
		sense: func(time.Time) (Senses, time.Time) { return Senses{When: true, Present: true}, time.Time{} },
	}
	o.on.Store(true)
	o.guard.Late = o.Again
	o.latest = Decision{On: true, Why: "when", Level: -1, Want: -1}
	return o
}

// Configure sets the rules and the function `sense`. This function returns the inputs at a time, and the time of their next change. Two
// goroutines must not call Configure at the same time.
func (o *Owner) Configure(r Rules, sense func(now time.Time) (Senses, time.Time)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.machine.Rules, o.sense = r, sense
	o.Look()
}

// On reports whether the screens should be on. It does not block.
func (o *Owner) On() bool { return o.on.Load() }

// Again makes Run read the list of screens and switch all of them again. Callers use it after screens were added or removed.
func (o *Owner) Again() {
	o.fresh.Store(true)
	o.Look()
}

// Look makes Run decide again, after a new value, a new page or a notification. It never blocks.
func (o *Owner) Look() { signal(o.poke) }

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Ask sets a user's request for a time and returns the new state. If `lasts` is 0, the request lasts until the next request. Run switches
// the screens soon after.
func (o *Owner) Ask(h Hand, lasts time.Duration) State {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.machine.Ask(h, lasts, o.Now())
	return o.decided()
}

// Toggle requests on if the screens are off, and off if they are on.
func (o *Owner) Toggle(lasts time.Duration) State {
	o.mu.Lock()
	defer o.mu.Unlock()
	h := On
	if o.latest.On {
		h = Off
	}
	o.machine.Ask(h, lasts, o.Now())
	return o.decided()
}

// Touch records a touch or a key. It returns true if the touch must have no other effect, because the screen was off.
func (o *Owner) Touch() (only bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	was := o.latest.On
	only = o.machine.Touch(o.Now(), was)
	if only {
		o.decided()
	}
	return only
}

// Light records the measured light in the room, from 0 to 1. Decisions use this value only if the brightness follows the light.
func (o *Owner) Light(share float64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.machine.lit && o.machine.light == share {
		return
	}
	o.machine.Light(share)
	if o.Room != nil {
		o.Room(share)
	}
	o.Look()
}

// Changed returns the time when the screens were last switched or dimmed, or the zero time.
func (o *Owner) Changed() time.Time {
	if at := o.changed.Load(); at != 0 {
		return time.Unix(0, at)
	}
	return time.Time{}
}

// Follows reports whether the brightness follows the light in the room.
func (o *Owner) Follows() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	b := o.machine.Rules.Brightness
	return b != nil && b.Sensor
}

// AskLevel requests a brightness from 0 to 1 until the settings set another one, as [Machine.AskLevel] describes. With a negative level,
// the settings decide again.
func (o *Owner) AskLevel(level float64) State {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.machine.AskLevel(level)
	return o.decided()
}

// decided() makes a new decision, wakes Run and returns the new state. mu must be held.
func (o *Owner) decided() State {
	o.decide(o.Now())
	signal(o.turned)
	return o.stateLocked()
}

// decide returns the decision for the given time and stores it. mu must be held.
func (o *Owner) decide(now time.Time) Decision {
	s, next := o.sense(now)
	before := o.latest
	o.latest = o.machine.Step(now, s)
	if o.latest.Want != before.Want || o.latest.Warm != before.Warm {
		o.Lit(o.latest.Want, o.latest.Warm)
	}
	o.latest.Next = sooner(o.latest.Next, next)
	if o.on.Swap(o.latest.On) != o.latest.On {
		o.Switched(o.latest.On)
	}
	return o.latest
}

// State returns the wanted and the actual state of the screens.
func (o *Owner) State() State {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.stateLocked()
}

func (o *Owner) stateLocked() State {
	hand, until := o.machine.Hand(o.Now())
	return State{o.latest, hand, until, append([]Report(nil), o.reports...)}
}
