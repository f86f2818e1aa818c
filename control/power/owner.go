package power

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// again is the time after which a screen is looked at again that something else may have switched: a look costs a read.
	again = time.Minute
	// soon is the pause between questions in the first minute after a switch: a television may take 20 s to report its
	// real state.
	soon = 21 * time.Second
	// rest is the least time between two looks for which nothing but wakes asks: a hand's delay is not seen below it.
	rest = 50 * time.Millisecond
)

// State is the wanted and the actual state of the screens.
type State struct {
	Decision
	Hand      Hand
	HandUntil time.Time // zero means until the next request
	Screens   []Report
}

// An Owner alone switches a wall's screens. Its methods may be called from any goroutine; Run runs in one.
type Owner struct {
	// Now is the clock; time.Now except in tests.
	Now func() time.Time
	// Screens returns the current screens. Run calls it.
	Screens func() []Screen
	// Before is called by Run before screens are switched on, so that the picture is current.
	Before func(context.Context)
	// Switched is called whenever it is decided that the screens are to be on or off, before they are. It must not wait.
	Switched func(on bool)
	// Lit is called at each change of brightness (0 to 1, negative for unchanged) or warmth, at the beginning of a fade. It must
	// not block.
	Lit func(level, warmth float64)
	// Room is called with the light in the room, 0 to 1, where the brightness follows it. It must not block, and may be nil.
	Room func(share float64)
	// Log may be nil.
	Log *slog.Logger
	// Patience is the time for a backend before the next one is tried; the constant of that name except in tests.
	Patience time.Duration

	guard   Guard
	on      atomic.Bool
	fresh   atomic.Bool   // there may be other screens
	changed atomic.Int64  // see Changed, Unix ns; 0 for never
	poke    chan struct{} // capacity 1: look again
	turned  chan struct{} // capacity 1: a new request

	mu      sync.Mutex // guards what follows
	machine Machine
	sense   func(now time.Time) (Senses, time.Time)
	latest  Decision
	reports []Report

	applied   bool     // Run's own: whether anything was
	screens   []Screen // screens of the last successful look
	was       bool     // on
	level     float64
	warm      float64
	darkBy    map[string]string // by a screen's name: what switched it off last
	turnedAt  time.Time         // when it was switched on or off
	lookedAt  time.Time
	appliedAt time.Time
}

// NewOwner returns an owner without screens whose wall is on until Run has looked.
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

// Again has Run look again, and switch every screen once more: there may be others.
func (o *Owner) Again() {
	o.fresh.Store(true)
	o.Look()
}

// Look has Run look again: a value came, a screen came, a notification. It never blocks.
func (o *Owner) Look() { signal(o.poke) }

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Ask takes a request by hand for a time, 0 meaning until the next request, and returns the new state. Screens follow soon.
func (o *Owner) Ask(h Hand, lasts time.Duration) State {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.machine.Ask(h, lasts, o.Now())
	return o.decided()
}

// Toggle requests the other of on and off.
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

// Touch notes a touch or a key. It reports whether it is only to switch the screen on, and means nothing else: it was off.
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

// Light takes over how light the room is, 0 to 1. It counts where the brightness follows that.
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

// decided decides again. mu is held.
func (o *Owner) decided() State {
	o.decide(o.Now())
	signal(o.turned)
	return o.stateLocked()
}

// decide decides for a moment. mu is held.
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
