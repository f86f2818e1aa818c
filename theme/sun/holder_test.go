package sun

import (
	"errors"
	"testing"
	"time"

	"dashboard/internal/testing/clocktest"
)

func TestHolder(t *testing.T) {
	_, set := plain.DayWindow(summerNoon)
	tomorrow, tomorrowSet := plain.DayWindow(summerNoon.Add(24 * time.Hour))
	arctic := Schedule{Lat: 78.22, Lon: 15.65}
	midsummer := time.Date(2026, 6, 21, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		name string
		s    *Schedule
		do   func(h *Holder)
		at   time.Time
		want State
	}{
		{"following", &plain, nil, summerNoon, State{Day, true, time.Time{}, set, Night}},
		{"following after dark", &plain, nil, set, State{Night, true, time.Time{}, tomorrow, Day}},
		{"held until the next turn", &plain, func(h *Holder) { h.Set(Night, HoldNext, summerNoon) }, set.Add(-1), State{Night, false, set, set, Night}},
		{"lapsed at the turn", &plain, func(h *Holder) { h.Set(Day, HoldNext, summerNoon) }, set, State{Night, true, time.Time{}, tomorrow, Day}},
		{"lapsed long ago", &plain, func(h *Holder) { h.Set(Night, HoldNext, summerNoon) }, tomorrow.Add(time.Hour), State{Day, true, time.Time{}, tomorrowSet, Night}},
		{"held for ever", &plain, func(h *Holder) { h.Set(Night, HoldForever, summerNoon) }, tomorrow, State{Night, false, time.Time{}, tomorrowSet, Night}},
		{"a later choice wins", &plain, func(h *Holder) { h.Set(Night, HoldForever, summerNoon); h.Set(Day, HoldNext, summerNoon) }, set, State{Night, true, time.Time{}, tomorrow, Day}},
		{"auto ends a hold", &plain, func(h *Holder) { h.Set(Night, HoldForever, summerNoon); h.Auto(summerNoon) }, summerNoon, State{Day, true, time.Time{}, set, Night}},
		{"polar", &arctic, nil, midsummer, State{Mode: Day, FollowingSun: true}},
		{"polar next is for ever", &arctic, func(h *Holder) { h.Set(Night, HoldNext, midsummer) }, midsummer.AddDate(0, 6, 0), State{Mode: Night}},
		{"no place", nil, nil, summerNoon, State{Mode: Day}},
		{"no place, held", nil, func(h *Holder) { h.Set(Night, HoldNext, summerNoon) }, summerNoon.AddDate(1, 0, 0), State{Mode: Night}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := NewHolder(tt.s, Day)
			if tt.do != nil {
				tt.do(h)
			}
			if got := h.At(tt.at); got != tt.want {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestAutoNeedsAPlace(t *testing.T) {
	h := NewHolder(nil, Night)
	h.Set(Day, HoldForever, summerNoon)
	st, err := h.Auto(summerNoon)
	if !errors.Is(err, ErrNoPlace) || st != (State{Mode: Day}) {
		t.Errorf("got %+v, %v, want the hold unchanged and ErrNoPlace", st, err)
	}
}

func TestHoldSurvivesReconfigure(t *testing.T) {
	_, set := plain.DayWindow(summerNoon)
	h := NewHolder(&plain, Day)
	h.Set(Night, HoldNext, summerNoon)
	moved := ottawa(0, time.Hour)
	h.Reconfigure(&moved, Day)
	if got := h.At(summerNoon); got.Mode != Night || !got.HeldUntil.Equal(set) {
		t.Errorf("with a new offset: got %+v, want the same hold", got)
	}
	if got := h.At(set); got.Mode != Day || !got.FollowingSun || !got.NextChange.Equal(set.Add(time.Hour)) {
		t.Errorf("when it ends: got %+v, want the new schedule", got)
	}
	h.Set(Night, HoldNext, summerNoon)
	h.Reconfigure(nil, Day)
	if got := h.At(summerNoon.AddDate(0, 0, 9)); got != (State{Mode: Night}) {
		t.Errorf("without a place: got %+v, want the hold to last", got)
	}
}

// TestHoldOutlivesAPlaceThatIsGoneForAWhile sets a hold until the next change. One reload removes
// the location, and the next reload restores it. The hold still ends at the planned time.
func TestHoldOutlivesAPlaceThatIsGoneForAWhile(t *testing.T) {
	_, set := plain.DayWindow(summerNoon)
	h := NewHolder(&plain, Day)
	h.Set(Night, HoldNext, summerNoon)
	h.Reconfigure(nil, Day)
	h.At(summerNoon.Add(time.Minute))
	h.Reconfigure(&plain, Day)
	if got := h.At(summerNoon.Add(time.Hour)); got.Mode != Night || !got.HeldUntil.Equal(set) {
		t.Errorf("got %+v, want it held until %v", got, set)
	}
	if got := h.At(set); !got.FollowingSun {
		t.Errorf("at the turn: got %+v, want the sun followed", got)
	}
	h.Reconfigure(nil, Day)
	h.Set(Day, HoldNext, set)
	h.Reconfigure(&plain, Day)
	rise, _ := plain.NextChange(set)
	if got := h.At(set.Add(time.Hour)); got.Mode != Day || !got.HeldUntil.Equal(rise.At) {
		t.Errorf("chosen without a place: got %+v, want it held until %v", got, rise.At)
	}
	h.Reconfigure(nil, Day)
	h.Set(Night, HoldForever, set)
	h.Reconfigure(&plain, Day)
	if got := h.At(set.AddDate(0, 0, 30)); got.Mode != Night || !got.HeldUntil.IsZero() {
		t.Errorf("for ever: got %+v", got)
	}
}

func TestWake(t *testing.T) {
	_, set := plain.DayWindow(summerNoon)
	h := NewHolder(&plain, Day)
	check := func(name string, got, want time.Time) {
		t.Helper()
		if !got.Equal(want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	check("following", h.Wake(summerNoon), set)
	h.Set(Night, HoldNext, summerNoon)
	check("held", h.Wake(summerNoon.Add(time.Hour)), set)
	h.Set(Night, HoldForever, summerNoon)
	check("for ever", h.Wake(summerNoon), time.Time{})
	check("no place", NewHolder(nil, Day).Wake(summerNoon), time.Time{})
	arctic := Schedule{Lat: 78.22, Lon: 15.65}
	check("polar", NewHolder(&arctic, Day).Wake(summerNoon), summerNoon.Add(recheck))
}

// TestClockLeaps checks large jumps of the clock. A board without a battery starts in 1970 and sets
// its clock later. A clock may also be set back.
func TestClockLeaps(t *testing.T) {
	h := NewHolder(&plain, Day)
	for _, at := range []time.Time{time.Unix(100, 0), summerNoon, summerNoon.Add(10 * time.Hour), summerNoon, time.Unix(5e8, 0)} {
		if got, want := h.At(at).Mode, plain.Mode(at); got != want {
			t.Errorf("%v: got %s, want %s", at, got, want)
		}
	}
}

// TestClockIsSet checks the mode after the clock is set while the program runs. The wall clock jumps, and the monotonic clock does not.
func TestClockIsSet(t *testing.T) {
	svalbard := Schedule{Lat: 78.22, Lon: 15.65}
	for _, s := range []Schedule{plain, svalbard} {
		h := NewHolder(&s, Day)
		now := time.Now()
		for _, by := range []time.Duration{0, 12, 6, -12, 0, 4383, -4383, 3} {
			at := clocktest.Set(now, by*time.Hour)
			if got, want := h.At(at).Mode, s.Mode(at.Round(0)); got != want {
				t.Errorf("%v: set by %d h to %v: got %s, want %s", s, by, at, got, want)
			}
		}
	}
}

// TestWakingIsEnough checks that a caller of Wake misses no change. It covers a year in the Arctic,
// including the start and the end of the polar day and of the polar night.
func TestWakingIsEnough(t *testing.T) {
	arctic := Schedule{Lat: 69.65, Lon: 18.96}
	h := NewHolder(&arctic, Day)
	at := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	mode, wakes := h.At(at).Mode, 0
	wake := h.Wake(at)
	for end := at.AddDate(1, 0, 0); at.Before(end); at = at.Add(7*time.Hour + 13*time.Minute) {
		for !wake.After(at) {
			mode = h.At(wake).Mode
			wake = h.Wake(wake)
			wakes++
		}
		if got := arctic.Mode(at); got != mode {
			t.Fatalf("%v: shown %s, want %s", at, mode, got)
		}
	}
	if wakes > 2*366 {
		t.Errorf("woken %d times in a year", wakes)
	}
}

func TestAtDoesNotAllocate(t *testing.T) {
	h := NewHolder(&plain, Day)
	h.At(summerNoon)
	if n := testing.AllocsPerRun(100, func() { h.At(summerNoon.Add(time.Minute)) }); n != 0 {
		t.Errorf("got %v allocations, want 0", n)
	}
}

func BenchmarkHolderAt(b *testing.B) {
	h := NewHolder(&plain, Day)
	b.ReportAllocs()
	for b.Loop() {
		h.At(summerNoon)
	}
}
