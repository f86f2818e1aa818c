// Package provider brings values from outside into the dashboard: the interface of a source, the form of its values,
// and the manager that keeps sources running.
//
// A [Provider] runs in its own goroutine and publishes into a [Cell]. A widget loads the cell's latest [Sample] without ever
// waiting. The [Manager] starts and stops providers. When the configuration changes, it keeps the providers whose definition stays
// the same, with their last value.
package provider

import (
	"context"
	"time"

	"dashboard/internal/pause"
)

// StaleIntervals is the age, in promised intervals, at which a value counts as stale: one interval for the pause itself, one for a
// fetch that was retried, and one for a slow source. With fewer, healthy widgets would sometimes be dimmed.
const StaleIntervals = 3

// A Sample is the state of a source at one moment. It is immutable once published. No code may change it or anything that its Value
// refers to.
type Sample struct {
	Value    any           // last good value. Undefined while Seq is 0, because a good value may be nil, JSON's null
	Err      error         // error of the latest attempt; nil after a success
	At       time.Time     // arrival of Value, or zero
	Tried    time.Time     // end of the latest attempt
	Failing  time.Time     // time of the first failure since the last success; zero if the latest attempt succeeded
	Interval time.Duration // promised time between values; 0 = the value never becomes stale
	Seq      uint64        // increased by one with each good value; 0 = no value yet
}

// Has reports whether there was a good value at any time.
func (s *Sample) Has() bool { return s.Seq > 0 }

// Stale reports whether the value is older than [StaleIntervals] promised intervals. A sample that never had a value,
// or whose source promised nothing, is not stale.
func (s *Sample) Stale(now time.Time) bool {
	at, ok := s.StaleAt()
	return ok && now.After(at)
}

// StaleAt returns the time at which the value becomes stale. ok is false if it never does. A sleeping loop wakes at that time.
func (s *Sample) StaleAt() (time.Time, bool) {
	if s.Seq == 0 || s.Interval <= 0 {
		return time.Time{}, false
	}
	return s.At.Add(StaleIntervals * s.Interval), true
}

// A Provider is a source of values.
type Provider interface {
	// Run publishes values and failures in the cell until ctx ends, and then returns with nothing left running. If the source
	// cannot be reached, Run calls [Cell.Fail] and does not return. A Run that returns or panics before ctx ends is started again
	// after a pause.
	Run(ctx context.Context, cell *Cell) error
}

// A Kinder is a provider that returns its type ("rest", "system", "sun") for status pages.
type Kinder interface {
	Kind() string
}

// A Settler is a provider that computes its values from others', some time after those have arrived.
type Settler interface {
	// Settled reports whether the published value was computed from the newest values.
	Settled() bool
}

// Keyed is a provider whose values are mappings with keys that are known before it runs.
type Keyed interface {
	// Keys lists all possible keys, in the order of the reference.
	Keys() []string
}

// A Made is a provider of a value that is computed from other values. If it is visible, the other values count as visible too.
type Made interface {
	// From returns the cells of those values. They are always the same.
	From() []*Cell
}

// Sleep waits for d or until ctx ends. It returns false if ctx ended first.
func Sleep(ctx context.Context, d time.Duration) bool {
	return pause.For(ctx, d) == nil
}
