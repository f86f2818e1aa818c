// Package clocktest changes a time.Time as if a time server had set the machine's clock. The time of day jumps. The monotonic clock, with
// which a program waits and measures, continues.
package clocktest

import (
	"time"
	"unsafe"
)

// reading has the memory layout of a time.Time. Package time has no function that changes the time of day and keeps the monotonic
// reading.
type reading struct {
	wall uint64 // bit 63: ext is monotonic, and bits 62 to 30 are the seconds since 1885. Bits 29 to 0 are nanoseconds
	ext  int64
	loc  *time.Location
}

const (
	hasMonotonic = 1 << 63
	secondShift  = 30
)

// Set returns a copy of `now` with a later time of day, as if the clock was set forward. The parameter `by` is the difference, in whole
// seconds. If `now` has a monotonic reading, the reading stays the same.
func Set(now time.Time, by time.Duration) time.Time {
	r := (*reading)(unsafe.Pointer(&now))
	if r.wall&hasMonotonic == 0 {
		return now.Add(by)
	}
	r.wall += uint64(by/time.Second) << secondShift
	return now
}
