package provider

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/budget"
)

// A provider that is added to the running set starts at once. The provider stops when Drop was called as often as Add.
func TestAddAndDropWhileRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewManager(budget.New(), func() {}, quiet())
		defer m.Close()
		before, twice := &counting{}, &counting{}
		s := m.Begin()
		early := s.Add("early", before)
		s.Drop(early)
		again := s.Add("early", before)
		m.Commit(s)
		cell := s.Add("late", twice)
		if s.Add("late", &counting{}) != cell {
			t.Error("the same key twice got two cells")
		}
		synctest.Wait()
		if twice.starts.Load() != 1 || before.starts.Load() != 1 || len(m.Status(time.Now())) != 2 {
			t.Errorf("got %d and %d starts, want one of each", twice.starts.Load(), before.starts.Load())
		}
		s.Drop(cell)
		synctest.Wait()
		if twice.stops.Load() != 0 {
			t.Error("it ended while it had another use")
		}
		s.Drop(cell)
		synctest.Wait()
		if twice.stops.Load() != 1 || len(m.Status(time.Now())) != 1 {
			t.Errorf("got %d stops, want 1", twice.stops.Load())
		}
		if v := cell.Load().Value; v != 1 {
			t.Errorf("got the value %v after the end, want 1", v)
		}
		s.Drop(cell) // the cell is not in the set any longer
		s.Drop(again)
		synctest.Wait()
		if before.stops.Load() != 1 {
			t.Error("the provider of the first files does not end")
		}
	})
}

// A set that was replaced by another set starts no provider. The method Drop of the replaced set stops no provider of the other set.
func TestAddToAReplacedSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewManager(budget.New(), func() {}, quiet())
		defer m.Close()
		shared, late := &counting{}, &counting{}
		old := m.Begin()
		cell := old.Add("shared", shared)
		m.Commit(old)
		next := m.Begin()
		next.Add("shared", &counting{})
		m.Commit(next)
		old.Add("late", late)
		old.Drop(cell)
		synctest.Wait()
		if late.starts.Load() != 0 || shared.starts.Load() != 1 || shared.stops.Load() != 0 {
			t.Errorf("got %d and %d starts and %d stops, want 0, 1 and 0", late.starts.Load(), shared.starts.Load(), shared.stops.Load())
		}
	})
}

// Several goroutines add and drop providers, while other goroutines read the state of all providers.
func TestAddAndDropFromManyGoroutines(t *testing.T) {
	m := NewManager(budget.New(), func() {}, quiet())
	defer m.Close()
	s := m.Begin()
	m.Commit(s)
	var views sync.WaitGroup
	for range 4 {
		views.Go(func() {
			for range 200 {
				c := s.Add("picture", &counting{})
				s.Place("picture", Place{What: "image"})
				m.LookAll(time.Now())
				m.Settled()
				m.Status(time.Now())
				s.Drop(c)
			}
		})
	}
	views.Wait()
	if list := m.Status(time.Now()); len(list) != 0 {
		t.Errorf("got %d providers after the last drop, want none", len(list))
	}
}
