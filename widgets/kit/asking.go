package kit

import (
	"dashboard/config/value"
	"dashboard/render"
)

// A Condition is one that no widget asks, but somebody beside the tree. It belongs to one goroutine at a time.
type Condition struct{ c *When }

// Condition makes what a condition of the file says, for whoever s is. A nil one always holds.
func (b *Builder) Condition(s *Spec, c *value.Condition) *Condition {
	return &Condition{b.When(s, c)}
}

// At brings the condition to a moment. It reports whether it holds, and whether everything it is about has a value: one
// without does not hold. When it may change by itself is reported to t.
func (x *Condition) At(t render.Tick) (holds, known bool) {
	return x.c.Holds(t), x.c.known()
}

// known reports whether all that the condition compares has a value, as of the latest call of holds. What Home Assistant
// calls unavailable or unknown is none.
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
