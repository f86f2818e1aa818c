package theme

import (
	"fmt"
	"slices"

	"dashboard/config"
	"dashboard/internal/spelling"
)

// knownSections lists the keys of a theme block with a meaning of their own.
var knownSections = []string{fromKey, dayKey, nightKey, faceKey, groupsKey, defaultsKey, "colors", "styles", "sizes"}

// dropMisspelled returns a copy of a theme block without its misspelled sections. A section is misspelled if its name resembles a known
// key and no token in the file uses the section. dropMisspelled warns about each of them, because such a section has no effect.
func dropMisspelled(block, widgets *config.Node, r *config.Report) *config.Node {
	if block.Kind() != config.Map {
		return block
	}
	named := Named(block)
	var pairs []config.Pair
	for _, p := range block.Pairs() {
		near := spelling.Nearest(p.Key, knownSections)
		switch {
		case named && (p.Key == dayKey || p.Key == nightKey):
			p.Value = dropMisspelled(p.Value, widgets, r)
		case slices.Contains(knownSections, p.Key) || near == "" || p.Key == "color" && !named || p.Value.Kind() != config.Map:
		case p.Key != "color" && (newFinder(p.Key).in(widgets) || newFinder(p.Key).in(block)):
		default:
			r.Add(config.Diagnostic{
				File: p.At.File(), Line: p.At.Line(), Column: p.At.Column(), Path: p.At.Path(), Severity: config.Warning, Code: config.CodeUnknownKey,
				Message: fmt.Sprintf("unknown key '%s': it has no effect, because no token names this section", p.Key), Near: near,
			})
			continue
		}
		pairs = append(pairs, p)
	}
	return block.WithPairs(pairs)
}

// A finder searches for tokens of a section. After maxNodes values, it assumes that the section is used.
type finder struct {
	section string
	left    int // number of values that the finder may still read
}

func newFinder(section string) *finder { return &finder{section, maxNodes} }

// in() reports whether a value contains a token of the section.
func (f *finder) in(n *config.Node) bool {
	if f.left--; f.left < 0 {
		return true
	}
	if name, _, ok := n.Token(); ok && (name == f.section || name+"s" == f.section) {
		return true
	}
	return slices.ContainsFunc(n.Items(), f.in) || slices.ContainsFunc(n.Pairs(), func(p config.Pair) bool { return f.in(p.Value) })
}
