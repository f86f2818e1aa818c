// Package budget limits the memory of one service. An account ([Memory]) has separate limits for large jobs, response bodies, stored
// values and the frames of animations. Response bodies count while they wait until a job processes them. Each job has its own limit too.
// The account is needed because several jobs together would exceed the memory of the systemd unit.
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
	// MaxJobs limits the memory of all running jobs together, in bytes. It is enough for a PNG of 12 megapixels, two screens of
	// 3840x2160, or the largest document. The service needs more memory for other purposes. At 1920x1080, its frames need about 40 MiB.
	// Cached frames need an eighth of the memory of the service. Bodies, fonts and connections need memory too.
	MaxJobs = 56 << 20
	// MaxBodies limits the large responses and files in memory, in bytes. It is the size of the largest picture and the largest document
	// together, so that one slow response does not block all other responses.
	MaxBodies = 24 << 20
	// MinKept and MaxKept are the smallest and the largest limit, in bytes, for the values that providers store. The limit is a third of
	// the memory limit of the Go runtime. With the systemd unit, the memory limit is 192 MiB, and a third is 64 MiB: enough for seven
	// pictures of 1920x1080, or for the largest documents of eight sources.
	MinKept, MaxKept = 64 << 20, 512 << 20
	// MaxFrames limits the frames of all animations together, in bytes. It is enough for one animation of the largest size. The memory
	// limit divided by framesShare is a second limit, and the smaller of the two applies.
	MaxFrames   = 32 << 20
	framesShare = 12
	// `large` is the minimum size of a large job, in bytes. If the process has no room for a large job, Take collects garbage first.
	large = 4 << 20
	// overShare sets how far a large job may exceed the memory limit of the Go runtime: by at most an eighth of this limit. The limit is
	// three quarters of the memory of the systemd unit, so this excess is safe.
	overShare = 8
	// roomTries is the maximum number of times that a large job checks whether there is enough memory. roomPause is the time between two
	// checks.
	roomTries = 50
	roomPause = 100 * time.Millisecond
)

// ErrNoRoom reports that the process had no memory for a large job. A later try may succeed.
var ErrNoRoom = errors.New("no memory at this time")

// A Memory is the account of one service. A job that has taken bytes from Bodies may wait for bytes from Jobs. A job that has taken bytes
// from Jobs must not wait for bytes from Bodies.
type Memory struct {
	Jobs   *Budget // memory for decoding pictures and documents and for running jq
	Bodies *Budget // memory for the bodies that wait to be decoded
	Kept   *Ledger // memory for the latest value of every provider
	Frames *Ledger // memory for the frames of animations. If the ledger is full, animations lose frames
}

// New returns the account of a new service.
func New() *Memory {
	limit := debug.SetMemoryLimit(-1)
	return &Memory{
		Jobs: NewBudget(MaxJobs), Bodies: NewBudget(MaxBodies),
		Kept: NewLedger(keptBytes(limit)), Frames: NewLedger(min(MaxFrames, limit/framesShare)),
	}
}

// keptBytes returns the maximum size of all stored values, in bytes, for a memory limit.
func keptBytes(limit int64) int64 { return min(max(limit/3, MinKept), MaxKept) }

type key struct{}

// With returns a context with the account m. All jobs with this context, or with a context derived from it, share the account.
func With(ctx context.Context, m *Memory) context.Context { return context.WithValue(ctx, key{}, m) }

// Of returns the account in ctx. A command that does one job at a time has no account in its context. Of then returns a new account, so
// that every job has a limit.
func Of(ctx context.Context) *Memory {
	if m, ok := ctx.Value(key{}).(*Memory); ok {
		return m
	}
	return New()
}

// A Budget is a number of bytes that jobs share. If a job needs more bytes than are left, the job waits. Waiting jobs are served in the
// order of their requests. A waiting job must not hold a part of the same budget.
type Budget struct {
	free *semaphore.Weighted
	out  atomic.Int64 // bytes that jobs hold
}

// NewBudget returns a budget of n bytes.
func NewBudget(n int64) *Budget { return &Budget{free: semaphore.NewWeighted(n)} }

// Take waits until n bytes are free, and takes these bytes. The caller returns them with Give. If Take returns an error, it has taken
// nothing. The error is the error of ctx if ctx has ended, and otherwise [ErrNoRoom]. n must not exceed the whole budget.
//
// If the process is near its memory limit ([debug.SetMemoryLimit]), Take collects garbage before a large job. On a busy machine a large
// job makes garbage faster than the collector frees it, and a control group counts garbage too. Take assumes that every other job will
// use all bytes that it has taken, even if the job has not allocated them yet. If the process is far above the limit, Take waits some
// seconds for memory and then returns ErrNoRoom.
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

// room() collects garbage until the process has enough memory for the running jobs. After roomTries collections it returns ErrNoRoom. If
// ctx ends first, it returns the error of ctx.
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

// over() returns the number of bytes by which n more bytes would exceed the memory limit. It is negative if there is room.
func over(n int64) int64 { return taken() - debug.SetMemoryLimit(-1) + n }

// taken() returns the memory that Go uses, in bytes. Garbage is counted too.
func taken() int64 {
	of := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(of)
	return int64(of[0].Value.Uint64() - of[1].Value.Uint64() - of[2].Value.Uint64())
}

// Try takes n bytes if they are free and no other job waits. It returns false if it has not taken the bytes.
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
