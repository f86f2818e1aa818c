package classic

import (
	"image"
	"slices"
	"strings"

	"dashboard/provider"
	"dashboard/render"
	"dashboard/widgets/arrange"
	"dashboard/widgets/kit"
)

// Choosing holds the parameters of widgets that show the child selected by a value.
type Choosing struct {
	// Values in Python's notation ('True', '1.0', 'None'), each with the name of its child.
	Mapping map[string]string `yaml:"mapping"`
	// Name of the child for any other value, and before the first value. Default: the first child. The first child is also used if no
	// child has this name.
	DefaultWidget string `yaml:"default_widget"`
	// Accepted for Grydgets' files, without effect.
	Interval float64 `yaml:"interval" default:"5" min:"0"`
	arrange.Sliding
}

// choice shows the child that its value selects, and slides when the selection changes.
type choice struct {
	arrange.Slider
	value provider.Typed[string]
	child map[string]int
	other int

	seen  *provider.Sample
	to    int  // index of the child that the value selects
	begun bool // true after the first value. The child of the first value is shown without a slide
}

// `stay` replaces the index of a child if a value selects no child. Such a value does not change the shown child.
const stay = -1

// newChoice builds the children of s. If the mapping contains a name without a child, newChoice only reports a warning, because users'
// existing files contain such names. If the default child does not exist, it uses the first child.
func newChoice(b *kit.Builder, s *kit.Spec, p Choosing, size image.Point) *choice {
	c := &choice{Slider: arrange.NewSlider(b, s, p.Sliding, size), child: map[string]int{}}
	find := func(key, name string) int {
		i := s.ChildNamed(name)
		if i < 0 {
			s.Warnf(key, "no child is named '%s'; there are: %s", name, s.ChildNames())
			return stay
		}
		return i
	}
	if p.DefaultWidget != "" {
		c.other = max(0, find("default_widget", p.DefaultWidget))
	}
	values := make([]string, 0, len(p.Mapping))
	for v := range p.Mapping {
		values = append(values, v)
	}
	slices.Sort(values) // sorted, so that errors always have the same order
	for _, v := range values {
		c.child[v] = find("mapping", p.Mapping[v])
	}
	for _, v := range values {
		// An unquoted key such as yes or true is a boolean in YAML. A value contains Python's text for this boolean, such as True.
		// Therefore, this text gets the same child.
		if text, boolean := pythonBool(v); boolean {
			if _, given := c.child[text]; !given {
				c.child[text] = c.child[v]
			}
		}
	}
	c.to, c.Shown = c.other, c.other
	return c
}

// pythonBool returns Python's text for a value that YAML 1.1 decodes as a boolean or null.
func pythonBool(s string) (text string, ok bool) {
	switch strings.ToLower(s) {
	case "true", "yes", "on":
		return "True", true
	case "false", "no", "off":
		return "False", true
	case "null", "~":
		return "None", true
	}
	return "", false
}

// Update implements render.Widget.
func (c *choice) Update(t render.Tick) {
	if s := kit.SampleOf(t, c.value.Cell); s != c.seen {
		c.seen = s
		if value, ok := c.value.Value(s); ok {
			c.to = c.target(value)
			if !c.begun {
				c.begun = true
				c.Jump(t, c.to)
			}
		}
	}
	c.Move(t)
	c.Slide(t, c.to) // Slide does nothing until the current slide ends
	if c.Sliding {
		t.Wake(t.Now())
	}
	c.Advance(t)
}

// target() returns the index of the child for a value.
func (c *choice) target(value string) int {
	switch i, ok := c.child[value]; {
	case !ok:
		return c.other
	case i == stay:
		return c.to
	default:
		return i
	}
}
