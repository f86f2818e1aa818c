package budget

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// If a job needs more memory than is free, the job waits, and a later job does not overtake it.
func TestBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(MaxJobs)
		take := func(n int64) {
			if err := b.Take(t.Context(), n); err != nil {
				t.Error(err)
			}
		}
		take(MaxJobs - 10)
		take(5)
		var wait sync.WaitGroup
		served := make(chan string, 2)
		wait.Go(func() { take(20); served <- "large"; b.Give(20) })
		synctest.Wait()
		wait.Go(func() { take(5); served <- "small"; b.Give(5) })
		synctest.Wait()
		if len(served) > 0 {
			t.Errorf("%s took bytes that others hold, or overtook", <-served)
		}
		b.Give(5)
		synctest.Wait()
		if len(served) > 0 {
			t.Errorf("%s took more than is free", <-served)
		}
		b.Give(MaxJobs - 10)
		wait.Wait()
		if len(served) != 2 || !b.Try(MaxJobs) {
			t.Errorf("%d of 2 were served, or not all bytes came back", len(served))
		}
	})
}

// A job whose context ends stops waiting and takes no memory.
func TestTakeEndsWithItsContext(t *testing.T) {
	b := NewBudget(10)
	if err := b.Take(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	got := make(chan error)
	go func() { got <- b.Take(ctx, 5) }()
	cancel()
	if err := <-got; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	b.Give(10)
	if !b.Try(10) {
		t.Error("the ended job holds a part")
	}
}

// All jobs whose contexts are derived from one context share an account. If the context has no account, each job has its own account.
func TestAccountOfContext(t *testing.T) {
	m := New()
	ctx, cancel := context.WithCancel(With(t.Context(), m))
	defer cancel()
	if Of(ctx) != m {
		t.Error("another account than the context carries")
	}
	first, second := Of(t.Context()), Of(t.Context())
	if first == second {
		t.Error("two contexts without an account share one")
	}
}

// Near the memory limit, a large job collects garbage first. Far from the limit, no job collects garbage.
func TestGarbageGoesFirst(t *testing.T) {
	const large = 16 << 20
	usual := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(usual)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // only the budget collects garbage
	b := NewBudget(MaxJobs)
	collected := func(n int64) uint32 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := b.Take(t.Context(), n); err != nil {
			t.Fatal(err)
		}
		b.Give(n)
		runtime.ReadMemStats(&after)
		return after.NumGC - before.NumGC
	}
	if n := collected(large); n != 0 {
		t.Errorf("%d collections with room for everything", n)
	}
	runtime.GC()
	debug.SetMemoryLimit(taken() + large - 1<<20)
	if n := collected(large); n == 0 {
		t.Error("no collection before a job without room")
	}
	if n := collected(1 << 20); n != 0 {
		t.Errorf("%d collections before a small job", n)
	}
	runtime.GC()
	debug.SetMemoryLimit(taken() + 2*large - 1<<20)
	b.Try(large) // this job has not allocated anything yet
	if n := collected(large); n == 0 {
		t.Error("no collection although a job that has just begun needs the room")
	}
	b.Give(large)
}

// If the process is far above the memory limit, a large job waits until memory is free. If no memory becomes free, Take refuses the job,
// and the job holds no bytes.
func TestNoRoom(t *testing.T) {
	usual := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(usual)
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(MaxJobs)
		runtime.GC()
		debug.SetMemoryLimit(taken() + 8<<20)
		others := make([]byte, 32<<20)
		if err := b.Take(t.Context(), 16<<20); !errors.Is(err, ErrNoRoom) {
			t.Errorf("got %v with %d bytes of others, want ErrNoRoom", err, len(others))
		}
		if !b.Try(MaxJobs) {
			t.Error("a refused job holds a part")
		}
		b.Give(MaxJobs)
		go func() {
			time.Sleep(3 * roomPause)
			debug.SetMemoryLimit(taken() + 32<<20) // allow more memory, as if other jobs had ended
		}()
		if err := b.Take(t.Context(), 16<<20); err != nil {
			t.Errorf("after others ended: %v", err)
		}
		b.Give(16 << 20)
		debug.SetMemoryLimit(taken() - 16<<20)
		ctx, cancel := context.WithTimeout(t.Context(), 2*roomPause)
		defer cancel()
		if err := b.Take(ctx, 16<<20); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v from a job that ended, want its reason", err)
		}
		runtime.KeepAlive(others)
	})
}
