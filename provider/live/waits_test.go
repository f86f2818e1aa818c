package live

import (
	"testing"
	"testing/synctest"
	"time"
)

// If a program fails because a source has not answered yet, the program's cell gets no error. After all sources have answered, the cell
// gets the program's errors.
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

// If the source of a program cannot be reached, the program's cell gets an error. A program waits only for sources that have no value and
// no error yet.
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
