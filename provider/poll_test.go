package provider

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

var errDown = errors.New("down")

// attempts() runs a poll for the duration `while` and returns the times of its attempts.
func attempts(t *testing.T, p *Poll, cell *Cell, while time.Duration, try func(n int) Result) (at []time.Duration) {
	t.Helper()
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), while)
	defer cancel()
	if err := p.Run(ctx, cell, func(context.Context, bool) Result {
		at = append(at, time.Since(began))
		return try(len(at) - 1)
	}); err != nil {
		t.Errorf("got %v, want nil", err)
	}
	return at
}

func TestPollPublishes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cell := NewCell(nil)
		results := []Result{{Value: 1}, Fail(errDown, true), {Outcome: Unchanged}, {Outcome: Nothing}, Fail(errDown, true), {Value: nil}}
		var got []Sample
		attempts(t, &Poll{Interval: time.Minute, Jitter: time.Second, Promise: true}, cell, 7*time.Minute, func(n int) Result {
			if n > 0 {
				got = append(got, *cell.Load())
			}
			if n < len(results) {
				return results[n]
			}
			return Result{Outcome: Pending}
		})
		want := []struct {
			value any
			seq   uint64
			err   error
		}{{1, 1, nil}, {1, 1, errDown}, {1, 1, nil}, {1, 1, nil}, {1, 1, errDown}, {nil, 2, nil}}
		if len(got) != len(want) {
			t.Fatalf("got %d samples, want %d", len(got), len(want))
		}
		for i, w := range want {
			if s := got[i]; s.Value != w.value || s.Seq != w.seq || s.Err != w.err || s.Interval != time.Minute+time.Second {
				t.Errorf("sample %d: got %+v, want %+v", i, s, w)
			}
		}
	})
}

// After a failure, the first pause is a few seconds long. The pauses then grow up to the interval.
// After a success, the next failure begins with the first pause again.
func TestPollBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := attempts(t, &Poll{Interval: 10 * time.Minute}, NewCell(nil), 3*time.Hour, func(n int) Result {
			if n == 12 {
				return Result{Value: 1}
			}
			return Fail(errDown, false)
		})
		pause := func(i int) time.Duration { return at[i+1] - at[i] }
		if p := pause(0); p < time.Second || p > 3*time.Second {
			t.Errorf("first pause: got %v, want 2 s within a half", p)
		}
		if p := pause(11); p < 5*time.Minute || p > 10*time.Minute {
			t.Errorf("twelfth pause: got %v, want it near the interval", p)
		}
		if p := pause(12); p != 10*time.Minute {
			t.Errorf("after a good one: got %v, want the interval", p)
		}
		if p := pause(13); p > 3*time.Second {
			t.Errorf("a failure after a good one: got %v, want to begin anew", p)
		}
	})
}

// The type later is an error that requests a time for the next attempt.
type later struct{ time.Duration }

func (l later) Error() string             { return "later" }
func (l later) RetryAfter() time.Duration { return l.Duration }

func TestPollHeedsRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := attempts(t, &Poll{Interval: time.Minute}, NewCell(nil), 30*24*time.Hour, func(n int) Result {
			return []Result{Fail(later{time.Hour}, false), Fail(later{time.Second}, true), Fail(later{1000 * time.Hour}, false), {Outcome: Pending}}[min(n, 3)]
		})
		want := []time.Duration{0, time.Hour, time.Hour + time.Minute, time.Hour + time.Minute + MaxRetryAfter}
		if !slices.Equal(at, want) {
			t.Errorf("got %v, want %v", at, want)
		}
	})
}

func TestPollOnceAndNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := attempts(t, &Poll{Interval: time.Minute, Once: true}, NewCell(nil), time.Hour, func(n int) Result {
			if n == 0 {
				return Fail(errDown, true)
			}
			return Result{Value: 1}
		})
		if want := []time.Duration{0, time.Minute}; !slices.Equal(at, want) {
			t.Errorf("once: got %v, want %v", at, want)
		}
		hours := func(now time.Time) time.Time { return now.Truncate(time.Hour).Add(time.Hour) }
		if at = attempts(t, &Poll{Next: hours}, NewCell(nil), 150*time.Minute, func(int) Result { return Result{Value: 1} }); len(at) != 4 && len(at) != 3 {
			t.Errorf("by the hour: got %v", at)
		}
	})
}

