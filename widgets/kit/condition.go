package kit

import (
	"slices"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
	"dashboard/widgets/kit/format"
)

// When is a configured condition. A nil condition is always true.
type When struct {
	always  bool
	program *Input
	any     []*When
	rule    *value.Rule
	value   Input
	event   *eventRule // nil if the rule does not depend on an event
	sun     value.Sun
	loc     *time.Location
	timeSet func() bool
}

// When creates a When for a condition of the file. If c is nil, it returns nil.
func (b *Builder) When(s *Spec, c *value.Condition) *When {
	if c == nil {
		return nil
	}
	outer := b.watch
	b.watch = nil // the values of the condition do not count as values that the widget shows
	defer func() { b.watch = outer }()
	x := &When{always: c.Always, rule: c.Rule, sun: b.Sun, loc: b.Location, timeSet: b.TimeSet}
	switch {
	case c.Program != nil:
		x.program = &Input{Cell: b.CellOf(s, c.Program)}
	case c.Rule != nil:
		x.event = b.eventRule(s, c.Rule)
		x.value = InputOf(b, s, b.compared(c.Rule), func(p value.Plain) any { return p.Value })
	}
	for i := range c.Any {
		x.any = append(x.any, b.When(s, &c.Any[i]))
	}
	return x
}

// compared() returns the value that a rule compares: the configured value or the state of an entity. The value is created once for each
// rule, even if the widget is built several times.
func (b *Builder) compared(r *value.Rule) *config.Live[value.Plain] {
	if r.Value == nil && r.Entity != nil {
		t := Thing{Entity: r.Entity, Provider: r.Provider}
		Fill(&t, &r.Value, StateCode)
	}
	return r.Value
}

// Holds updates the condition and reports whether it is true. It requests an update for the next time at which the clock may change the
// result. If the value of a part of the condition is missing, this part is false.
func (c *When) Holds(t render.Tick) bool {
	if c == nil {
		return true
	}
	c.update(t)
	if at := c.edge(t.Now()); !at.IsZero() {
		t.Wake(at)
		t.Due(at)
	}
	return c.at(t.Now())
}

// update loads new values of the condition.
func (c *When) update(t render.Tick) {
	switch {
	case c.program != nil:
		c.program.Update(t)
	case c.rule != nil:
		c.event.update(t)
		if c.value.written() {
			c.value.Update(t)
		}
	}
	for _, x := range c.any {
		x.update(t)
	}
}

// at() reports whether the condition is true at a time, with the values of the last update.
func (c *When) at(now time.Time) bool {
	switch {
	case c.program != nil:
		v, ok := c.program.Value()
		return ok && Truth(v)
	case len(c.any) > 0:
		return slices.ContainsFunc(c.any, func(x *When) bool { return x.at(now) })
	case c.rule != nil:
		return c.ruleHolds(now)
	}
	return c.always
}

// Unknown reports whether a value of the condition is missing. A program or rule whose value is missing counts as false.
func (c *When) Unknown() bool {
	switch {
	case c.program != nil:
		_, ok := c.program.Value()
		return !ok
	case c.rule != nil && c.value.written():
		_, ok := c.value.Value()
		return !ok
	}
	return slices.ContainsFunc(c.any, (*When).Unknown)
}

// Truth reports whether a single value counts as true.
func Truth(v any) bool {
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
	n, ok := format.NumberOf(v)
	return !ok || n != 0
}

func (c *When) ruleHolds(now time.Time) bool {
	if !c.event.holds(now) || !c.inTime(now.In(c.loc)) {
		return false
	}
	if !c.value.written() {
		return true
	}
	v, ok := c.value.Value()
	return ok && c.compare(v)
}

// compare reports whether a value matches the rule.
func (c *When) compare(v any) bool {
	r := c.rule
	if len(r.Is) == 0 && len(r.Not) == 0 && r.Above == nil && r.Below == nil {
		return Truth(v)
	}
	text := format.PlainText(v)
	n, isNum := format.NumberOf(v)
	same := func(w string) bool {
		if w == text {
			return true
		}
		other, ok := format.NumberOf(w)
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

// timed() reports whether the rule is limited to days, times or dates.
func (c *When) timed() bool {
	return c.rule != nil && (c.rule.Days != nil || len(c.rule.Times) > 0 || len(c.rule.Dates) > 0)
}

// inTime reports whether a time is within the rule's days, times and dates.
func (c *When) inTime(now time.Time) bool {
	if !c.timed() {
		return true
	}
	if !c.timeSet() {
		return false // the condition is evaluated again after the clock is set
	}
	in := len(c.rule.Times) == 0 && c.onDay(now)
	for _, w := range c.rule.Times {
		held, _ := w.Holds(now, c.sun, c.onDay)
		in = in || held
	}
	return in
}

// onDay reports whether the rule's days and dates include a day.
func (c *When) onDay(day time.Time) bool {
	r := c.rule
	if r.Days != nil && !r.Days.Has(day.Weekday()) {
		return false
	}
	return len(r.Dates) == 0 || slices.ContainsFunc(r.Dates, func(s value.Span) bool { return s.Holds(day) })
}
