// Package budget is the memory that the large jobs of a process share: decoding pictures and documents, and running jq.
// Each of them has a bound of its own; together they would still take more than the unit of the service has.
package budget

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// Max bounds what all jobs that are under way may take together, in bytes: a PNG of 12 megapixels, two screens of
// 3840x2160, or the largest document. Beside it a service of 1920x1080 needs about 40 MiB for its frames, a sixth of its memory
// for those it keeps, and what fonts and connections take.
const Max = 56 << 20

// A Budget is shared by all who take from it. Whoever needs more than is left waits, in the order of asking; who waits must
// hold nothing of it.
type Budget struct{ free *semaphore.Weighted }

// Process is the budget of this process.
var Process = New()

// New returns a budget of Max bytes.
func New() Budget { return Budget{semaphore.NewWeighted(Max)} }

// Take waits until n bytes are free; Give returns them. n is at most Max.
func (b Budget) Take(n int64) { _ = b.free.Acquire(context.Background(), n) } // it fails with its context alone

// Give returns n bytes that were taken.
func (b Budget) Give(n int64) { b.free.Release(n) }
