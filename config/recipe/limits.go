package recipe

import (
	"fmt"

	"dashboard/config"
)

// Limits for recipes. They apply to the expanded recipe.
const (
	// maxFile is the greatest length of each YAML file of a recipe, in bytes. A widget has a few kilobytes.
	maxFile = 64 << 10
	// maxParameters limits the parameters of a recipe, because users do not fill in a longer form.
	maxParameters = 24
	// maxProviders limits the providers of one use. allProviders limits the providers of all uses of a wall.
	maxProviders, allProviders = 8, 200
	// maxWidgets limits the widgets of one use. allWidgets limits the widgets of all uses of a wall.
	maxWidgets, allWidgets = 60, 2000
	// maxPrograms limits the programs of one use. allPrograms limits the programs of all uses of a wall.
	maxPrograms, allPrograms = 120, 4000
	// maxBytes limits the texts of one use, in bytes. allBytes limits the texts of all uses of a wall.
	maxBytes, allBytes = 256 << 10, 8 << 20
)

var tooLong = fmt.Sprintf("longer than %d bytes", maxFile)

// A Cost counts what one use of a recipe adds to a wall.
type Cost struct{ Providers, Widgets, Programs, Bytes int }

func (c *Cost) add(d Cost) {
	c.Providers += d.Providers
	c.Widgets += d.Widgets
	c.Programs += d.Programs
	c.Bytes += d.Bytes
}

// over returns a text about the first limit that the cost exceeds, or "". most contains the limits.
func (c Cost) over(most Cost) string {
	for _, e := range []struct {
		what    string
		is, may int
	}{
		{"providers", c.Providers, most.Providers}, {"widgets", c.Widgets, most.Widgets},
		{"programs", c.Programs, most.Programs}, {"bytes of text", c.Bytes, most.Bytes},
	} {
		if e.is > e.may {
			return fmt.Sprintf("%d %s, at most %d", e.is, e.what, e.may)
		}
	}
	return ""
}

// count adds the cost of a tree of values.
func (c *Cost) count(n *config.Node) {
	c.Bytes += len(n.Text())
	if n.IsProgram() || n.Kind() == config.Program {
		c.Programs++
	}
	if n.Kind() == config.Map && n.Has("widget") {
		c.Widgets++
	}
	for _, item := range n.Items() {
		c.count(item)
	}
	for _, p := range n.Pairs() {
		c.Bytes += len(p.Key)
		c.count(p.Value)
	}
}
