package kit

import (
	"time"

	"dashboard/config/value"
	"dashboard/internal/localtime"
)

// farthestTurn is how far ahead to look for a change by the clock: a week, and a day more for one that begins at this
// hour.
const farthestTurn = 8 * 24 * time.Hour

// mostEdges bounds how many edges are tried for it.
const mostEdges = 500

// edge is the next moment at which the clock alone may change the condition, or zero if it never does.
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

// edgeOf is the beginning or the end after a moment of the window that begins on a day.
func (c *When) edgeOf(w value.Window, day, now time.Time) time.Time {
	from, to, ok := w.On(day, c.sun)
	if !ok {
		return time.Time{}
	}
	return soonest(soonest(time.Time{}, now, from), now, to)
}

// soonest is the earlier of two moments. The second counts if it is after now, and a zero one does not count.
func soonest(at, now, other time.Time) time.Time {
	if other.After(now) && (at.IsZero() || other.Before(at)) {
		return other
	}
	return at
}

// turns is the next moment at which the condition begins or ends to hold if no value changes, zero if no such moment is
// known.
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

// A NextTurn is when a condition turns, looked for again when it may be another time.
type NextTurn struct {
	Of    *When
	at    time.Time
	held  bool
	asked time.Time
}

// turnsAgain is how long a result is used at most, because a calendar may have changed.
const turnsAgain = time.Minute

// Next is when the condition turns, as of an update at now.
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
