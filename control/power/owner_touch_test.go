package power

import (
	"context"
	"testing"
	"time"
)

// A touch on a dark screen changes the decision at once, before Run switches the screen. A second touch, a moment later, therefore acts
// on a screen that counts as on.
func TestTouchDecidesAtOnce(t *testing.T) {
	o := NewOwner()
	o.Configure(Rules{Touch: true}, func(time.Time) (Senses, time.Time) { return Senses{}, time.Time{} })
	o.Ask(Off, 0)
	if o.On() {
		t.Fatal("off by hand: it is on")
	}
	if !o.Touch() || !o.On() {
		t.Errorf("the first touch: on %v", o.On())
	}
	if o.Touch() {
		t.Error("the second touch only wakes, too")
	}
}

// If the same light is measured again, nothing happens. A different light makes Run decide again.
func TestLightHasItLookAgain(t *testing.T) {
	o := NewOwner()
	looks := func(share float64) bool {
		o.Light(share)
		select {
		case <-o.poke:
			return true
		default:
			return false
		}
	}
	for i, tt := range []struct {
		share float64
		want  bool
	}{{0.5, true}, {0.5, false}, {0.2, true}, {0.2, false}} {
		if got := looks(tt.share); got != tt.want {
			t.Errorf("%d: light %v: looks again %v, want %v", i, tt.share, got, tt.want)
		}
	}
}

// The function Before runs once each time when the screen goes from off to on.
func TestBeforeItIsOn(t *testing.T) {
	o := NewOwner()
	before := 0
	o.Before = func(context.Context) { before++ }
	for i, tt := range []struct {
		hand Hand
		want int
	}{{On, 0}, {Off, 0}, {Off, 0}, {On, 1}, {On, 1}, {Off, 1}, {On, 2}} {
		o.Ask(tt.hand, 0)
		if o.step(t.Context()); before != tt.want {
			t.Errorf("step %d, %v: done %d times, want %d", i, tt.hand, before, tt.want)
		}
	}
}

// If a touch switches the screen on while its settings would keep it off, further touches keep the screen on. It stays on for OffAfter
// after the last touch, not after the first touch.
func TestTouchesKeepItOn(t *testing.T) {
	m, now := &Machine{Rules: Rules{Touch: true}}, noon
	on := func(after time.Duration) bool {
		now = now.Add(after)
		return m.Step(now, Senses{Present: true}).On
	}
	touch := func() (only bool) { return m.Touch(now, m.Step(now, Senses{Present: true}).On) }
	if on(0) || !touch() {
		t.Error("the first touch does not only wake")
	}
	if !on(OffAfter-time.Second) || touch() {
		t.Error("the second one only wakes")
	}
	if !on(OffAfter - time.Second) {
		t.Error("off before its time after the second touch")
	}
	if on(time.Second) {
		t.Error("on though nobody touches it")
	}
}
