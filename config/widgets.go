package config

import (
	"dashboard/internal/spelling"
	"fmt"
	"slices"
	"strings"
)

// The keys that this package reads from a widget and from the top level of a widgets file.
var (
	widgetKeys = []string{"widget", "name", "children"}
	screenKeys = []string{"widgets", "theme"}
	// topLevel lists all keys at the top of a widgets file, for suggestions.
	topLevel = []string{"widgets", "theme", "background_image", "background_color", "drop_shadow", "glance", "red_night", "sky"}
)

// ScreenKind is the type of the root widget that Tree returns. Its parameters are the top-level keys background_image, background_color
// and drop_shadow of the widgets file.
const ScreenKind = "screen"

// A Widget is one widget of a widgets file, with the widgets inside of it. Its Scope decodes its
// parameters. An unknown parameter is a warning with the code CodeUnknownKey.
type Widget struct {
	Scope
	Kind     string // type such as grid, never ""
	Name     string // value of the key name, or ""
	Children []*Widget
	Lost     bool    // true if a child is missing because of an error that has been reported
	Item     *Widget // value of the key item: the widget that is repeated for each entry of a list
}

// Tree builds the widgets of a widgets file. The theme tokens in `root` must be resolved before. Tree returns the widget of the type
// ScreenKind, whose only child fills the screen. If the file has no such child, Tree returns nil. `kinds` lists the known types of
// widgets. If `kinds` is nil, the caller must check the types.
func Tree(root *Node, r *Report, kinds []string) *Widget {
	if root == nil || root.Broken() {
		return nil
	}
	screen := &Widget{Kind: ScreenKind, Scope: Scope{node: root, report: r, unknown: Warning, reserved: screenKeys, colors: colorsOf(root)}}
	list := root.Get("widgets")
	switch {
	case root.Kind() != Map || !root.Has("widgets"):
		noWidgets(root, r)
		return nil
	case list.Broken():
		return nil
	case list.Kind() != List || list.Len() == 0:
		r.Errorf(list, "'widgets:' must be a list holding the one widget that fills the screen, usually a layout")
		return nil
	case list.Len() > 1:
		r.Warnf(list.Items()[1], "only the first entry of 'widgets:' is shown; put several into a grid")
	}
	screen.reserved = append(slices.Clone(screenKeys), anchored(root)...)
	b := &treeBuilder{report: r, kinds: kinds, colors: colorsOf(root), names: map[string]*Node{}}
	if child := b.widget(list.Items()[0]); child != nil {
		screen.Children = []*Widget{child}
		return screen
	}
	return nil
}

// noWidgets reports an error for a file without the key `widgets`. If the file has a similar unknown key, this key is probably
// misspelled, so the error is reported at its position.
func noWidgets(root *Node, r *Report) {
	at, hint := root, ""
	if key := spelling.Nearest("widgets", root.Keys()); key != "" && !slices.Contains(topLevel, key) {
		at, hint = root.At(key), fmt.Sprintf("; is '%s' meant? Write widgets: with a list of one widget", key)
	}
	r.Errorf(at, "%s has no top-level 'widgets:' key, so there is no dashboard to draw%s", root.File(), hint)
}

// anchored() returns the unknown top-level keys whose values contain an anchor. These keys only hold values for the aliases in the file.
func anchored(root *Node) []string {
	var keys []string
	for _, p := range root.Pairs() {
		if !slices.Contains(topLevel, p.Key) && hasAnchor(p.Value) {
			keys = append(keys, p.Key)
		}
	}
	return keys
}

func hasAnchor(n *Node) bool {
	if n == nil {
		return false
	}
	if n.anchor || slices.ContainsFunc(n.items, hasAnchor) {
		return true
	}
	return slices.ContainsFunc(n.pairs, func(p Pair) bool { return hasAnchor(p.Value) })
}

type treeBuilder struct {
	report *Report
	kinds  []string
	colors *Node
	names  map[string]*Node // nodes of the key name, by the name of the widget
}

// once() warns about a widget that has the same name as an earlier widget.
func (b *treeBuilder) once(w *Widget) {
	at := w.node.Get("name")
	if w.Name == "" || strings.HasPrefix(w.Kind, "notifiable") { // the kinds notifiable… report duplicate names themselves
		return
	}
	if first, ok := b.names[w.Name]; ok && first.Pos() != at.Pos() {
		b.report.Warnf(at, "the widget in line %d is also named '%s': requests and rules that name it may mean either", first.Line(), w.Name)
		return
	}
	b.names[w.Name] = at
}

// colorsOf returns the section colors of the theme in a file whose tokens are resolved.
func colorsOf(root *Node) *Node {
	colors := root.Get("theme").Get("colors")
	if colors.Kind() != Map {
		colors = root.Get("theme").Get("color")
	}
	return colors
}

// widget builds one widget and the widgets inside of it. If the type is unknown, it returns nil.
func (b *treeBuilder) widget(n *Node) *Widget {
	if n.Broken() {
		return nil
	}
	if n.Kind() != Map {
		b.report.Errorf(n, "a widget must be a mapping with a 'widget' key, not %s", n.Shown())
		return nil
	}
	w := &Widget{Scope: Scope{node: n, report: b.report, unknown: Warning, reserved: widgetKeys, colors: b.colors}}
	w.Kind = w.Scope.name("widget")
	w.Name = w.Scope.name("name")
	w.Children = b.children(n.Get("children"), strings.HasSuffix(w.Kind, "flip") || w.Kind == "pages")
	w.Lost = len(w.Children) < n.Get("children").Len()
	if item := n.Get("item"); item.Kind() == Map && item.Has("widget") {
		w.Item = b.widget(item)
		w.own = []string{"item"}
	}
	if w.Kind == "" {
		b.noKind(n)
		return nil
	}
	if b.kinds != nil && !slices.Contains(b.kinds, w.Kind) {
		word := n.Get("widget").word()
		b.report.Near(n.Get("widget"), word, b.kinds, "%s", unknownWord("widget type", word, strings.Join(b.kinds, ", ")))
		return nil
	}
	return w
}

// noKind reports a widget without a type, unless its invalid type was reported before.
func (b *treeBuilder) noKind(n *Node) {
	kind := n.Get("widget")
	switch {
	case kind.Broken(), kind.Kind() == List, kind.Kind() == Map:
		return
	case kind != nil:
		b.report.Errorf(kind, "a widget needs a type, such as grid")
		return
	}
	d := diagnose(n, Error, "a widget needs a 'widget' key that names its type")
	if key := spelling.Nearest("widget", n.Keys()); key != "" && !slices.Contains(widgetKeys, key) {
		d.Message += fmt.Sprintf("; is '%s' meant?", key)
	}
	b.report.Add(d)
}

// children builds the widgets in a list. `within` is true inside of a flip or of pages. There, the children may have the same name,
// because only one child is shown at a time.
func (b *treeBuilder) children(n *Node, within bool) []*Widget {
	switch {
	case n.Kind() == Null:
		return nil
	case n.Kind() != List:
		b.report.Errorf(n, "must be a list of widgets, not %s", n.Shown())
		return nil
	}
	var children []*Widget
	for _, item := range n.Items() {
		if w := b.widget(item); w != nil {
			children = append(children, w)
			if !within {
				b.once(w)
			}
		}
	}
	return children
}
