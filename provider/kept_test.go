package provider

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/budget"
)

// A shelf is a store in memory that counts writes.
type shelf struct {
	files map[string][]byte
	saves int
}

func (s *shelf) Load(kind, key string) ([]byte, bool) { d, ok := s.files[kind+key]; return d, ok }

func (s *shelf) Save(kind, key string, data []byte) error {
	s.files[kind+key] = bytes.Clone(data)
	s.saves++
	return nil
}

// A diary is a Keeper of texts.
type diary struct {
	every time.Duration
	say   func(n int) Result
}

func (d *diary) Run(ctx context.Context, cell *Cell) error {
	n := 0
	p := Poll{Interval: d.every, Promise: true}
	return p.Run(ctx, cell, func(context.Context, bool) Result { n++; return d.say(n) })
}

func (d *diary) Kept(v any) ([]byte, error) { return []byte(v.(string)), nil }

func (d *diary) Restore(data []byte, _ time.Time) (any, error) {
	if string(data) == "bad" {
		panic("bad")
	}
	return string(data), nil
}

// When the program ends, the last value is stored with its time. While the program runs, only a few values are stored. After the next
// start, the value is available at once, and a failure does not remove it.
func TestKeptSamples(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &shelf{files: map[string][]byte{}}
		run := func(say func(n int) Result, while time.Duration) (before, after Sample) {
			m := NewManager(budget.New(), nil, slog.New(slog.NewTextHandler(io.Discard, nil)))
			m.Keep(store)
			set := m.Begin()
			cell := set.Add("k", &diary{time.Second, say})
			before = *cell.Load()
			m.Commit(set)
			time.Sleep(while)
			m.Close()
			return before, *cell.Load()
		}
		empty, last := run(func(n int) Result { return Result{Value: string(rune('a' + n%26))} }, 30*time.Minute+time.Second/2)
		if empty.Has() || store.saves > 5 {
			t.Errorf("got %+v at first, and %d writes in half an hour, want at most 5", empty, store.saves)
		}
		time.Sleep(time.Hour)
		again, failed := run(func(int) Result { return Fail(errors.New("x"), false) }, time.Minute)
		for _, s := range []Sample{again, failed} {
			if s.Value != last.Value || !s.At.Equal(last.At) || s.Interval != time.Second || !s.Stale(time.Now()) {
				t.Errorf("got %+v, want %v of %v", s, last.Value, last.At)
			}
		}
		for name, data := range map[string][]byte{"nothing": {}, "no gzip": []byte("hello"), "half": store.files["samplek"][:20]} {
			store.files["samplek"] = data
			if s, _ := run(func(int) Result { return Fail(errors.New("x"), false) }, 0); s.Has() {
				t.Errorf("%s: got %+v", name, s)
			}
		}
	})
}

// A chorus is a SharedKeeper. The goroutine of the test publishes its values.
type chorus struct{ diary }

func (*chorus) SharesPublisher() {}

func (*chorus) Run(ctx context.Context, _ *Cell) error {
	<-ctx.Done()
	return nil
}

// The type slow is a store that needs a second for each write. It sets `twice` if two writes overlap.
type slow struct {
	mu      sync.Mutex
	files   map[string][]byte
	saves   atomic.Int32
	writing atomic.Int32
	twice   atomic.Bool
}

func (s *slow) Load(kind, key string) ([]byte, bool) { return nil, false }

func (s *slow) Save(kind, key string, data []byte) error {
	if s.writing.Add(1) > 1 {
		s.twice.Store(true)
	}
	time.Sleep(time.Second)
	s.writing.Add(-1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[key] = bytes.Clone(data)
	s.saves.Add(1)
	return nil
}

// The goroutine that publishes shared values never waits for the disk. Only one value is stored at a time. If only the age of a value
// changes, the value is rarely stored.
func TestSharedKeepers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &slow{files: map[string][]byte{}}
		m := NewManager(budget.New(), nil, slog.New(slog.NewTextHandler(io.Discard, nil)))
		m.Keep(store)
		set := m.Begin()
		cells := []*Cell{set.Add("a", &chorus{}), set.Add("b", &chorus{}), set.Add("c", &chorus{})}
		m.Commit(set)
		began := time.Now()
		for _, c := range cells {
			for range 5 {
				c.Publish("x", time.Now())
			}
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("publishing took %v", took)
		}
		time.Sleep(5 * time.Second)
		if store.saves.Load() != 3 || store.twice.Load() {
			t.Errorf("got %d writes, two at once: %v", store.saves.Load(), store.twice.Load())
		}
		confirmed := func(d time.Duration) {
			for began := time.Now(); time.Since(began) < d; time.Sleep(30 * time.Second) {
				for _, c := range cells {
					c.Confirm(time.Now())
				}
			}
		}
		confirmed(keepEvery + time.Minute) // stores the last value too, because it is newer than the value that was stored first
		before := store.saves.Load()
		confirmed(keepSame - keepEvery - 3*time.Minute)
		if n := store.saves.Load() - before; n != 0 || before > 6 {
			t.Errorf("got %d writes of values that only were confirmed, %d before", n, before)
		}
		m.Close()
		if store.saves.Load()-before != 3 || len(store.files) != 3 {
			t.Errorf("got %d writes of %d values at the end", store.saves.Load(), len(store.files))
		}
	})
}

// The type faulty is a store whose first write fails.
type faulty struct{ shelf }

func (s *faulty) Save(kind, key string, data []byte) error {
	if s.saves++; s.saves == 1 {
		return errors.New("no space left on device")
	}
	return s.shelf.Save(kind, key, data)
}

// If the first attempt to store a value fails, the value is stored when the program ends, even if no newer value has arrived.
func TestFailedSaveIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &faulty{shelf{files: map[string][]byte{}}}
		m := NewManager(budget.New(), nil, quiet())
		m.Keep(store)
		set := m.Begin()
		set.Add("k", &diary{time.Hour, func(int) Result { return Result{Value: "x"} }})
		m.Commit(set)
		synctest.Wait()
		if store.saves != 1 || len(store.files) != 0 {
			t.Fatalf("before the end: got %d attempts and %d files, want one failed attempt", store.saves, len(store.files))
		}
		m.Close()
		if len(store.files) != 1 {
			t.Error("the value was not saved at the end")
		}
	})
}
