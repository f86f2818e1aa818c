package budget

import (
	"sync"
	"testing"
	"testing/synctest"
)

// Who needs more than is left waits for what others give back, and nobody who came later goes before.
func TestBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(Max)
		b.Take(Max - 10)
		b.Take(5)
		var wait sync.WaitGroup
		served := make(chan string, 2)
		wait.Go(func() { b.Take(20); served <- "large"; b.Give(20) })
		synctest.Wait()
		wait.Go(func() { b.Take(5); served <- "small"; b.Give(5) })
		synctest.Wait()
		if len(served) > 0 {
			t.Errorf("%s took what others hold, or came before its turn", <-served)
		}
		b.Give(5)
		synctest.Wait()
		if len(served) > 0 {
			t.Errorf("%s took more than is free", <-served)
		}
		b.Give(Max - 10)
		wait.Wait()
		if len(served) != 2 || !b.free.TryAcquire(Max) {
			t.Errorf("%d of 2 were served, or not all came back", len(served))
		}
	})
}
