package kit

import (
	"time"

	"dashboard/internal/localtime"
)

// farthestTurn is the period in which turns() searches for a change. A rule for one weekday can need more than a week, because the time
// window of today may already be over.
const farthestTurn = 8 * 24 * time.Hour

// mostEdges is the maximum number of future clock times that turns() tests.
const mostEdges = 500

// edge() returns the next time at which the clock may change the result of the condition, or the zero time if there is no such time.
func (c *When) edge(now time.Time) (at time.Time) {
	for _, x := range c.any {
		at = soonest(at, now, x.edge(now))
	}
	if c.rule == nil {
		return at
	}
	at = soonest(at, now, c.event.edge(now))
	if !c.timed() || !c.timeSet() {
		return at
	}
	local := now.In(c.loc)
	at = soonest(at, now, localtime.NextDay(local))
	for _, w := range c.rule.Times {
		at = soonest(at, now, w.Next(local, c.sun))
	}
	return at
}

// soonest() returns the earlier of the times `at` and `other`. If `at` is zero, it returns `other`. If `other` is not after `now`, it
// returns `at`.
func soonest(at, now, other time.Time) time.Time {
	if other.After(now) && (at.IsZero() || other.Before(at)) {
		return other
	}
	return at
}

// turns() returns the next time at which the condition's result changes, if all values stay the same. It returns zero if no such time is
// found.
func (c *When) turns(now time.Time) time.Time {
	if c == nil {
		return time.Time{}
	}
	held := c.at(now)
	for n, at := 0, c.edge(now); n < mostEdges && !at.IsZero() && at.Sub(now) <= farthestTurn; n, at = n+1, c.edge(at) {
		if c.at(at) != held {
			return at
		}
	}
	return time.Time{}
}

// A NextTurn caches the next time at which the result of a condition changes.
type NextTurn struct {
	Of    *When
	at    time.Time
	held  bool
	asked time.Time
}

// turnsAgain is the maximum age of a cached time. An older time is computed again, because events of a calendar may have changed.
const turnsAgain = time.Minute

// Next returns the next time at which the result of the condition changes. The condition must have been updated at `now`.
func (x *NextTurn) Next(now time.Time) time.Time {
	if x.Of == nil {
		return time.Time{}
	}
	held := x.Of.at(now)
	if old := now.Sub(x.asked); held != x.held || old < 0 || old >= turnsAgain || !x.at.IsZero() && !now.Before(x.at) {
		*x = NextTurn{x.Of, x.Of.turns(now), held, now}
	}
	return x.at
}
