package budget

import (
	"sync"
	"testing"
	"testing/synctest"
)

// Who needs more than is left waits for what others give back, and nobody who came later goes before.
func TestBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New()
		b.Take(Max - 10)
		b.Take(5)
		var wait sync.WaitGroup
		var order []string
		wait.Go(func() { b.Take(20); order = append(order, "large"); b.Give(20) })
		synctest.Wait()
		wait.Go(func() { b.Take(5); order = append(order, "small"); b.Give(5) })
		synctest.Wait()
		if len(order) > 0 {
			t.Errorf("%s took what others hold, or came before its turn", order)
		}
		b.Give(5)
		synctest.Wait()
		if len(order) > 0 {
			t.Errorf("%s took more than is free", order)
		}
		b.Give(Max - 10)
		wait.Wait()
		if len(order) != 2 || !b.free.TryAcquire(Max) {
			t.Errorf("got %v and not all back", order)
		}
	})
}
