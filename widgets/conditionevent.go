package widgets

import (
	"time"

	"dashboard/config/value"
	"dashboard/render"
)

// eventRule is the part of a condition that is about an event of a calendar. A nil rule always holds.
type eventRule struct {
	events *events
	lead   time.Duration
}

// eventRule asks for the calendars of a rule with an event.
func (b *Builder) eventRule(s *Spec, r *value.Rule) *eventRule {
	if r.Event == "" {
		return nil
	}
	p := Picking{Provider: r.Provider}
	if r.Calendar != "" {
		p.Calendars = []string{r.Calendar}
	}
	return &eventRule{b.events(s, &p, eventChoice{match: globOf(r.Event)}, true), time.Duration(r.Lead)}
}

// holds reports whether such an event is under way, or begins within the lead, and has the widget called when that may change.
func (c *eventRule) holds(t render.Tick) bool {
	if c == nil {
		return true
	}
	c.events.update(t)
	now, held := t.Now(), false
	for _, e := range c.events.list {
		from, to := e.Start.Add(-c.lead), e.End
		if !to.After(e.Start) {
			to = e.Start.Add(time.Minute)
		}
		if !to.After(now) {
			continue
		}
		if from.After(now) {
			t.Wake(from)
			break // the others begin later
		}
		held = true
		t.Wake(to)
	}
	return held
}
