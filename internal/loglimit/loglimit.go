// Package loglimit lets few of many lines into a log if outside events decide their number.
package loglimit

import (
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// How many lines a Limit lets through: lasting, and at once.
const (
	PerSecond = 2
	AtOnce    = 20
)

// A Limit bounds lines of one kind. Its methods may be called from any goroutine.
type Limit struct {
	rate   *rate.Limiter
	untold atomic.Int64
}

// New returns a Limit that has let nothing through yet.
func New() *Limit { return &Limit{rate: rate.NewLimiter(PerSecond, AtOnce)} }

// Next reports whether a line may be written at a time, and returns its fields: those given and, if lines before it were not
// written, how many, as untold_before.
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
