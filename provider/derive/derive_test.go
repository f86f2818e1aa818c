package derive

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/provider"
)

var errBad = errors.New("bad")

// A rig runs a provider in fake time.
type rig struct {
	from []*provider.Cell
	cell *provider.Cell
	made atomic.Int32
	fail atomic.Bool
}

// start returns a rig with n inputs. The function of the rig adds whole numbers, and fails while r.fail is true.
func start(t *testing.T, n int, retry bool) *rig {
	r := &rig{cell: provider.NewCell(nil)}
	for range n {
		r.from = append(r.from, provider.NewCell(nil))
	}
	ctx, cancel := context.WithCancel(t.Context())
	p := New(Config{From: r.from, Retry: retry, Make: func(_ context.Context, values []any) (any, error) {
		r.made.Add(1)
		sum := 0
		for _, v := range values {
			sum += v.(int)
		}
		if r.fail.Load() {
			return "instead", errBad
		}
		return sum, nil
	}})
	ended := make(chan struct{})
	go func() { defer close(ended); p.Run(ctx, r.cell) }()
	t.Cleanup(func() { cancel(); <-ended })
	return r
}

func (r *rig) load() provider.Sample { synctest.Wait(); return *r.cell.Load() }

func TestFollows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, 2, false)
		now := time.Now()
		r.from[0].Promise(time.Minute)
		r.from[0].Publish(1, now)
		if s := r.load(); s.Has() || r.made.Load() != 0 {
			t.Errorf("one of two values: got %+v, want none", s)
		}
		r.from[1].Publish(2, now.Add(-time.Hour))
		if s := r.load(); s.Value != 3 || s.Interval != time.Minute || !s.At.Equal(now) {
			t.Errorf("got %+v, want 3 with the age of the value that will be stale", s)
		}
		later := now.Add(time.Minute)
		r.from[0].Confirm(later)
		if s := r.load(); s.Seq != 1 || !s.At.Equal(later) || r.made.Load() != 1 {
			t.Errorf("confirmed: got %+v made %d times, want it confirmed only", s, r.made.Load())
		}
		r.from[0].Publish(2, later)
		synctest.Wait()
		r.from[1].Publish(1, later)
		if s := r.load(); s.Value != 3 || s.Seq != 3 || r.made.Load() != 3 {
			t.Errorf("other values: got %+v made %d times", s, r.made.Load())
		}
		r.from[1].Publish(1, later)
		if s := r.load(); s.Seq != 3 || r.made.Load() != 4 {
			t.Errorf("same value: got %+v made %d times, want nothing published", s, r.made.Load())
		}
	})
}

func TestSourceFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, 2, false)
		now := time.Now()
		r.from[0].Fail(errBad, now)
		if s := r.load(); !errors.Is(s.Err, errBad) || s.Has() {
			t.Errorf("failed at first: got %+v", s)
		}
		r.from[0].Publish(1, now)
		r.from[1].Publish(1, now)
		if s := r.load(); s.Err != nil || s.Value != 2 {
			t.Errorf("came: got %+v", s)
		}
		r.from[0].Fail(errBad, now.Add(time.Second))
		if s := r.load(); !errors.Is(s.Err, errBad) || s.Value != 2 || s.Seq != 1 {
			t.Errorf("failed: got %+v, want the last value and the error", s)
		}
		r.from[1].Publish(2, now.Add(2*time.Second))
		if s := r.load(); !errors.Is(s.Err, errBad) || s.Value != 3 {
			t.Errorf("the other came: got %+v, want the new value, and the error still", s)
		}
		r.from[0].Confirm(now.Add(3 * time.Second))
		if s := r.load(); s.Err != nil || r.made.Load() != 2 {
			t.Errorf("recovered: got %+v made %d times", s, r.made.Load())
		}
	})
}

func TestMakeFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, 1, false)
		r.fail.Store(true)
		r.from[0].Publish(1, time.Now())
		if s := r.load(); s.Value != "instead" || !errors.Is(s.Err, errBad) {
			t.Errorf("got %+v, want what is shown instead, and the error", s)
		}
		time.Sleep(time.Hour)
		r.from[0].Confirm(time.Now())
		if s := r.load(); r.made.Load() != 1 || !errors.Is(s.Err, errBad) {
			t.Errorf("made %d times, want once: nothing changed; %+v", r.made.Load(), s)
		}
	})
}

func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, 1, true)
		r.fail.Store(true)
		r.from[0].Publish(1, time.Now())
		synctest.Wait()
		for range 60 { // confirmations of the input do not delay the next call of Make after a failure
			time.Sleep(10 * time.Second)
			r.from[0].Confirm(time.Now())
			synctest.Wait()
		}
		if r.made.Load() < 10 || r.made.Load() > 25 {
			t.Errorf("made %d times in ten minutes, want ever more slowly up to one a minute", r.made.Load())
		}
		r.fail.Store(false)
		time.Sleep(2 * time.Minute)
		if s := r.load(); s.Value != 1 || s.Err != nil {
			t.Errorf("got %+v, want the value after all", s)
		}
		made := r.made.Load()
		time.Sleep(time.Hour)
		synctest.Wait()
		if r.made.Load() != made {
			t.Error("it was made again for nothing")
		}
	})
}

// A new list with equal elements only confirms the value. A list with other elements is a new value.
func TestListsAreCompared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from, cell := provider.NewCell(nil), provider.NewCell(nil)
		ctx, cancel := context.WithCancel(t.Context())
		p := New(Config{From: []*provider.Cell{from}, Make: func(_ context.Context, v []any) (any, error) {
			return slices.Clone(v[0].([]int)), nil
		}})
		go p.Run(ctx, cell)
		for _, v := range [][]int{{1, 2}, {1, 2}, {1, 3}} {
			from.Publish(v, time.Now())
			synctest.Wait()
		}
		cancel()
		synctest.Wait()
		if s := cell.Load(); s.Seq != 2 {
			t.Errorf("got %d samples, want 2", s.Seq)
		}
	})
}
