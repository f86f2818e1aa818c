package kit

import (
	"image/color"
	"math"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/provider"
	"dashboard/provider/query"
	"dashboard/render"
	"dashboard/theme"
	"dashboard/widgets/kit/format"
)

// Programs runs the jq programs of live parameters.
type Programs interface {
	// Live returns the cell for the results of a program. If the program has an error, Live reports it to the asker and returns false.
	Live(a query.Asker, key, code string) (*provider.Cell, bool)
	// LiveItem is like Live, for a program that reads a list entry as .item and the entry's index as .index. The last element of the
	// parameter `in` is this entry. The other elements are the entries of the surrounding lists, starting with the outermost list. The
	// program of an inner list can read the entry of the surrounding list.
	LiveItem(a query.Asker, key, code string, in []query.Entry) (*provider.Cell, bool)
}

// AskerAt is like Asker, but `pos`, the position of the parameter that requests a value, replaces the position of the widget.
func (s *Spec) AskerAt(pos string) query.Asker {
	a := s.Asker()
	a.Pos = pos
	return a
}

// Input is a live parameter. It has a plain value or a cell with the results of a program. The zero value has neither.
type Input struct {
	Cell  *provider.Cell
	Plain any
	Seen  *provider.Sample
	Stale bool
}

// CellOf returns the cell of a program. Each program is requested once, even if the widget is built several times. When the tree is
// complete, no more programs are requested, and a new cell stays empty.
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
		a.Recipe = n.Recipe() // the program can belong to the wall, such as a condition that is set where the recipe is used
		if asked, ok := b.Ask(a, n.Path(), n.Text(), scope); ok {
			c = asked
		}
	}
	b.Cells[key] = c
	b.Asks(c)
	return c
}

// LiveKey identifies the cell of a live parameter by its position in the file. If a widget shows a list entry, the entry is part of the
// key.
type LiveKey struct {
	At    *config.Node
	Scope string // Key of an itemScope
}

// Ask requests the results of a program. `key` is the key or the path of the program in the file.
func (b *Builder) Ask(a query.Asker, key, code string, scope itemScope) (*provider.Cell, bool) {
	if len(scope.In) == 0 {
		return b.Programs.Live(a, key, code)
	}
	return b.Programs.LiveItem(a, key, code, scope.In)
}

// InputOf returns an input for a live parameter. If l is nil, the input is empty.
func InputOf[T any](b *Builder, s *Spec, l *config.Live[T], plain func(T) any) Input {
	switch {
	case l == nil:
		return Input{}
	case l.IsLive():
		return Input{Cell: b.CellOf(s, l.Program)}
	}
	return Input{Plain: plain(l.Plain)}
}

// ProgramOf returns the program of a live parameter, or "" for a plain value.
func ProgramOf[T any](l *config.Live[T]) string {
	if l == nil || !l.IsLive() {
		return ""
	}
	return l.Program.Text()
}

// AnyOf returns the plain value unchanged.
func AnyOf[T any](v T) any { return v }

// IconOf returns the text of an icon, in the form in which jq programs return icons.
func IconOf(i value.Icon) any { return format.IconText(i) }

// ColorOf returns a color unchanged.
func ColorOf(c theme.RoleColor) any { return c }

// written() reports whether the file sets the parameter.
func (in *Input) written() bool { return in.Cell != nil || in.Plain != nil }

// blank() reports whether the parameter is not set, or set to an empty text.
func (in *Input) blank() bool { return in.Cell == nil && (in.Plain == nil || in.Plain == "") }

// Update loads a new value. It reports whether the value changed or became stale.
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

// Value returns the latest value. ok is false if there is no value, or if the value is infinite or NaN.
func (in *Input) Value() (v any, ok bool) {
	if in.Cell == nil {
		return in.Plain, in.Plain != nil && !boundless(in.Plain)
	}
	if in.Seen == nil || !in.Seen.Has() || in.Seen.Err != nil && in.Seen.Value == nil || boundless(in.Seen.Value) {
		return nil, false
	}
	return in.Seen.Value, true
}

// boundless() reports whether a value is infinite or NaN.
func boundless(v any) bool {
	f, ok := v.(float64)
	return ok && (math.IsNaN(f) || math.IsInf(f, 0))
}

// Text returns the latest value as text.
func (in *Input) Text() string {
	v, ok := in.Value()
	if !ok || v == nil {
		return ""
	}
	return format.Short(format.PlainText(v))
}

// Number returns the latest value as a number.
func (in *Input) Number() (float64, bool) {
	v, ok := in.Value()
	if !ok {
		return 0, false
	}
	return format.NumberOf(v)
}

// Color returns the latest value as a premultiplied color. The value may be a role of the theme. If there is no value, or if it is no
// color, Color returns `otherwise`.
func (in *Input) Color(b *Builder, otherwise color.RGBA) color.RGBA {
	v, ok := in.Value()
	if !ok {
		return otherwise
	}
	switch v := v.(type) {
	case theme.RoleColor:
		return render.Premultiply(v.NRGBA)
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
