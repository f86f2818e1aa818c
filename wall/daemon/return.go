package daemon

import (
	"context"
	"runtime/debug"
	"time"

	"dashboard/internal/pause"
)

const (
	// startTime is the time after which a start has ended, with its requests and its first frames.
	startTime = 10 * time.Second
	// returnEvery is the interval in which Go collects garbage anyway.
	returnEvery = 2 * time.Minute
)

// ReturnMemory returns unused memory to the system until ctx ends. Otherwise, Go would keep the memory that only the start needed, or that
// a busy moment needed for one more frame. The program's pages that only the start needed are returned too.
func ReturnMemory(ctx context.Context) {
	for after := startTime; pause.For(ctx, after) == nil; after = returnEvery {
		debug.FreeOSMemory()
		if after == startTime {
			returnFiles()
		}
	}
}
