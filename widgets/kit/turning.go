package kit

import (
	"time"

	"dashboard/config/value"
	"dashboard/internal/localtime"
)

// farthestTurn is the longest time ahead that is searched: a week, and one day more, because today's start may be over.
const farthestTurn = 8 * 24 * time.Hour

// mostEdges is the maximum number of edges that are tried.
const mostEdges = 500

// edge returns the next time at which the clock alone may change the condition, or zero if it never does.
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
		at = soonest(soonest(at, now, c.edgeOf(w, local.AddDate(0, 0, -1), now)), now, c.edgeOf(w, local, now))
	}
	return at
}

// edgeOf returns the next start or end after now of the window that starts on a day.
func (c *When) edgeOf(w value.Window, day, now time.Time) time.Time {
	from, to, ok := w.On(day, c.sun)
	if !ok {
		return time.Time{}
	}
	return soonest(soonest(time.Time{}, now, from), now, to)
}

// soonest returns the earlier of two times. It ignores other if it is not after now, and at if it is zero.
func soonest(at, now, other time.Time) time.Time {
	if other.After(now) && (at.IsZero() || other.Before(at)) {
		return other
	}
	return at
}

// turns returns the next time at which the result of the condition changes if no value changes, or zero if no such time is known.
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

// A NextTurn caches the time at which the result of a condition changes.
type NextTurn struct {
	Of    *When
	at    time.Time
	held  bool
	asked time.Time
}

// turnsAgain is the maximum age of a cached result, because a calendar may have changed.
const turnsAgain = time.Minute

// Next returns the time at which the result of the condition changes, after an update at now.
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
