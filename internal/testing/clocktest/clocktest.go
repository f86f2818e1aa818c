// Package clocktest sets the clock of a test as the network sets a machine's clock: the time of day jumps, and the
// monotonic clock, by which a program waits and measures, continues.
package clocktest

import (
	"time"
	"unsafe"
)

// reading is the memory of a time.Time, whose monotonic reading nothing else lets a test keep apart from the time of day.
type reading struct {
	wall uint64 // bit 63: ext is monotonic, and bits 62 to 30 are the seconds since 1885. Bits 29 to 0 are nanoseconds
	ext  int64
	loc  *time.Location
}

const (
	hasMonotonic = 1 << 63
	secondShift  = 30
)

// Set returns now on a clock that was moved by some seconds since: the same moment by the monotonic clock, if now has
// one.
func Set(now time.Time, by time.Duration) time.Time {
	r := (*reading)(unsafe.Pointer(&now))
	if r.wall&hasMonotonic == 0 {
		return now.Add(by)
	}
	r.wall += uint64(by/time.Second) << secondShift
	return now
}
