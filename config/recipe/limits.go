package recipe

import (
	"fmt"

	"dashboard/config"
)

// Bounds of recipes. They apply after expansion.
const (
	// maxFile bounds each of a recipe's YAML files, in bytes. A widget has some kilobytes.
	maxFile = 64 << 10
	// maxParameters bounds the parameters of a recipe, because nobody fills in a longer form.
	maxParameters = 24
	// maxProviders bounds the providers of one use, and allProviders the providers of all uses of a wall.
	maxProviders, allProviders = 8, 200
	// maxWidgets bounds the widgets of one use, and allWidgets the widgets of all uses of a wall.
	maxWidgets, allWidgets = 60, 2000
	// maxPrograms bounds the programs of one use, and allPrograms the programs of all uses of a wall.
	maxPrograms, allPrograms = 120, 4000
	// maxBytes bounds the texts of one use, and allBytes the texts of all uses of a wall.
	maxBytes, allBytes = 256 << 10, 8 << 20
)

var tooLong = fmt.Sprintf("longer than %d bytes", maxFile)

// A Cost is the size that a use adds to a wall.
type Cost struct{ Providers, Widgets, Programs, Bytes int }

func (c *Cost) add(d Cost) {
	c.Providers += d.Providers
	c.Widgets += d.Widgets
	c.Programs += d.Programs
	c.Bytes += d.Bytes
}

// over returns the name of the first bound that a cost exceeds, or "".
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
