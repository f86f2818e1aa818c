package kit

import (
	"dashboard/config/value"
	"dashboard/render"
)

// A Condition is a condition that is evaluated outside the tree of widgets. Only one goroutine may use it at a time.
type Condition struct{ c *When }

// Condition returns a configured condition for the widget that s describes. If c is nil, the condition is always true.
func (b *Builder) Condition(s *Spec, c *value.Condition) *Condition {
	return &Condition{b.When(s, c)}
}

// At evaluates the condition at the time of the tick t. `holds` is the result. If the value of a part is missing, this part counts as
// false. `known` reports whether all values are present. At also registers in t the next time at which the result may change.
func (x *Condition) At(t render.Tick) (holds, known bool) {
	return x.c.Holds(t), x.c.known()
}

// known() reports whether all values of the condition were present at the last call of Holds. The states "unavailable" and "unknown" of
// Home Assistant count as missing.
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
