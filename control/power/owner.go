package power

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// again is the interval at which the state of a screen is read, because something else may have switched it. Each check costs a
	// read.
	again = time.Minute
	// soon is the interval of checks in the first minute after a switch, because a television may take 20 s to report its real state.
	soon = 21 * time.Second
	// rest is the minimum time between two checks that are only caused by wake-ups. A shorter delay is not noticeable.
	rest = 50 * time.Millisecond
)

// State is the wanted and the actual state of the screens.
type State struct {
	Decision
	Hand      Hand
	HandUntil time.Time // zero means until the next request
	Screens   []Report
}

// An Owner is the only part that switches a wall's screens. Its methods may be called from any goroutine. Run must be called only
// once.
type Owner struct {
	// Now returns the time. It is time.Now except in tests.
	Now func() time.Time
	// Screens returns the current screens. Run calls it.
	Screens func() []Screen
	// Before is called by Run before screens are switched on, so that the picture is current.
	Before func(context.Context)
	// Switched is called when the decision changes between on and off, before the screens are switched. It must not block.
	Switched func(on bool)
	// Lit is called when a change of brightness or warmth starts. The brightness is from 0 to 1, or negative for unchanged. Lit must
	// not block.
	Lit func(level, warmth float64)
	// Room is called with the light in the room, 0 to 1, if the brightness follows it. It must not block, and may be nil.
	Room func(share float64)
	// Log may be nil.
	Log *slog.Logger
	// Patience is the time after which the next backend is tried. It is the constant Patience except in tests.
	Patience time.Duration

	guard   Guard
	on      atomic.Bool
	fresh   atomic.Bool   // true if there may be other screens
	changed atomic.Int64  // time of the last change in Unix ns, see Changed. 0 for never
	poke    chan struct{} // capacity 1, a value requests another check
	turned  chan struct{} // capacity 1, a value reports a new request

	mu      sync.Mutex // guards the fields below
	machine Machine
	sense   func(now time.Time) (Senses, time.Time)
	latest  Decision
	reports []Report

	applied   bool     // true after the first switching, used by Run
	screens   []Screen // screens of the last successful check
	was       bool     // true if the screens were on
	level     float64
	warm      float64
	darkBy    map[string]string // backend that last switched a screen off, by the screen's name
	turnedAt  time.Time         // time of the last switch
	lookedAt  time.Time
	appliedAt time.Time
}

// NewOwner returns an owner without screens. The wall counts as on until Run has checked.
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

// Configure sets the rules and the source of the inputs. One goroutine calls it at a time.
func (o *Owner) Configure(r Rules, sense func(now time.Time) (Senses, time.Time)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.machine.Rules, o.sense = r, sense
	o.Look()
}

// On reports whether the screen should be on. It does not block.
func (o *Owner) On() bool { return o.on.Load() }

// Again makes Run check again and switch every screen again, because there may be other screens.
func (o *Owner) Again() {
	o.fresh.Store(true)
	o.Look()
}

// Look makes Run check again after a new value, screen or notification. It never blocks.
func (o *Owner) Look() { signal(o.poke) }

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Ask sets a request by hand for a time, and returns the new state. 0 means until the next request. The screens follow soon.
func (o *Owner) Ask(h Hand, lasts time.Duration) State {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.machine.Ask(h, lasts, o.Now())
	return o.decided()
}

// Toggle requests the opposite of the current state.
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

// Touch records a touch or a key. It returns true if the touch only switches the screen on and must have no other effect, because
// the screen was off.
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

// Light sets the light in the room, 0 to 1. It is used if the brightness follows it.
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

// Changed returns the time when the screens were last switched or dimmed, or zero for never.
func (o *Owner) Changed() time.Time {
	if at := o.changed.Load(); at != 0 {
		return time.Unix(0, at)
	}
	return time.Time{}
}

// Follows reports whether the brightness follows the light of the room.
func (o *Owner) Follows() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	b := o.machine.Rules.Brightness
	return b != nil && b.Sensor
}

// AskLevel requests a brightness, 0 to 1. A negative level returns to the settings.
func (o *Owner) AskLevel(level float64) State {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.machine.AskLevel(level)
	return o.decided()
}

// decided makes a new decision and reports it to Run. mu must be held.
func (o *Owner) decided() State {
	o.decide(o.Now())
	signal(o.turned)
	return o.stateLocked()
}

// decide makes the decision for a time. mu must be held.
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
