package derive

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/budget"
	"dashboard/provider"
)

// If no input has an interval, the result is as old as the oldest input.
func TestAgeIsThatOfTheOldest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, 3, false)
		now := time.Now()
		r.from[0].Publish(1, now)
		r.from[1].Publish(1, now.Add(-time.Hour))
		r.from[2].Publish(1, now.Add(-time.Minute))
		if s := r.load(); !s.At.Equal(now.Add(-time.Hour)) || s.Interval != 0 {
			t.Errorf("got %+v, want the age of the oldest", s)
		}
	})
}

// If a value could not be computed, a confirmation of its input does not remove the error.
func TestConfirmDoesNotMakeGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, 1, false)
		r.fail.Store(true)
		r.from[0].Publish(1, time.Now())
		at := r.load().At
		time.Sleep(time.Minute)
		r.from[0].Confirm(time.Now())
		if s := r.load(); !errors.Is(s.Err, errBad) || !s.At.Equal(at) {
			t.Errorf("got %+v, want the failure and its age", s)
		}
	})
}

// When an input recovers, the error disappears, even if another input is older.
func TestConfirmOfTheYounger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, 2, false)
		r.from[0].Publish(1, time.Now())
		time.Sleep(time.Minute)
		r.from[1].Publish(2, time.Now())
		synctest.Wait()
		r.from[1].Fail(errBad, time.Now())
		if s := r.load(); !errors.Is(s.Err, errBad) {
			t.Fatalf("got %+v, want the failure", s)
		}
		r.from[1].Confirm(time.Now())
		if s := r.load(); s.Err != nil {
			t.Errorf("well again: got %v", s.Err)
		}
	})
}

// A new input value has its own series of pauses. Earlier failures with another value do not delay the second attempt with the new value.
func TestAnotherValueStartsPausesAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, 1, true)
		r.fail.Store(true)
		r.from[0].Publish(1, time.Now())
		time.Sleep(time.Hour)
		synctest.Wait()
		r.from[0].Publish(2, time.Now())
		synctest.Wait()
		made := r.made.Load()
		time.Sleep(4 * time.Second)
		synctest.Wait()
		if r.made.Load() == made {
			t.Error("the second attempt for another value waits as long as the last for the one before")
		}
	})
}

// TestWordsInsteadOfAValue: for each input value, the function returns an error and a text that replaces the value. The log has one line
// about the error. The text has the time of the input value.
func TestWordsInsteadOfAValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		m := provider.NewManager(budget.New(), nil, slog.New(slog.NewTextHandler(&out, nil)))
		from := provider.NewCell(nil)
		set := m.Begin()
		cell := set.Add("d", New(Config{From: []*provider.Cell{from}, Make: func(_ context.Context, of []any) (any, error) {
			return []string{"--", "??"}[of[0].(int)/3], errors.New("runs for too long")
		}}))
		m.Commit(set)
		var began time.Time
		for n := range 5 {
			from.Publish(n, time.Now())
			synctest.Wait()
			s := cell.Load()
			if s.Value != []string{"--", "??"}[n/3] || s.Err == nil || !s.At.Equal(time.Now()) || s.Seq != uint64(1+n/3) {
				t.Errorf("value %d: got %+v", n, s)
			}
			if n == 0 {
				began = s.Failing
			}
			if !s.Failing.Equal(began) || began.IsZero() {
				t.Errorf("value %d: fails since %v, want %v", n, s.Failing, began)
			}
			time.Sleep(time.Second)
		}
		m.Close()
		if n := strings.Count(out.String(), "\n"); n != 1 {
			t.Errorf("%d lines, want one:\n%s", n, out.String())
		}
	})
}
