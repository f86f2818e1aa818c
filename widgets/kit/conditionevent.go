package kit

import (
	"time"

	"dashboard/config/value"
	"dashboard/provider/calendar"
	"dashboard/render"
)

// eventRule is the part of a condition about an event of a calendar. A nil rule always holds.
type eventRule struct {
	events *Events
	lead   time.Duration
}

// eventRule requests the calendars of a rule with an event.
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

// holds reports whether a matching event is under way, or starts within the lead.
func (c *eventRule) holds(now time.Time) bool {
	if c == nil {
		return true
	}
	for _, e := range c.events.List {
		from, to := c.span(e)
		if from.After(now) {
			break // the others start later
		}
		if to.After(now) {
			return true
		}
	}
	return false
}

// span returns the time range in which the rule holds for an event.
func (c *eventRule) span(e *calendar.Event) (from, to time.Time) {
	to = e.End
	if !to.After(e.Start) {
		to = e.Start.Add(time.Minute)
	}
	return e.Start.Add(-c.lead), to
}

// edge returns the next start or end of a span after now, or zero.
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
