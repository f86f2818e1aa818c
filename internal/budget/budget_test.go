package budget

import (
	"runtime"
	"runtime/debug"
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

// Near the limit of memory a large job begins without the garbage of the one before; far from it nothing is collected.
func TestGarbageGoesFirst(t *testing.T) {
	const large = 16 << 20
	usual := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(usual)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // by itself
	b := New(Max)
	collected := func(n int64) uint32 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		b.Take(n)
		b.Give(n)
		runtime.ReadMemStats(&after)
		return after.NumGC - before.NumGC
	}
	if n := collected(large); n != 0 {
		t.Errorf("%d collections with room for everything", n)
	}
	runtime.GC()
	debug.SetMemoryLimit(taken() + large/2)
	if n := collected(large); n == 0 {
		t.Error("no collection before a job that there is no room for")
	}
	if n := collected(1 << 20); n != 0 {
		t.Errorf("%d collections before a small job", n)
	}
}
