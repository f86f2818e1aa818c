package kit

import (
	"image/color"
	"math"
	"strings"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/provider"
	"dashboard/provider/query"
	"dashboard/render"
	"dashboard/theme"
)

// Programs runs the jq programs of live parameters.
type Programs interface {
	// Live returns the cell for a program's results. A mistake in it is reported to the asker, and answered with false.
	Live(a query.Asker, key, code string) (*provider.Cell, bool)
	// LiveItem is Live for a program that has an entry of a list as .item, and its index as .index: the last of in. Each list but
	// the first is given by a program that has the entry before it.
	LiveItem(a query.Asker, key, code string, in []query.Entry) (*provider.Cell, bool)
}

// AskerAt identifies the widget in requests for values, at the place of one of its parameters.
func (s *Spec) AskerAt(pos string) query.Asker {
	a := s.Asker()
	a.Pos = pos
	return a
}

// Input is a live parameter: a plain value, or a cell that a program's results land in. The zero value has nothing.
type Input struct {
	Cell  *provider.Cell
	Plain any
	Seen  *provider.Sample
	Stale bool
}

// CellOf returns the cell of a program. Each is requested once, however often its widget is built.
func (b *Builder) CellOf(s *Spec, n *config.Node) *provider.Cell {
	scope := s.ItemScope()
	key := LiveKey{n, scope.Key}
	if c, ok := b.Cells[key]; ok {
		b.Asks(c)
		return c
	}
	c := provider.NewCell(nil)
	if b.Programs != nil && !b.Running {
		a := s.AskerAt(n.Pos())
		a.Recipe = n.Recipe() // a condition at the use of a recipe is the wall's
		if asked, ok := b.Ask(a, keyOf(n), n.Text(), scope); ok {
			c = asked
		}
	}
	b.Cells[key] = c
	b.Asks(c)
	return c
}

// LiveKey distinguishes the cells of live parameters: by their place in the file, and, in widgets that show entries of
// a list, also by the entry.
type LiveKey struct {
	At    *config.Node
	Scope string // key of an itemScope
}

// Ask asks for what a program gives, that is written at a key.
func (b *Builder) Ask(a query.Asker, key, code string, scope itemScope) (*provider.Cell, bool) {
	if len(scope.In) == 0 {
		return b.Programs.Live(a, key, code)
	}
	return b.Programs.LiveItem(a, key, code, scope.In)
}

// keyOf is the key of a value: the last part of its path.
func keyOf(n *config.Node) string {
	path := n.Path()
	return path[strings.LastIndexByte(path, '.')+1:]
}

// InputOf makes an input of a live parameter, nil of an absent one.
func InputOf[T any](b *Builder, s *Spec, l *config.Live[T], plain func(T) any) Input {
	switch {
	case l == nil:
		return Input{}
	case l.IsLive():
		return Input{Cell: b.CellOf(s, l.Program)}
	}
	return Input{Plain: plain(l.Plain)}
}

// ProgramOf is the program of a live parameter, or "" of a plain one.
func ProgramOf[T any](l *config.Live[T]) string {
	if l == nil || !l.IsLive() {
		return ""
	}
	return l.Program.Text()
}

// AnyOf returns the plain value unchanged.
func AnyOf[T any](v T) any { return v }

// IconOf is an icon in the form that a program returns.
func IconOf(i value.Icon) any { return iconText(i) }

// ColorOf returns a color unchanged.
func ColorOf(c theme.RoleColor) any { return c.NRGBA }

// written reports whether there is a parameter at all.
func (in *Input) written() bool { return in.Cell != nil || in.Plain != nil }

// Update looks for a new value and reports whether there is one, or the value became stale.
func (in *Input) Update(t render.Tick) bool {
	if in.Cell == nil {
		return false
	}
	s := SampleOf(t, in.Cell)
	stale := IsStale(t, s)
	changed := s != in.Seen || stale != in.Stale
	in.Seen, in.Stale = s, stale
	return changed
}

// Value is the latest value. ok is false without a value.
func (in *Input) Value() (v any, ok bool) {
	if in.Cell == nil {
		return in.Plain, in.Plain != nil && !boundless(in.Plain)
	}
	if in.Seen == nil || !in.Seen.Has() || in.Seen.Err != nil && in.Seen.Value == nil || boundless(in.Seen.Value) {
		return nil, false
	}
	return in.Seen.Value, true
}

// boundless reports whether a value is no finite number: jq's nan and infinite.
func boundless(v any) bool {
	f, ok := v.(float64)
	return ok && (math.IsNaN(f) || math.IsInf(f, 0))
}

// Text is the latest value as text.
func (in *Input) Text() string {
	v, ok := in.Value()
	if !ok || v == nil {
		return ""
	}
	return Short(PlainText(v))
}

// Number is the latest value as a number.
func (in *Input) Number() (float64, bool) {
	v, ok := in.Value()
	if !ok {
		return 0, false
	}
	return NumberOf(v)
}

// Color is the latest value as a color of the tree's theme, premultiplied. Without a value it is otherwise.
func (in *Input) Color(b *Builder, otherwise color.RGBA) color.RGBA {
	v, ok := in.Value()
	if !ok {
		return otherwise
	}
	switch v := v.(type) {
	case color.NRGBA:
		return render.Premultiply(v)
	case string:
		if c, ok := b.Look.Colors[v]; ok {
			return render.Premultiply(c)
		}
		if c, err := theme.ParseColor(v); err == nil {
			return render.Premultiply(c.NRGBA)
		}
	}
	return otherwise
}

// MaxShown bounds a text that came from outside, in bytes: no cell has room for more.
const MaxShown = 4096

// Short cuts a text from outside to maxShown bytes.
func Short(s string) string { return ShortTo(s, MaxShown) }

// ShortTo cuts a text from outside to this many bytes.
func ShortTo(s string, most int) string {
	whole := len(s) <= most
	s = strings.ToValidUTF8(s[:min(len(s), most+1)], "\uFFFD")
	if whole && len(s) <= most {
		return s
	}
	s = s[:min(len(s), most)]
	return strings.ToValidUTF8(s, "") + "…"
}
