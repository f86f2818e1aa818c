package widgets

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"dashboard/internal/pyfmt"
	"dashboard/provider"
	"dashboard/provider/derive"
	"dashboard/render"
	"dashboard/theme"
)

const (
	// placeholder is shown before there is a first value, and where an answer does not hold what is wanted.
	placeholder = "--"
	// maxReading bounds a text that came from outside, in bytes. No cell has room for more, and laying out a whole
	// document that an address answered with by mistake would hold up the wall.
	maxReading = 4096
	// staleStrength is how strongly a value that is out of date is drawn: too faint to be taken for a new one, still
	// readable from a chair.
	staleStrength = 0.45
)

// Dimming is the parameter of widgets that show values which may be out of date.
type Dimming struct {
	StaleColor *theme.Color `yaml:"stale_color" doc:"Color of a value that is older than three of its intervals. Without one it is drawn fainter."`
}

// Reading is the parameters of widgets that show a value as text.
type Reading struct {
	Lettering
	Padding       int    `yaml:"padding" default:"6" min:"0" unit:"px" doc:"Room between the text and each edge."`
	Align         string `yaml:"align" default:"center" enum:"left,center,right" doc:"Where the text stands from left to right."`
	VerticalAlign string `yaml:"vertical_align" default:"center" enum:"top,center,bottom" doc:"Where the text stands from top to bottom."`
	Dimming
	Backdrop
}

// reading shows the text in a cell.
type reading struct {
	*words
	cell  *provider.Cell
	fresh color.RGBA // of the text
	old   color.RGBA // of a text that is out of date

	// other returns what to show for a sample in place of its value, or "".
	other func(s *provider.Sample, stale bool) string

	seen  *provider.Sample // what is shown
	stale bool
	text  string
}

// reading makes a text that follows a cell of strings. What other returns comes before the value; it must say something
// for a sample that has none.
func (b *Builder) reading(s *Spec, size image.Point, p Reading, cell *provider.Cell, other func(*provider.Sample, bool) string) *reading {
	w := &reading{words: b.words(s, size, p.Lettering, placement{p.Padding, p.Align, p.VerticalAlign}, p.Backdrop), cell: cell, other: other}
	w.fresh, w.old = w.color, p.Dimming.of(w.color)
	return w
}

// of returns the color of what is out of date and else has the color c.
func (d Dimming) of(c color.RGBA) color.RGBA {
	if d.StaleColor != nil {
		return rgba(d.StaleColor)
	}
	return faint(c)
}

// faint returns a color, premultiplied, as it is drawn for what is out of date.
func faint(c color.RGBA) color.RGBA {
	f := func(v uint8) uint8 { return uint8(math.Round(float64(v) * staleStrength)) }
	return color.RGBA{f(c.R), f(c.G), f(c.B), f(c.A)}
}

// Update implements render.Widget.
func (w *reading) Update(t render.Tick) {
	s := w.cell.Load()
	stale := isStale(t, s)
	if s == w.seen && stale == w.stale {
		return
	}
	w.seen, w.stale = s, stale
	if w.text = w.other(s, stale); w.text == "" && s.Has() {
		w.text, _ = s.Value.(string)
	}
	w.set(t, w.text)
	if stale {
		w.setColor(t, w.old)
	} else {
		w.setColor(t, w.fresh)
	}
}

// Paint implements render.Widget.
func (w *reading) Paint(c render.Canvas) { w.paint(c) }

// isStale reports whether a sample is out of date, and has the widget called again when that begins.
func isStale(t render.Tick, s *provider.Sample) bool {
	at, ok := s.StaleAt()
	if !ok {
		return false
	}
	stale := t.Now().After(at)
	if !stale {
		t.Wake(at.Add(time.Nanosecond))
	}
	return stale
}

// formatted writes a value with a format, or as it is where the format does not suit it, and cuts what is too long.
func formatted(f *pyfmt.Format, v any) string { return short(string(f.AppendOr(nil, v))) }

// short cuts a text from outside to maxReading bytes.
func short(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= maxReading {
		return s
	}
	cut := maxReading
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// format reads a format string; one that is wrong is an error at its key.
func format(s *Spec, key, text string) (*pyfmt.Format, bool) {
	f, err := pyfmt.Parse(text)
	if err != nil {
		s.Errorf(key, "%v", err)
	}
	return f, err == nil
}

// add makes the tree's sources run p. Without sources, as when only a picture of the layout is wanted, nothing ever comes.
func (b *Builder) add(key string, p provider.Provider) *provider.Cell {
	if b.Sources == nil {
		return provider.NewCell(nil)
	}
	return b.Sources.Add(key, p)
}

// derive returns a cell of what f makes of the values in other cells. Definitions of the same kind with the same
// parameters, plain values, share one.
func (b *Builder) derive(kind string, params any, retry bool, f func(context.Context, []any) (any, error), from ...*provider.Cell) *provider.Cell {
	key := fmt.Sprintf("%s %+q", kind, fmt.Sprintf("%+v", params))
	for _, c := range from {
		key += " " + cellKey(c)
	}
	return b.add(key, derive.New(derive.Config{From: from, Make: f, Retry: retry}))
}

// cellKey tells cells apart. A cell is one definition of a source for as long as that runs, and is kept by what is derived
// from it: so its address is as good as the definition.
func cellKey(c *provider.Cell) string { return fmt.Sprintf("%p", c) }
