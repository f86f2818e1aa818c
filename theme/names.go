package theme

import (
	"image/color"
	"maps"
	"slices"
	"strings"

	"dashboard/config"
	"dashboard/internal/spelling"
)

// checkRoles reports colors of the theme's roles that are no colors. `roles` has the colors of the built-in theme.
func checkRoles(colors *config.Node, roles map[string]color.NRGBA, r *config.Report) {
	reading := &reader{palette: PaletteOf(colors), entries: colors, open: make(map[string]bool)}
	for _, p := range colors.Pairs() {
		if _, ok := roles[p.Key]; !ok || p.Value.Kind() == config.Null || p.Value.Kind() == config.Map {
			continue
		}
		_, err := reading.entry(p.Key)
		if err == nil {
			continue
		}
		d := config.Diagnostic{
			File: p.Value.File(), Line: p.Value.Line(), Column: p.Value.Column(), Path: p.Value.Path(), Severity: config.Error, Message: err.Error(),
		}
		if e, ok := err.(interface{ Near() string }); ok {
			d.Near = e.Near()
		}
		r.Add(d)
	}
}

// warnNames warns about names in the sections colors and sizes that resemble a color or length of the built-in theme. Such a name has no
// effect, unless the file uses it. Both names must have the same first letter, because people rarely mistype it. A name with a digit is
// no mistake: calendars and other files can use it.
func warnNames(block, widgets *config.Node, roles map[string]color.NRGBA, r *config.Report) {
	known := map[string][]string{
		"colors": slices.Sorted(maps.Keys(roles)),
		"sizes":  {"margin", "gap", "padding", "radius", "line", "icon", "blur"},
	}
	for _, part := range []*config.Node{block, block.Get(dayKey), block.Get(nightKey)} {
		for section, names := range known {
			for _, p := range part.Get(section).Pairs() {
				near := spelling.Nearest(p.Key, names)
				if near == "" || near[0] != p.Key[0] || strings.ContainsAny(p.Key, "0123456789") || slices.Contains(names, p.Key) || (&nameFinder{p.Key, maxNodes}).in(widgets) || (&nameFinder{p.Key, maxNodes}).in(block) {
					continue
				}
				r.Add(config.Diagnostic{
					File: p.At.File(), Line: p.At.Line(), Column: p.At.Column(), Path: p.At.Path(), Severity: config.Warning,
					Message: "'" + p.Key + "' has no effect: no widget uses this name", Near: near,
				})
			}
		}
	}
}

// A nameFinder searches for tokens and texts that contain a name. After maxNodes values, it assumes that the name is used.
type nameFinder struct {
	name string
	left int // number of values that the finder may still read
}

// in() reports whether a value contains the name.
func (f *nameFinder) in(n *config.Node) bool {
	if f.left--; f.left < 0 {
		return true
	}
	if _, name, ok := n.Token(); ok && strings.Contains(name, f.name) || n.Kind() == config.String && strings.Contains(n.Text(), f.name) {
		return true
	}
	return slices.ContainsFunc(n.Items(), f.in) || slices.ContainsFunc(n.Pairs(), func(p config.Pair) bool { return f.in(p.Value) })
}
