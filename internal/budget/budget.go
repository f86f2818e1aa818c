// Package budget bounds the memory of one service: an account for its large jobs, for the bodies that wait for them and for
// the values that stay. Each job has its own bound. The account exists because several jobs together would exceed the memory of the unit.
package budget

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

const (
	// MaxJobs bounds all jobs under way together, in bytes: a PNG of 12 megapixels, two screens of 3840x2160, or the
	// largest document. A service at 1920x1080 needs about 40 MiB more for its frames, an eighth of its memory for cached
	// frames, and room for bodies, fonts and connections.
	MaxJobs = 56 << 20
	// MaxBodies bounds the large answers and files in memory, in bytes: the largest picture and the largest document
	// together, so that one slow answer does not hold up all others.
	MaxBodies = 24 << 20
	// MinKept and MaxKept bound the values that providers keep, in bytes: a third of the memory limit. The unit's limit of 192 MiB
	// gives 64 MiB: seven pictures of 1920x1080, or the largest documents of eight sources.
	MinKept, MaxKept = 64 << 20, 512 << 20
	// MaxFrames bounds the frames of all animations together, in bytes: room for one of the largest animations. If one part in
	// framesShare of the memory limit is less, that is the bound.
	MaxFrames   = 32 << 20
	framesShare = 12
	// large is the size of a job, in bytes, that collects garbage first if the process has no room for both.
	large = 4 << 20
	// overShare is the part of the memory limit by which a large job may exceed it. The limit of the systemd unit leaves a third
	// free.
	overShare = 8
	// roomTries is how often a large job looks for room, and roomPause is the time between two tries.
	roomTries = 50
	roomPause = 100 * time.Millisecond
)

// ErrNoRoom reports that the process had no memory for a large job. A later try may succeed.
var ErrNoRoom = errors.New("no memory at this time")

// A Memory is the account of one service. The holder of a part of Bodies may wait for Jobs, never the reverse.
type Memory struct {
	Jobs   *Budget // decoding pictures and documents, running jq
	Bodies *Budget // the input of these jobs
	Kept   *Ledger // the latest value of every provider
	Frames *Ledger // the frames of animations. If the ledger is full, animations lose frames
}

// New returns the account of a new service.
func New() *Memory {
	limit := debug.SetMemoryLimit(-1)
	return &Memory{
		Jobs: NewBudget(MaxJobs), Bodies: NewBudget(MaxBodies),
		Kept: NewLedger(keptBytes(limit)), Frames: NewLedger(min(MaxFrames, limit/framesShare)),
	}
}

// keptBytes returns the share of a memory limit that values may take.
func keptBytes(limit int64) int64 { return min(max(limit/3, MinKept), MaxKept) }

type key struct{}

// With returns a context that carries m to all jobs below it.
func With(ctx context.Context, m *Memory) context.Context { return context.WithValue(ctx, key{}, m) }

// Of returns the account that ctx carries. If ctx has no account, as in a command that does one job at a time, Of returns a new
// account, so that every job is limited.
func Of(ctx context.Context) *Memory {
	if m, ok := ctx.Value(key{}).(*Memory); ok {
		return m
	}
	return New()
}

// A Budget is a number of bytes that jobs share. A job that needs more than is left waits, and jobs are served in the order in
// which they asked. A job that waits must hold no part of the same budget.
type Budget struct {
	free *semaphore.Weighted
	out  atomic.Int64 // bytes that jobs hold
}

// NewBudget returns a budget of n bytes.
func NewBudget(n int64) *Budget { return &Budget{free: semaphore.NewWeighted(n)} }

// Take waits until n bytes are free, and takes them. Give returns them. It returns the error of ctx if that ends first, or
// [ErrNoRoom], and then holds nothing. n must not exceed the whole budget.
//
// Near the memory limit of the process ([debug.SetMemoryLimit]), a large job collects garbage first, because it makes garbage
// faster than the collector of a busy machine can free it, and a control group counts garbage too. The shares of other jobs count
// fully, because a job that has just begun has not allocated its memory yet. Far above the limit the job waits some seconds for
// memory and then is refused.
func (b *Budget) Take(ctx context.Context, n int64) error {
	if err := b.free.Acquire(ctx, n); err != nil {
		return err
	}
	held := b.out.Add(n)
	if n < large || over(held) <= 0 {
		return nil
	}
	if err := b.room(ctx); err != nil {
		b.Give(n)
		return err
	}
	return nil
}

// room collects garbage until the process has memory for the jobs.
func (b *Budget) room(ctx context.Context) error {
	for range roomTries {
		runtime.GC()
		if over(b.out.Load()) <= debug.SetMemoryLimit(-1)/overShare {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(roomPause):
		}
	}
	return fmt.Errorf("%w: the program uses %s of %s", ErrNoRoom, mib(taken()), mib(debug.SetMemoryLimit(-1)))
}

// over returns by how many bytes the process would exceed its memory limit with n more bytes. The result is below zero if there is
// room.
func over(n int64) int64 { return taken() - debug.SetMemoryLimit(-1) + n }

// taken returns the memory that Go uses, garbage included, in bytes.
func taken() int64 {
	of := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(of)
	return int64(of[0].Value.Uint64() - of[1].Value.Uint64() - of[2].Value.Uint64())
}

// Try takes n bytes if they are free and no job waits, and reports whether it did.
func (b *Budget) Try(n int64) bool {
	free := b.free.TryAcquire(n)
	if free {
		b.out.Add(n)
	}
	return free
}

// Give returns n bytes that were taken.
func (b *Budget) Give(n int64) {
	b.out.Add(-n)
	b.free.Release(n)
}
