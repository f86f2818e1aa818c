package kit

import (
	"dashboard/config/value"
	"dashboard/render"
)

// A Condition is evaluated outside of the widgets, next to the tree. It belongs to one goroutine at a time.
type Condition struct{ c *When }

// Condition makes a condition of the file for the part that s describes. A nil one always holds.
func (b *Builder) Condition(s *Spec, c *value.Condition) *Condition {
	return &Condition{b.When(s, c)}
}

// At brings the condition to a moment. It reports whether the condition holds, and whether all its values are there. A
// condition without a value does not hold. Its next change by the clock is reported to t.
func (x *Condition) At(t render.Tick) (holds, known bool) {
	return x.c.Holds(t), x.c.known()
}

// known reports whether all compared values were there at the latest call of holds. Home Assistant's unavailable and
// unknown count as missing.
func (c *When) known() bool {
	switch {
	case c == nil:
		return true
	case c.program != nil:
		return c.program.known()
	case c.rule != nil:
		return !c.value.written() || c.value.known()
	}
	for _, x := range c.any {
		if !x.known() {
			return false
		}
	}
	return true
}

func (in *Input) known() bool {
	v, ok := in.Value()
	return ok && v != nil && v != "unavailable" && v != "unknown"
}
