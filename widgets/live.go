package widgets

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
	// Live returns where a program's results will land. What is wrong with it is reported to who asks, and answered with
	// false.
	Live(a query.Asker, key, code string) (*provider.Cell, bool)
	// LiveItem is Live for a program that has an entry of a list as .item, and its index as .index: the last of in. Each list but
	// the first is given by a program that has the entry before it.
	LiveItem(a query.Asker, key, code string, in []query.Entry) (*provider.Cell, bool)
}

// askerAt is the widget as whoever asks for a value, at the place of one of its parameters.
func (s *Spec) askerAt(pos string) query.Asker {
	a := s.asker()
	a.Pos = pos
	return a
}

// input is a live parameter: a plain value, or a cell that a program's results land in. The zero value has nothing.
type input struct {
	cell  *provider.Cell
	plain any
	seen  *provider.Sample
	stale bool
}

// cellOf returns the cell of a program; each is asked for once, however often its widget is built.
func (b *Builder) cellOf(s *Spec, n *config.Node) *provider.Cell {
	scope := s.itemScope()
	key := liveKey{n, scope.key}
	if c, ok := b.cells[key]; ok {
		b.asks(c)
		return c
	}
	c := provider.NewCell(nil)
	if b.Programs != nil && !b.running {
		if asked, ok := b.ask(s.askerAt(n.Pos()), keyOf(n), n.Text(), scope); ok {
			c = asked
		}
	}
	b.cells[key] = c
	b.asks(c)
	return c
}

// liveKey tells the cells of live parameters apart: by where they are written, and in the widget that entries of a list are
// shown as by the entry.
type liveKey struct {
	at    *config.Node
	scope string // key of an itemScope
}

// ask asks for what a program gives, that is written at a key.
func (b *Builder) ask(a query.Asker, key, code string, scope itemScope) (*provider.Cell, bool) {
	if len(scope.in) == 0 {
		return b.Programs.Live(a, key, code)
	}
	return b.Programs.LiveItem(a, key, code, scope.in)
}

// keyOf is the key that a value stands behind: the last part of its path.
func keyOf(n *config.Node) string {
	path := n.Path()
	return path[strings.LastIndexByte(path, '.')+1:]
}

// inputOf makes an input of a live parameter, nil of one that is not written.
func inputOf[T any](b *Builder, s *Spec, l *config.Live[T], plain func(T) any) input {
	switch {
	case l == nil:
		return input{}
	case l.IsLive():
		return input{cell: b.cellOf(s, l.Program)}
	}
	return input{plain: plain(l.Plain)}
}

// programOf is the program of a live parameter; "" of a plain one.
func programOf[T any](l *config.Live[T]) string {
	if l == nil || !l.IsLive() {
		return ""
	}
	return l.Program.Text()
}

// anyOf is the plain value as it is.
func anyOf[T any](v T) any { return v }

// iconOf is an icon as a program would give it.
func iconOf(i value.Icon) any { return iconText(i) }

// colorOf is a color as it is.
func colorOf(c theme.RoleColor) any { return c.NRGBA }

// written reports whether there is a parameter at all.
func (in *input) written() bool { return in.cell != nil || in.plain != nil }

// update looks for a new value and reports whether there is one, or the value became stale.
func (in *input) update(t render.Tick) bool {
	if in.cell == nil {
		return false
	}
	s := sampleOf(t, in.cell)
	stale := isStale(t, s)
	changed := s != in.seen || stale != in.stale
	in.seen, in.stale = s, stale
	return changed
}

// value is the latest value; ok is false where there is none.
func (in *input) value() (v any, ok bool) {
	if in.cell == nil {
		return in.plain, in.plain != nil && !boundless(in.plain)
	}
	if in.seen == nil || !in.seen.Has() || in.seen.Err != nil && in.seen.Value == nil || boundless(in.seen.Value) {
		return nil, false
	}
	return in.seen.Value, true
}

// boundless reports whether a value is no number that can be told: what jq calls nan and infinite.
func boundless(v any) bool {
	f, ok := v.(float64)
	return ok && (math.IsNaN(f) || math.IsInf(f, 0))
}

// text is the latest value as text.
func (in *input) text() string {
	v, ok := in.value()
	if !ok || v == nil {
		return ""
	}
	return short(plainText(v))
}

// number is the latest value as a number.
func (in *input) number() (float64, bool) {
	v, ok := in.value()
	if !ok {
		return 0, false
	}
	return numberOf(v)
}

// color is the latest value as a color of the tree's theme, premultiplied; without one it is otherwise.
func (in *input) color(b *Builder, otherwise color.RGBA) color.RGBA {
	v, ok := in.value()
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

// maxShown bounds a text that came from outside, in bytes: no cell has room for more.
const maxShown = 4096

// short cuts a text from outside to maxShown bytes.
func short(s string) string { return shortTo(s, maxShown) }

// shortTo cuts a text from outside to so many bytes.
func shortTo(s string, most int) string {
	whole := len(s) <= most
	s = strings.ToValidUTF8(s[:min(len(s), most+1)], "\uFFFD")
	if whole && len(s) <= most {
		return s
	}
	s = s[:min(len(s), most)]
	return strings.ToValidUTF8(s, "") + "…"
}
