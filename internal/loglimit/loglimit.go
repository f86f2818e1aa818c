// Package loglimit limits the number of log lines that outside events can cause.
package loglimit

import (
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// Rates at which a Limit allows lines: PerSecond lines in each second, and AtOnce lines in a burst.
const (
	PerSecond = 2
	AtOnce    = 20
)

// A Limit limits the log lines of one kind. Its methods may be called from any goroutine.
type Limit struct {
	rate   *rate.Limiter
	untold atomic.Int64
}

// New returns a Limit that has not counted any line yet.
func New() *Limit { return &Limit{rate: rate.NewLimiter(PerSecond, AtOnce)} }

// Next reports whether a line may be written at the given time. If ok is true, the result `all` contains the fields of the line. If
// earlier lines were dropped, `all` also contains the number of these lines under the name untold_before.
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
