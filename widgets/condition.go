package widgets

import (
	"slices"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/internal/localtime"
	"dashboard/render"
)

// condition is whether something holds. A nil condition always does.
type condition struct {
	always  bool
	program *input
	any     []*condition
	rule    *value.Rule
	value   input
	event   *eventRule // nil always holds
	sun     value.Sun
	loc     *time.Location
	timeSet func() bool
}

// condition makes what a condition of the file says.
func (b *Builder) condition(s *Spec, c *value.Condition) *condition {
	if c == nil {
		return nil
	}
	outer := b.watch
	b.watch = nil // what a condition asks for is no value of the widget
	defer func() { b.watch = outer }()
	x := &condition{always: c.Always, rule: c.Rule, sun: b.Sun, loc: b.Location, timeSet: b.TimeSet}
	switch {
	case c.Program != nil:
		x.program = &input{cell: b.cellOf(s, c.Program)}
	case c.Rule != nil:
		x.event = b.eventRule(s, c.Rule)
		x.value = inputOf(b, s, b.compared(c.Rule), func(p value.Plain) any { return p.Value })
	}
	for i := range c.Any {
		x.any = append(x.any, b.condition(s, &c.Any[i]))
	}
	return x
}

// compared is the value that a rule is about: one that is written, or an entity's state. There is one for each rule, however often
// its widget is built.
func (b *Builder) compared(r *value.Rule) *config.Live[value.Plain] {
	if r.Value == nil && r.Entity != nil {
		t := Thing{Entity: r.Entity, Provider: r.Provider}
		fill(&t, &r.Value, stateCode)
	}
	return r.Value
}

// holds brings the condition to now and reports whether it holds; what has no value yet does not.
func (c *condition) holds(t render.Tick) bool {
	switch {
	case c == nil:
		return true
	case c.program != nil:
		c.program.update(t)
		v, ok := c.program.value()
		return ok && truth(v)
	case len(c.any) > 0:
		held := false
		for _, x := range c.any {
			held = x.holds(t) || held // all are asked, so that each says when it changes
		}
		return held
	case c.rule != nil:
		return c.ruleHolds(t)
	}
	return c.always
}

// truth is what a value means by itself.
func truth(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return !slices.Contains([]string{"", "0", "false", "no", "off", "unavailable", "unknown"}, strings.ToLower(strings.TrimSpace(v)))
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	n, ok := numberOf(v)
	return !ok || n != 0
}

func (c *condition) ruleHolds(t render.Tick) bool {
	now := t.Now().In(c.loc)
	inTime := c.event.holds(t) && c.inTime(t, now)
	if !c.value.written() {
		return inTime
	}
	c.value.update(t)
	v, ok := c.value.value()
	return inTime && ok && c.compare(v)
}

// compare holds a value against what the rule asks for.
func (c *condition) compare(v any) bool {
	r := c.rule
	if len(r.Is) == 0 && len(r.Not) == 0 && r.Above == nil && r.Below == nil {
		return truth(v)
	}
	text := plainText(v)
	n, isNum := numberOf(v)
	same := func(w string) bool {
		if w == text {
			return true
		}
		other, ok := numberOf(w)
		return isNum && ok && n == other
	}
	switch {
	case len(r.Is) > 0 && !slices.ContainsFunc(r.Is, same), slices.ContainsFunc(r.Not, same):
		return false
	case r.Above != nil && (!isNum || n < *r.Above), r.Below != nil && (!isNum || n >= *r.Below):
		return false
	}
	return true
}

// inTime reports whether the moment is in the rule's days, windows and dates, and has the widget called when that may
// change.
func (c *condition) inTime(t render.Tick, now time.Time) bool {
	r := c.rule
	if r.Days == nil && len(r.Times) == 0 && len(r.Dates) == 0 {
		return true
	}
	if !c.timeSet() {
		return false // everything is painted when it is
	}
	t.Wake(localtime.NextDay(now))
	in := len(r.Times) == 0 && c.onDay(now)
	for _, w := range r.Times {
		held, yesterday := w.Holds(now, c.sun)
		day := now
		if yesterday {
			day = now.AddDate(0, 0, -1)
		}
		in = in || held && c.onDay(day)
		for _, d := range []time.Time{now.AddDate(0, 0, -1), now} {
			if from, to, ok := w.On(d, c.sun); ok {
				wakeAfter(t, now, from)
				wakeAfter(t, now, to)
			}
		}
	}
	return in
}

func wakeAfter(t render.Tick, now, at time.Time) {
	if at.After(now) {
		t.Wake(at)
	}
}

// onDay reports whether a day is one of the rule's days and dates.
func (c *condition) onDay(day time.Time) bool {
	r := c.rule
	if r.Days != nil && !r.Days.Has(day.Weekday()) {
		return false
	}
	return len(r.Dates) == 0 || slices.ContainsFunc(r.Dates, func(s value.Span) bool { return s.Holds(day) })
}
