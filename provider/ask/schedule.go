package ask

import (
	"context"
	"iter"
	"math/rand/v2"
	"time"

	"dashboard/config/value"
	"dashboard/provider"
)

// lookMost bounds the pause between two checks of the clock for times of day. Within this time, a clock that was set, or a machine
// that slept, is noticed.
const lookMost = time.Minute

// retryMost is the longest pause after a failure if there are times of day, because the next time may be a day away.
const retryMost = 10 * time.Minute

// day is the promised interval of values at times of day.
const day = 24 * time.Hour

// A Schedule sets when an address is requested: at intervals, or at times of day.
type Schedule struct {
	Interval time.Duration // pause between two successful requests
	Times    []value.Clock // times instead of Interval; nil for none
	Jitter   time.Duration // greatest random addition
	Location *time.Location
	Sun      value.Sun `json:"-"` // returns sunrise and sunset. May be called at any time
	WhenSeen bool      // request only while the value is visible
}

// Run makes an attempt at each scheduled time until ctx ends, and publishes the results.
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
				r.Outcome = provider.Failed // the next time of day may be far away
			}
		}
		return r
	})
}

// poll is the loop that makes the scheduled requests.
func (s *Schedule) poll() provider.Poll {
	if len(s.Times) == 0 {
		return provider.Poll{Interval: s.Interval, Jitter: s.Jitter, Promise: true, WhenSeen: s.WhenSeen}
	}
	return provider.Poll{Interval: day, Promise: true, WhenSeen: s.WhenSeen, RetryMost: retryMost, Next: func(now time.Time) time.Time { return now.Add(lookMost) }}
}

// A clock records the time of the latest request on a schedule.
type clock struct {
	*Schedule
	asked  time.Time     // time of day of the latest attempt
	failed bool          // the last attempt failed
	late   time.Duration // random delay after the time of day this time
}

// due reports whether a time of day has passed since the latest attempt. If the clock was set back, due returns true.
func (c *clock) due(now time.Time) bool {
	if len(c.Times) == 0 || c.failed || c.asked.IsZero() {
		return true
	}
	now = now.Round(0)
	return now.Before(c.asked) || c.latest(now.Add(-c.late)).After(c.asked)
}

// done records an attempt.
func (c *clock) done(now time.Time, failed bool) {
	c.asked, c.failed, c.late = now.Round(0), failed, 0
	if c.Jitter > 0 {
		c.late = rand.N(c.Jitter + 1)
	}
}

// latest returns the newest time of day that is not after now. If a time occurs twice, it is the first one. A time that does not
// occur is computed with the offset before the clocks changed.
func (c *clock) latest(now time.Time) time.Time {
	var best time.Time
	for at := range c.around(now, -2, 1) {
		if !at.After(now) && at.After(best) {
			best = at
		}
	}
	return best
}

// After returns the first time of day after now. If there is none in the coming days, as for a sun that does not set, it returns a
// time one day later.
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

// around yields the times of the days from from to to, relative to the day of now. Times relative to the sun may lie on the day
// before or after.
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
