package scene

import (
	"slices"
	"strings"

	"dashboard/config"
	"dashboard/theme"
	"dashboard/theme/look"
	"dashboard/theme/sun"
)

// startOf returns the mode in which a built-in theme starts while the position of the sun is not known.
func startOf(written, root *config.Node) sun.Mode {
	if written == nil {
		written = root.Get("theme")
	}
	if look.StartsByDay(theme.BaseName(written)) {
		return sun.Day
	}
	return sun.Night
}

// A pick is the theme for a mode. If node is nil, the theme is the block `theme` of the widgets file.
type pick struct {
	node *config.Node
	ok   bool // true if the theme was read without an error
}

// picks() returns the theme for each mode. The theme comes from the first of these that sets a theme: the command line, the view,
// conf.yaml, the widgets file. A built-in theme is used for both modes.
func (l *loading) picks(root, views *config.Node) map[sun.Mode]pick {
	both := func(p pick) map[sun.Mode]pick { return map[sun.Mode]pick{sun.Day: p, sun.Night: p} }
	switch {
	case slices.Contains(look.Names(), l.from.Theme):
		return both(pick{config.Parse("--theme", []byte(l.from.Theme), l.report, nil), true})
	case l.from.Theme != "":
		return map[sun.Mode]pick{sun.Day: l.themeFile(l.from.Theme)}
	case views.Kind() != config.Null:
		return l.written(views)
	case l.Conf != nil && l.Conf.Appearance != nil && l.Conf.Appearance.Themes != nil && l.Conf.Appearance.Themes.Day != "":
		return map[sun.Mode]pick{sun.Day: l.themeFile(l.Conf.Appearance.Themes.Day), sun.Night: l.themeFile(l.Conf.Appearance.Themes.Night)}
	case l.Conf != nil && l.Conf.Theme != nil && l.Conf.Theme.Kind() != config.Null:
		return l.written(l.Conf.Theme)
	case root.Has("theme"):
		return l.written(root.Get("theme"))
	case !l.sound:
		return nil // the general settings may name a theme, so nothing is known about its tokens
	}
	return map[sun.Mode]pick{sun.Day: {nil, true}}
}

// written() reads the value of the key `theme`. The value is the name of a built-in theme, the path of a file, a block of tokens, or a
// mapping with the keys day and night.
func (l *loading) written(n *config.Node) map[sun.Mode]pick {
	one := func(n *config.Node) pick {
		if n.Kind() == config.String && !theme.Named(n) && strings.ContainsAny(n.Text(), "./") {
			return l.themeFile(n.Text())
		}
		return pick{n, true}
	}
	switch {
	case n.Kind() == config.Map && n.Has("day") && n.Has("night") && !n.Has("from"):
		return map[sun.Mode]pick{sun.Day: one(n.Get("day")), sun.Night: one(n.Get("night"))}
	case theme.Named(n):
		return map[sun.Mode]pick{sun.Day: {n, true}, sun.Night: {n, true}}
	case n.Kind() == config.Map:
		return map[sun.Mode]pick{sun.Day: {nil, true}} // the classic form: the block in the widgets file, for one mode
	}
	return map[sun.Mode]pick{sun.Day: one(n)}
}

// themeFile reads a theme file.
func (l *loading) themeFile(path string) pick {
	n := config.LoadWidgets(l.files, path, l.report, l.secret)
	return pick{n, n != nil}
}
