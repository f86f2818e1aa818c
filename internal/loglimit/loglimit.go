// Package loglimit limits the number of log lines that outside events can cause.
package loglimit

import (
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// Lines that a Limit lets through: PerSecond continuously, and AtOnce in a burst.
const (
	PerSecond = 2
	AtOnce    = 20
)

// A Limit bounds the log lines of one kind. Its methods may be called from any goroutine.
type Limit struct {
	rate   *rate.Limiter
	untold atomic.Int64
}

// New returns a Limit that has let nothing through yet.
func New() *Limit { return &Limit{rate: rate.NewLimiter(PerSecond, AtOnce)} }

// Next reports whether a line may be written at a time, and returns its fields. If earlier lines were dropped, the field
// untold_before has their number.
func (l *Limit) Next(now time.Time, fields ...any) (all []any, ok bool) {
	if !l.rate.AllowN(now, 1) {
		l.untold.Add(1)
		return nil, false
	}
	if n := l.untold.Swap(0); n > 0 {
		fields = append(fields, "untold_before", n)
	}
	return fields, true
}
