// Package provider brings values from outside into the dashboard: the interface of a source, the form of its values,
// and the manager that keeps sources running.
//
// A [Provider] runs in its own goroutine and publishes into a [Cell]. A widget loads the cell's latest [Sample] without
// ever waiting. The [Manager] starts and stops providers, and carries those whose definition did not change from one
// configuration to the next together with their last value.
package provider

import (
	"context"
	"time"
)

// StaleIntervals is how many promised intervals a value may be old before it counts as stale: one for the pause itself,
// one for a fetch that was retried, one for a slow source. Fewer would dim healthy widgets now and then.
const StaleIntervals = 3

// A Sample is the state of a source at one moment. It is immutable once published: no code may change it or anything
// its Value refers to.
type Sample struct {
	Value    any           // last good value; meaningless while Seq is 0 (a good value may itself be nil, JSON's null)
	Err      error         // of the latest attempt; nil if that was good
	At       time.Time     // when Value came; zero if never
	Tried    time.Time     // when the latest attempt ended
	Failing  time.Time     // when the first of the attempts failed that failed since the last good one; zero if the latest was good
	Interval time.Duration // promised time between values; 0 = the value never becomes stale
	Seq      uint64        // rises by one with each good value; 0 = none yet
}

// Has reports whether there ever was a good value.
func (s *Sample) Has() bool { return s.Seq > 0 }

// Stale reports whether the value is older than [StaleIntervals] promised intervals. A sample that never had a value,
// or whose source promised nothing, is not stale.
func (s *Sample) Stale(now time.Time) bool {
	at, ok := s.StaleAt()
	return ok && now.After(at)
}

// StaleAt is the moment after which the value is stale, or false if that never happens. A sleeping loop wakes then.
func (s *Sample) StaleAt() (time.Time, bool) {
	if s.Seq == 0 || s.Interval <= 0 {
		return time.Time{}, false
	}
	return s.At.Add(StaleIntervals * s.Interval), true
}

// A Provider is a source of values.
type Provider interface {
	// Run publishes values and failures into the cell until ctx ends, then returns with nothing left running.
	// Failing to reach the source is no reason to return: that is what [Cell.Fail] is for. A Run that returns or
	// panics before ctx ends is started again after a pause.
	Run(ctx context.Context, cell *Cell) error
}

// A Kinder is a provider that can name its type ("rest", "system", "sun") for status pages.
type Kinder interface {
	Kind() string
}

// A Settler is a provider that makes its values of others', or something like them, some time after those are there.
type Settler interface {
	// Settled reports whether the published value is made of the newest values.
	Settled() bool
}

// Keyed is a provider whose values are mappings with keys that are known before it runs.
type Keyed interface {
	// Keys lists all that it may ever give, in the order of the reference.
	Keys() []string
}

// A Made is a provider of a value that is made of other values: a viewer of it is a viewer of them.
type Made interface {
	// From are the cells of those values. They are always the same.
	From() []*Cell
}

// Sleep waits for d, or until ctx ends. It reports whether the whole time has passed.
func Sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
