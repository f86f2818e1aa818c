package kit

import (
	"dashboard/config/value"
	"dashboard/render"
)

// A Condition is evaluated outside the tree of widgets. Only one goroutine may use it at a time.
type Condition struct{ c *When }

// Condition returns a condition of the file for the part that s describes. If c is nil, it always holds.
func (b *Builder) Condition(s *Spec, c *value.Condition) *Condition {
	return &Condition{b.When(s, c)}
}

// At evaluates the condition at the time of t. It reports whether the condition holds, and whether all its values are known. A
// condition without a value does not hold. At also reports the time of the condition's next change to t.
func (x *Condition) At(t render.Tick) (holds, known bool) {
	return x.c.Holds(t), x.c.known()
}

// known reports whether all compared values were present when Holds was last called. Home Assistant's unavailable and unknown
// count as missing.
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
