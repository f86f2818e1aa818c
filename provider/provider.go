// Package provider brings values from outside into the dashboard. It defines the interface of a source and the form of its values, and it
// has the manager that keeps sources running.
//
// A [Provider] runs in its own goroutine and publishes into a [Cell]. A widget loads the cell's latest [Sample] and never waits. The
// [Manager] starts and stops providers. When the configuration changes, providers whose definition stays the same continue with their
// last value.
package provider

import (
	"context"
	"time"

	"dashboard/internal/pause"
)

// StaleIntervals is the age at which a value becomes stale, in promised intervals. One interval is for the pause itself, one is for a
// retry, and one is for a slow source. With fewer intervals, the widgets of a healthy source would sometimes be dimmed.
const StaleIntervals = 3

// A Sample is the state of a source at one time. It is immutable after it was published. No code may change it or anything to which Value
// refers.
type Sample struct {
	Value    any           // last good value; valid only if Seq is above 0, because a good value may be nil (null in JSON)
	Err      error         // error of the latest attempt; nil after a success
	At       time.Time     // time at which Value arrived, or zero
	Tried    time.Time     // end of the latest attempt
	Failing  time.Time     // time of the first failure since the last success; zero if the latest attempt succeeded
	Interval time.Duration // interval that the source promises; 0: the value never becomes stale
	Seq      uint64        // number of good values so far
	staleAt  *time.Time    // result of StaleAt, which a cell computes once; nil for a sample that no cell has published
}

// Has reports whether the source has ever had a good value.
func (s *Sample) Has() bool { return s.Seq > 0 }

// Stale reports whether the value is older than [StaleIntervals] promised intervals. It returns false if there is no value or no promised
// interval.
func (s *Sample) Stale(now time.Time) bool {
	at := s.StaleAt()
	return at != nil && now.After(*at)
}

// StaleAt returns the time at which the value becomes stale. A loop that draws the value must wake up at this time, to draw the value as
// stale. The result is nil if the value never becomes stale.
func (s *Sample) StaleAt() *time.Time {
	switch {
	case s.staleAt != nil:
		return s.staleAt
	case s.Seq == 0 || s.Interval <= 0:
		return nil
	}
	at := s.At.Add(StaleIntervals * s.Interval)
	return &at
}

// A Provider is a source of values.
type Provider interface {
	// Run publishes values and failures in the cell until ctx ends. Run then returns and leaves nothing running. If the source is
	// unavailable, Run calls [Cell.Fail] and does not return. If Run returns or panics before ctx ends, Run is started again after a
	// pause.
	Run(ctx context.Context, cell *Cell) error
}

// A Kinder is a provider that returns its type, such as "rest", "system" or "sun", for status pages.
type Kinder interface {
	Kind() string
}

// A Settler is a provider that computes its value from other values, some time after they have arrived.
type Settler interface {
	// Settled reports whether the published value was computed from the newest values.
	Settled() bool
}

// A Keyed is a provider of mappings whose keys are known before it runs.
type Keyed interface {
	// Keys lists all possible keys, in the order of the reference.
	Keys() []string
}

// A Made is a provider of a value that is computed from other values. While its value is visible, the other values count as visible too.
type Made interface {
	// From returns the cells of the other values. The result must not change.
	From() []*Cell
}

// Sleep waits for d or until ctx ends. It returns false if ctx has ended.
func Sleep(ctx context.Context, d time.Duration) bool {
	return pause.For(ctx, d) == nil
}