// A change causes an attempt at once, for which Run passes false as `due`. If this attempt is Pending, the pause after an earlier failure
// continues.
func TestPollChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		changed := make(chan struct{}, 1)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var dues []bool
		p := &Poll{Changed: changed}
		go p.Run(ctx, NewCell(nil), func(_ context.Context, due bool) Result {
			dues = append(dues, due)
			switch len(dues) {
			case 1:
				return Result{Value: 1}
			case 3:
				return Result{Outcome: Pending}
			}
			return Fail(errDown, false)
		})
		time.Sleep(time.Hour)
		changed <- struct{}{}
		synctest.Wait()
		changed <- struct{}{}
		synctest.Wait()
		time.Sleep(4 * time.Second)
		synctest.Wait()
		// Each pause varies at random by up to half of its length, so there may be one more retry.
		if want := []bool{true, false, false, true}; len(dues) < len(want) || !slices.Equal(dues[:len(want)], want) {
			t.Errorf("got %v, want %v: a Pending attempt does not end the current pause", dues, want)
		}
	})
}

// The random addition to the pauses never exceeds Jitter.
func TestPollJitter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := attempts(t, &Poll{Interval: time.Minute, Jitter: 30 * time.Second}, NewCell(nil), 2*time.Hour, func(int) Result { return Result{Value: 1} })
		least, most := time.Hour, time.Duration(0)
		for i := range at[1:] {
			least, most = min(least, at[i+1]-at[i]), max(most, at[i+1]-at[i])
		}
		if least < time.Minute || most > 90*time.Second || most-least < 15*time.Second {
			t.Errorf("got pauses of %v to %v, want them spread over 1m to 1m30s", least, most)
		}
	})
}

// With WhenSeen, attempts are made only while the value is visible. An attempt that is due waits
// for a call of Look. A call of Look does not make an attempt earlier.
func TestPollWhenSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cell, made := NewCell(nil), NewCell(nil)
		made.MadeOf(cell)
		began, shown := time.Now(), []time.Duration{10 * time.Minute, 13 * time.Minute, 40 * time.Minute}
		go func() { // simulates a page that becomes visible for a minute from time to time
			for _, from := range shown {
				time.Sleep(time.Until(began.Add(from)))
				for range 12 {
					made.Look(time.Now())
					time.Sleep(5 * time.Second)
				}
			}
		}()
		at := attempts(t, &Poll{Interval: 5 * time.Minute, WhenSeen: true}, cell, time.Hour, func(int) Result { return Result{Value: 1} })
		want := []time.Duration{10 * time.Minute, 40 * time.Minute}
		if !slices.Equal(at, want) {
			t.Errorf("tried at %v, want %v", at, want)
		}
		if cell.Seen(time.Now()) || !cell.Seen(began.Add(41*time.Minute)) {
			t.Error("a value counts as seen for a minute after it was")
		}
	})
}

func TestLookAllocatesNothing(t *testing.T) {
	cell, now := NewCell(nil), time.Now()
	if n := testing.AllocsPerRun(100, func() { now = now.Add(10 * time.Second); cell.Look(now) }); n != 0 {
		t.Errorf("got %v allocations for a look, want 0", n)
	}
}

// TestPollStoresTheNextAttempt checks that the cell has the time of the next attempt before it calls wake. While the cell fails, NextTry
// returns the same time for any cell that is computed from this cell.
func TestPollStoresTheNextAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var cell *Cell
		var told []time.Time
		cell = NewCell(func() { told = append(told, cell.NextTry()) })
		made := NewCell(nil)
		made.MadeOf(NewCell(nil), cell)
		began := time.Now()
		at := attempts(t, &Poll{Interval: time.Minute}, cell, 5*time.Minute, func(int) Result {
			if made.NextTry().After(time.Now()) {
				t.Error("an attempt came before its time")
			}
			return Fail(errDown, true)
		})
		if len(told) < len(at) || len(at) < 3 {
			t.Fatalf("%d attempts, and the readers were woken %d times", len(at), len(told))
		}
		if next := began.Add(at[1]); !told[0].Equal(next) {
			t.Errorf("after the first failure: got %v, want the second attempt at %v", told[0], next)
		}
		if !made.NextTry().Equal(cell.NextTry()) || made.NextTry().IsZero() {
			t.Errorf("a made value has %v, and its source %v", made.NextTry(), cell.NextTry())
		}
		cell.RetryAt(time.Time{})
		if !made.NextTry().IsZero() {
			t.Error("a time that is not known is not zero")
		}
	})
}
