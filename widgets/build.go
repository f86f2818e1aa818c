package widgets

import (
	"fmt"
	"image"
	"runtime/debug"
	"slices"
	"strings"

	"dashboard/internal/spelling"
	"dashboard/provider/query"
	"dashboard/render"
)

// blank shows nothing: what stands in the place of a widget that could not be built.
type blank struct{}

func (blank) Update(render.Tick)  {}
func (blank) Paint(render.Canvas) {}

// Build makes the widget that s describes, for a cell of the given size, px, and everything below it.
// What is wrong is reported through s, for the whole tree and not only the first mistake; a tree with
// errors is complete but not meant to be shown. The widget is never nil. A panic in its Update or Paint
// is contained in its cell.
func (b *Builder) Build(s *Spec, size image.Point) render.Widget {
	size.X, size.Y = max(size.X, 1), max(size.Y, 1) // a cell without room is never painted
	for _, child := range s.Children {
		child.parent = s
	}
	k, ok := b.kinds[s.Kind]
	if !ok {
		s.Errorf("widget", "unknown widget type '%s'%s", s.Kind, b.meant(s.Kind))
		b.checkChildren(s, size)
		return blank{}
	}
	if s.Item != nil && s.Kind != "list" {
		s.Errorf("item", "only a list shows its entries as widgets")
	}
	if !checkCount(k, s) {
		b.checkChildren(s, size)
		return blank{}
	}
	outer := b.within.outer
	if !k.Modern {
		b.within.outer = false
	}
	w := b.construct(k, s, size)
	b.within.outer = outer
	if w == nil {
		return blank{}
	}
	return newGuard(b, s, size, w)
}

// construct runs a kind's build function; a panic of it is an error of the configuration.
func (b *Builder) construct(k Kind, s *Spec, size image.Point) (w render.Widget) {
	defer func() {
		if v := recover(); v != nil {
			s.Errorf("", "this %s cannot be built: %v", s.Kind, v)
			b.Crashed(s.Kind, s.Pos, fmt.Errorf("%v\n%s", v, debug.Stack()))
			w = nil
		}
	}()
	return k.build(b, s, size)
}

// checkCount reports a number of children that the kind cannot show.
func checkCount(k Kind, s *Spec) bool {
	switch n := len(s.Children); {
	case k.Most == 0 && n > 0:
		s.Warnf("children", "a %s shows no children", k.Name)
	case n != k.Most && k.loose:
		s.tolerate("children", "a %s takes %s, not %d", k.Name, plural(k.Most, "child", "children"), n)
	case n < k.Least && k.Least == k.Most || n > k.Most:
		s.Errorf("children", "a %s takes %s, not %d", k.Name, plural(k.Most, "child", "children"), n)
		return false
	case n < k.Least:
		s.Errorf("children", "a %s needs at least %s", k.Name, plural(k.Least, "child", "children"))
		return false
	}
	return true
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// checkChildren builds the children of a widget that cannot be built, so that their mistakes are
// reported too.
func (b *Builder) checkChildren(s *Spec, size image.Point) {
	for _, child := range s.Children {
		b.Build(child, size)
	}
}

// synonyms are what people call kinds, for the message about one that there is not.
var synonyms = map[string]string{
	"time": "clock", "date": "clock", "graph": "chart", "bars": "chart", "sparkline": "chart", "value": "text", "sensor": "text", "template": "text",
	"photo": "image", "picture": "image", "slideshow": "photos", "gallery": "photos", "forecast": "weather", "calendar": "agenda", "events": "agenda",
	"carousel": "pages", "tabs": "pages", "rows": "column", "columns": "row", "spacer": "space", "caption": "label", "badge": "pill",
	"notification": "notifiabletext",
}

// meant names the kind that was probably meant.
func (b *Builder) meant(name string) string {
	names := make([]string, 0, len(b.kinds))
	for n := range b.kinds {
		names = append(names, n)
	}
	slices.Sort(names)
	if other := synonyms[strings.ToLower(name)]; slices.Contains(names, other) {
		return fmt.Sprintf("; is '%s' meant?", other)
	}
	if near := spelling.Nearest(name, names); near != "" {
		return fmt.Sprintf("; is '%s' meant?", near)
	}
	return "; there are: " + strings.Join(names, ", ")
}

// asker is the widget as whoever asks for values.
func (s *Spec) asker() query.Asker {
	return query.Asker{Kind: s.Kind, Pos: s.Pos, Errorf: func(key, format string, args ...any) {
		if key == "providers" { // a name that nobody has is no wall anywhere
			s.Errorf(key, format, args...)
			return
		}
		s.tolerate(key, format, args...)
	}}
}

func (s *Spec) tolerate(key, format string, args ...any) {
	if s.Tolerate == nil {
		s.Errorf(key, format, args...)
		return
	}
	s.Tolerate(key, format, args...)
}

// children builds all children of s at one size.
func (b *Builder) children(s *Spec, size image.Point) []render.Widget {
	all := make([]render.Widget, len(s.Children))
	for i, child := range s.Children {
		all[i] = b.Build(child, size)
	}
	return all
}

// called reports whether s goes by a name: its own, or without one that of its kind, "text" or
// "TextWidget" in any case.
func (s *Spec) called(name string) bool {
	if s.Name != "" {
		return s.Name == name
	}
	return strings.EqualFold(name, s.Kind+"widget") || strings.EqualFold(name, s.Kind)
}

// childNamed returns the index of the first child of that name, or -1.
func (s *Spec) childNamed(name string) int {
	return slices.IndexFunc(s.Children, func(c *Spec) bool { return c.called(name) })
}

// childNames lists the names of the children for a message.
func (s *Spec) childNames() string {
	names := make([]string, len(s.Children))
	for i, c := range s.Children {
		if names[i] = c.Name; c.Name == "" {
			names[i] = c.Kind
		}
	}
	return strings.Join(names, ", ")
}
