package live

import (
	"testing"
	"testing/synctest"
	"time"
)

// A program that fails for want of a source that has not answered yet has not failed: its error is reported when all have answered.
func TestWaitsForItsSources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWall(t, "a", "b")
		sum := w.program(`.a + (.b | tonumber)`)
		w.start()
		w.publish("a", 1, time.Now())
		if s := sum.Load(); s.Err != nil || s.Has() || len(w.Problems()) > 0 {
			t.Errorf("one has not answered: got %+v, problems %v", s, w.Problems())
		}
		w.publish("b", "2", time.Now())
		if s := sum.Load(); s.Err != nil || s.Value != 3 {
			t.Errorf("both have: got %+v", s)
		}
		w.publish("b", "two", time.Now())
		if s := sum.Load(); s.Err == nil || len(w.Problems()) != 1 {
			t.Errorf("a text: got %+v, problems %v", s, w.Problems())
		}
	})
}

// With a source that cannot be reached the error is told, for there is nothing to wait for.
func TestFailsWithItsSources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWall(t, "a", "b")
		sum := w.program(`.a + (.b | tonumber)`)
		w.start()
		w.cells["b"].Fail(errDown, time.Now())
		w.publish("a", 1, time.Now())
		if sum.Load().Err == nil {
			t.Error("no error")
		}
	})
}
