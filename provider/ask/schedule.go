package ask

import (
	"context"
	"iter"
	"math/rand/v2"
	"time"

	"dashboard/config/value"
	"dashboard/provider"
)

// lookMost is the maximum time between two checks of the clock in a schedule with times of day. A changed clock, or the end of the
// machine's sleep, is noticed within this time.
const lookMost = time.Minute

// retryMost is the maximum pause after a failure in a schedule with times of day. Without this limit, a retry could be a day away.
const retryMost = 10 * time.Minute

// day is the value of Poll.Interval for a provider with times of day. This interval decides when values become stale.
const day = 24 * time.Hour

// A Schedule decides when an address is requested: at intervals, or at times of day.
type Schedule struct {
	Interval time.Duration // pause after a successful request
	Times    []value.Clock // times of day instead of Interval, or nil
	Jitter   time.Duration // maximum of a random time that is added to each pause and time of day
	Location *time.Location
	Sun      value.Sun `json:"-"` // returns sunrise and sunset at the wall's location; nil if the location is unknown
	WhenSeen bool      // whether requests are sent only while the value is visible
}

// Run calls `try` at each time of the schedule until ctx ends, and publishes the results.
func (s *Schedule) Run(ctx context.Context, cell *provider.Cell, try func(context.Context) provider.Result) error {
	c, poll := clock{Schedule: s}, s.poll()
	return poll.Run(ctx, cell, func(ctx context.Context, _ bool) provider.Result {
		if !c.due(time.Now()) {
			return provider.Result{Outcome: provider.Nothing}
		}
		r := try(ctx)
		c.done(time.Now(), r.Err != nil)
		if len(s.Times) > 0 {
			if r.Next = 0; r.Outcome == provider.Refused {
				r.Outcome = provider.Failed // the next time of day may be far away, so retry earlier
			}
		}
		return r
	})
}

// poll returns a loop that follows the schedule.
func (s *Schedule) poll() provider.Poll {
	if len(s.Times) == 0 {
		return provider.Poll{Interval: s.Interval, Jitter: s.Jitter, Promise: true, WhenSeen: s.WhenSeen}
	}
	return provider.Poll{Interval: day, Promise: true, WhenSeen: s.WhenSeen, RetryMost: retryMost, Next: func(now time.Time) time.Time { return now.Add(lookMost) }}
}

// A clock records the latest attempt of a schedule.
type clock struct {
	*Schedule
	asked  time.Time     // wall clock time of the latest attempt
	failed bool          // whether the latest attempt failed
	late   time.Duration // random delay that is added to the next time of day
}

// due() reports whether an attempt is due. With times of day, the first attempt is due at once. A later attempt is due if a time of day
// has passed since the latest attempt, if the latest attempt failed, or if the clock was set back. Without times of day, an attempt is
// always due.
func (c *clock) due(now time.Time) bool {
	if len(c.Times) == 0 || c.failed || c.asked.IsZero() {
		return true
	}
	now = now.Round(0)
	return now.Before(c.asked) || c.latest(now.Add(-c.late)).After(c.asked)
}

// done() records an attempt and chooses the next random delay.
func (c *clock) done(now time.Time, failed bool) {
	c.asked, c.failed, c.late = now.Round(0), failed, 0
	if c.Jitter > 0 {
		c.late = rand.N(c.Jitter + 1)
	}
}

// latest() returns the last time of day that is not after `now`. A time that occurs twice when clocks are set back counts at its first
// occurrence. If clocks are set forward, a skipped time uses the old offset: 02:30 becomes 03:30.
func (c *clock) latest(now time.Time) time.Time {
	var best time.Time
	for at := range c.around(now, -2, 1) {
		if !at.After(now) && at.After(best) {
			best = at
		}
	}
	return best
}

// After returns the first time of day after `now`. If the next days have no such time, for example because the sun does not set, it returns
// `now` plus 24 hours.
func (s *Schedule) After(now time.Time) (first time.Time) {
	for at := range s.around(now, -1, 2) {
		if at.After(now) && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	if first.IsZero() {
		return now.Add(day)
	}
	return first
}

// around() yields the times of day of several days. `from` and `to` are the first and the last day, relative to `now`: -1 is yesterday. A
// time relative to the sun can fall on the day before or after its own day.
func (s *Schedule) around(now time.Time, from, to int) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		y, m, d := now.In(s.Location).Date()
		for i := from; i <= to; i++ {
			noon := time.Date(y, m, d+i, 12, 0, 0, 0, s.Location)
			for _, t := range s.Times {
				if at, ok := t.On(noon, s.Sun); ok && !yield(at) {
					return
				}
			}
		}
	}
}
