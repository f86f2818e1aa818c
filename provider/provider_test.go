package provider

import (
	"errors"
	"testing"
	"time"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func TestStale(t *testing.T) {
	tests := []struct {
		name string
		s    Sample
		now  time.Time
		want bool
	}{
		{"never a value", Sample{Interval: time.Minute}, noon, false},
		{"fresh", Sample{Seq: 1, At: noon, Interval: time.Minute}, noon, false},
		{"exactly three intervals", Sample{Seq: 1, At: noon, Interval: time.Minute}, noon.Add(3 * time.Minute), false},
		{"just over three intervals", Sample{Seq: 1, At: noon, Interval: time.Minute}, noon.Add(3*time.Minute + 1), true},
		{"nothing promised", Sample{Seq: 1, At: noon}, noon.AddDate(1, 0, 0), false},
		{"clock set back", Sample{Seq: 1, At: noon, Interval: time.Minute}, noon.Add(-time.Hour), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.s.Stale(tt.now); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestCellKeepsTheLastGoodValue(t *testing.T) {
	woken := 0
	c := NewCell(func() { woken++ })
	if s := c.Load(); s == nil || s.Has() {
		t.Fatalf("empty cell: got %+v, want a zero sample", s)
	}
	c.Promise(time.Minute)
	c.Publish(42, noon)
	first := c.Load()
	bad := errors.New("no route")
	c.Fail(bad, noon.Add(time.Minute))
	s := c.Load()
	want := Sample{Value: 42, Err: bad, At: noon, Tried: noon.Add(time.Minute), Failing: noon.Add(time.Minute), Interval: time.Minute, Seq: 1,
		staleAt: s.staleAt}
	if *s != want || !s.staleAt.Equal(noon.Add(StaleIntervals*time.Minute)) {
		t.Errorf("after a failure: got %+v, want %+v", *s, want)
	}
	if first.Err != nil {
		t.Errorf("a sample handed out was changed: %+v", first)
	}
	c.Publish(nil, noon.Add(2*time.Minute))
	if s := c.Load(); s.Value != nil || s.Err != nil || s.Seq != 2 || !s.Has() {
		t.Errorf("null value: got %+v, want nil value, seq 2, no error", *s)
	}
	if woken != 3 {
		t.Errorf("woken %d times, want 3", woken)
	}
}

func TestConfirmKeepsSeq(t *testing.T) {
	var c Cell
	c.Publish("a", noon)
	c.Fail(errors.New("x"), noon.Add(time.Second))
	c.Confirm(noon.Add(time.Minute))
	s := c.Load()
	if s.Seq != 1 || !s.At.Equal(noon.Add(time.Minute)) || s.Err != nil || s.Value != "a" {
		t.Errorf("got %+v, want the same value and seq, a newer time, no error", *s)
	}
}

func TestLoadDoesNotAllocate(t *testing.T) {
	c := NewCell(nil)
	c.Publish(1, noon)
	if n := testing.AllocsPerRun(100, func() { _ = c.Load().Stale(noon) }); n != 0 {
		t.Errorf("got %v allocations a load, want 0", n)
	}
}

func BenchmarkCellLoad(b *testing.B) {
	c := NewCell(nil)
	c.Publish(1, noon)
	b.ReportAllocs()
	for b.Loop() {
		_ = c.Load()
	}
}

func TestWatch(t *testing.T) {
	c := NewCell(nil)
	ch := make(chan struct{}, 1)
	end := c.Watch(ch)
	c.Publish(1, noon)
	c.Fail(errors.New("x"), noon)
	c.Promise(time.Second)
	if len(ch) != 1 {
		t.Error("three changes left no token")
	}
	<-ch
	end()
	end()
	c.Publish(2, noon)
	if len(ch) != 0 {
		t.Error("a token came after the end")
	}
}

// TestFailedSource: for a value that is computed in several steps, FailedSource returns the name of the failed source. If an intermediate
// value has failed and has a name, FailedSource returns this name.
func TestFailedSource(t *testing.T) {
	good, bad, made, top := NewCell(nil), NewCell(nil), NewCell(nil), NewCell(nil)
	good.Call("good")
	bad.Call("bad")
	made.MadeOf(good, bad)
	top.MadeOf(made)
	if got := top.FailedSource(); got != "" {
		t.Errorf("without a failure: got %q", got)
	}
	bad.Fail(errors.New("x"), time.Now())
	made.Fail(errors.New("x"), time.Now())
	if got := top.FailedSource(); got != "bad" {
		t.Errorf("got %q, want bad", got)
	}
	if n := testing.AllocsPerRun(100, func() { top.FailedSource() }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	made.Call("made")
	if got := top.FailedSource(); got != "made" {
		t.Errorf("got %q, want made", got)
	}
}
