// Package budget is the memory that the large jobs of a process share: decoding pictures and documents, running jq, and
// the bodies that wait for it. Each of them has a bound of its own; together they would still take more than the unit of
// the service has.
package budget

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"golang.org/x/sync/semaphore"
)

const (
	// Max bounds what all jobs that are under way may take together, in bytes: a PNG of 12 megapixels, two screens of
	// 3840x2160, or the largest document. Beside it a service of 1920x1080 needs about 40 MiB for its frames, an eighth of
	// its memory for those it keeps, and what bodies, fonts and connections take.
	Max = 56 << 20
	// MaxBodies bounds the large answers and files in memory, in bytes: the largest picture and the largest document. One
	// that drips does not hold up all others.
	MaxBodies = 24 << 20
	// large is a job, in bytes, before which garbage is collected where the process has no room for it beside its garbage.
	large = 4 << 20
)

// A Budget is shared by all who take from it. Whoever needs more than is left waits, in the order of asking; who waits must
// hold nothing of it. Who holds a part of Bodies may wait for Process, never the other way round.
type Budget struct{ free *semaphore.Weighted }

// Process is the budget of this process's jobs, Bodies that of what they read.
var (
	Process = New(Max)
	Bodies  = New(MaxBodies)
)

// New returns a budget of n bytes.
func New(n int64) Budget { return Budget{semaphore.NewWeighted(n)} }

// Take waits until n bytes are free; Give returns them. n is at most what the budget has. Near the process's limit of memory
// ([debug.SetMemoryLimit]) the garbage of the jobs before is collected first: a large job makes its own faster than a busy machine's
// collector ends a cycle, and a control group kills for the sum.
func (b Budget) Take(n int64) {
	_ = b.free.Acquire(context.Background(), n) // it fails with its context alone
	if n >= large && taken()+n > debug.SetMemoryLimit(-1) {
		runtime.GC()
	}
}

// taken is the memory that Go uses, garbage included, in bytes.
func taken() int64 {
	of := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(of)
	return int64(of[0].Value.Uint64() - of[1].Value.Uint64() - of[2].Value.Uint64())
}

// Wait is Take until ctx ends, whose error it returns then.
func (b Budget) Wait(ctx context.Context, n int64) error { return b.free.Acquire(ctx, n) }

// Try takes n bytes if they are free and nobody waits, and reports whether it did.
func (b Budget) Try(n int64) bool { return b.free.TryAcquire(n) }

// Give returns n bytes that were taken.
func (b Budget) Give(n int64) { b.free.Release(n) }
