package kit

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

// Blank shows nothing. It replaces a widget that cannot be built.
type Blank struct{}

// Update implements render.Widget.
func (Blank) Update(render.Tick) {}

// Paint implements render.Widget.
func (Blank) Paint(render.Canvas) {}

// Build creates the widget that s describes and all its descendants, for a cell of the given size in px. It reports all errors of the
// tree through s. If there are errors, the returned widget must not be shown, but it is never nil. If Update or Paint of a widget panics,
// only the cell of the widget is affected.
func (b *Builder) Build(s *Spec, size image.Point) render.Widget {
	size.X, size.Y = max(size.X, 1), max(size.Y, 1) // an empty cell is never painted, but widgets need a size
	for _, child := range s.Children {
		child.Parent = s
	}
	k, ok := b.kinds[s.Kind]
	if !ok {
		s.Errorf("widget", "unknown widget type '%s'%s", s.Kind, b.meant(s.Kind))
		b.CheckChildren(s, size)
		return Blank{}
	}
	if s.Item != nil && s.Kind != "list" {
		s.Errorf("item", "only a list shows its entries as widgets")
	}
	if !checkCount(k, s) {
		b.CheckChildren(s, size)
		return Blank{}
	}
	outer := b.Within.outer
	if !k.Modern {
		b.Within.outer = false
	}
	w := b.construct(k, s, size)
	b.Within.outer = outer
	if w == nil {
		return Blank{}
	}
	return newGuard(b, s, size, w)
}

// construct calls a kind's build function. A panic becomes an error of the configuration.
func (b *Builder) construct(k Kind, s *Spec, size image.Point) (w render.Widget) {
	defer func() {
		if v := recover(); v != nil {
			s.Errorf("", "this %s cannot be built: %v", s.Kind, v)
			b.Crashed(s.Kind, s.Pos, fmt.Errorf("%v\n%s", v, debug.Stack()))
			w = nil
		}
	}()
	return k.Build(b, s, size)
}

// checkCount reports a wrong number of children. If the build function cannot be called with this number, checkCount returns false.
func checkCount(k Kind, s *Spec) bool {
	switch n := len(s.Children); {
	case k.Most == 0 && n > 0:
		s.Warnf("children", "a %s shows no children", k.Name)
	case n != k.Most && k.loose:
		s.Complain("children", "a %s takes %s, not %d", k.Name, Plural(k.Most, "child", "children"), n)
	case n < k.Least && k.Least == k.Most || n > k.Most:
		s.Errorf("children", "a %s takes %s, not %d", k.Name, Plural(k.Most, "child", "children"), n)
		return false
	case n < k.Least:
		s.Errorf("children", "a %s needs at least %s", k.Name, Plural(k.Least, "child", "children"))
		return false
	}
	return true
}

// Plural returns a count with the singular or the plural of a noun.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// CheckChildren builds the children of a widget that cannot be built, so that their errors are also reported.
func (b *Builder) CheckChildren(s *Spec, size image.Point) {
	for _, child := range s.Children {
		b.Build(child, size)
	}
}

// `synonyms` maps other names to kinds. The error message for an unknown kind uses this map.
var synonyms = map[string]string{
	"time": "clock", "date": "clock", "graph": "chart", "bars": "chart", "sparkline": "chart", "value": "text", "sensor": "text", "template": "text",
	"photo": "image", "picture": "image", "slideshow": "photos", "gallery": "photos", "forecast": "weather", "calendar": "agenda", "events": "agenda",
	"carousel": "pages", "tabs": "pages", "rows": "column", "columns": "row", "spacer": "space", "caption": "label", "badge": "pill",
	"notification": "notifiabletext",
}

// meant() returns the end of the error message for an unknown kind: the kind that the user probably meant, or a list of all kinds.
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

// Asker returns the identity with which the widget requests values.
func (s *Spec) Asker() query.Asker {
	return query.Asker{Kind: s.Kind, Pos: s.Pos, Recipe: s.Recipe, Errorf: func(key, format string, args ...any) {
		if key == "providers" { // an unknown provider name is an error of the configuration, even if Tolerate is set
			s.Errorf(key, format, args...)
			return
		}
		s.Complain(key, format, args...)
	}}
}

// Complain reports an error and lets the rest of the wall be shown. If Tolerate is nil, Complain reports the error with Errorf.
func (s *Spec) Complain(key, format string, args ...any) {
	if s.Tolerate == nil {
		s.Errorf(key, format, args...)
		return
	}
	s.Tolerate(key, format, args...)
}

// Children builds all children of s, each with the same size.
func (b *Builder) Children(s *Spec, size image.Point) []render.Widget {
	all := make([]render.Widget, len(s.Children))
	for i, child := range s.Children {
		all[i] = b.Build(child, size)
	}
	return all
}

// Called reports whether s has the given name. A widget without a name has the name of its kind, such as "text" or "TextWidget".
func (s *Spec) Called(name string) bool {
	if s.Name != "" {
		return s.Name == name
	}
	return strings.EqualFold(name, s.Kind+"widget") || strings.EqualFold(name, s.Kind)
}

// ChildNamed returns the index of the first child with the given name, or -1.
func (s *Spec) ChildNamed(name string) int {
	return slices.IndexFunc(s.Children, func(c *Spec) bool { return c.Called(name) })
}

// ChildNames lists the names of the children for a message.
func (s *Spec) ChildNames() string {
	names := make([]string, len(s.Children))
	for i, c := range s.Children {
		if names[i] = c.Name; c.Name == "" {
			names[i] = c.Kind
		}
	}
	return strings.Join(names, ", ")
}
