package recipe

import (
	"fmt"

	"dashboard/config"
)

// Limits for recipes. They apply after the parameters of a recipe are replaced.
const (
	// maxFile is the maximum length of each YAML file of a recipe, in bytes. A usual file has a few kilobytes.
	maxFile = 64 << 10
	// maxParameters is the maximum number of parameters of a recipe, because users do not fill in a longer form.
	maxParameters = 24
	// maxProviders is the maximum number of providers of one use. allProviders is the maximum number for all uses on a wall.
	maxProviders, allProviders = 8, 200
	// maxWidgets is the maximum number of widgets of one use. allWidgets is the maximum number for all uses on a wall.
	maxWidgets, allWidgets = 60, 2000
	// maxPrograms is the maximum number of programs of one use. allPrograms is the maximum number for all uses on a wall.
	maxPrograms, allPrograms = 120, 4000
	// maxBytes is the maximum size of the texts of one use, in bytes. allBytes is the maximum size for all uses on a wall.
	maxBytes, allBytes = 256 << 10, 8 << 20
)

var tooLong = fmt.Sprintf("longer than %d bytes", maxFile)

// A Cost is the size of one use of a recipe: the numbers of providers, widgets and programs, and the size of all texts.
type Cost struct{ Providers, Widgets, Programs, Bytes int }

func (c *Cost) add(d Cost) {
	c.Providers += d.Providers
	c.Widgets += d.Widgets
	c.Programs += d.Programs
	c.Bytes += d.Bytes
}

// over() returns a description of the first limit that the cost exceeds, or "". `most` contains the limits.
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

// count adds the cost of n and of all values inside of it.
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
