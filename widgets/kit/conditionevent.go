package kit

import (
	"time"

	"dashboard/config/value"
	"dashboard/provider/calendar"
	"dashboard/render"
)

// eventRule is the part of a condition that depends on the events of a calendar. A nil rule is always true.
type eventRule struct {
	events *Events
	lead   time.Duration
}

// eventRule requests the calendars of a rule that depends on events.
func (b *Builder) eventRule(s *Spec, r *value.Rule) *eventRule {
	if r.Event == "" {
		return nil
	}
	p := Picking{Provider: r.Provider}
	if r.Calendar != "" {
		p.Calendars = []string{r.Calendar}
	}
	return &eventRule{b.Events(s, &p, EventChoice{Match: GlobOf(r.Event)}, true), time.Duration(r.Lead)}
}

// update loads new events.
func (c *eventRule) update(t render.Tick) {
	if c != nil {
		c.events.Update(t)
	}
}

// holds() reports whether a matching event takes place now or starts within the lead time.
func (c *eventRule) holds(now time.Time) bool {
	if c == nil {
		return true
	}
	for _, e := range c.events.List {
		from, to := c.span(e)
		if from.After(now) {
			break // the list is sorted, so the other events start later
		}
		if to.After(now) {
			return true
		}
	}
	return false
}

// span() returns the range of times in which an event makes the rule true.
func (c *eventRule) span(e *calendar.Event) (from, to time.Time) {
	to = e.End
	if !to.After(e.Start) {
		to = e.Start.Add(time.Minute)
	}
	return e.Start.Add(-c.lead), to
}

// edge() returns the next time after `now` at which a span starts or ends, or the zero time if there is no such time.
func (c *eventRule) edge(now time.Time) (at time.Time) {
	if c == nil {
		return at
	}
	for _, e := range c.events.List {
		from, to := c.span(e)
		if from.After(now) {
			return soonest(at, now, from)
		}
		at = soonest(at, now, to)
	}
	return at
}
