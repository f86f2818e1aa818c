package classic

import (
	"image"
	"image/color"

	"dashboard/provider"
	"dashboard/provider/query"
	"dashboard/render"
	"dashboard/theme"
	"dashboard/widgets/kit"
)

// reading shows the value of a provider.Cell as text.
type reading struct {
	*kit.Words
	value query.Words
	fresh color.RGBA // color of a current text
	old   color.RGBA // color of an outdated text

	seen  *provider.Sample // sample that the text shows
	stale bool
	text  string
}

// Update implements render.Widget.
func (w *reading) Update(t render.Tick) {
	s := kit.SampleOf(t, w.value.Cell)
	stale := kit.IsStale(t, s)
	if s == w.seen && stale == w.stale {
		return
	}
	w.seen, w.stale = s, stale
	if w.text = w.value.Instead(s, stale); w.text == "" {
		w.text, _ = w.value.Value(s)
	}
	w.Set(t, w.text)
	if stale {
		w.SetColor(t, w.old)
	} else {
		w.SetColor(t, w.fresh)
	}
}

// Paint implements render.Widget.
func (w *reading) Paint(c render.Canvas) { w.Draw(c) }

// newReading creates a text that shows a value. If `ok` is false, no value can arrive, and the text is always the placeholder. newReading
// checks the font in both cases.
func newReading(b *kit.Builder, s *kit.Spec, size image.Point, p Reading, value query.Words, ok bool) render.Widget {
	w := &reading{Words: b.Words(s, size, p.Lettering, kit.Placement{Padding: p.Padding, Align: p.Align, Vertical: p.VerticalAlign}, p.Backdrop), value: value}
	if !ok { // the value can never arrive
		w.Block.Set(placeholder)
		return kit.TextWidget{Words: w.Words}
	}
	w.fresh, w.old = w.Color, p.Dimming.of(w.Color)
	return w
}

// Reading holds the parameters of widgets that show a value as text.
type Reading struct {
	kit.Lettering
	// Padding between the text and each edge.
	Padding int `yaml:"padding" default:"6" min:"0" unit:"px"`
	// Horizontal position of the text.
	Align string `yaml:"align" default:"center" enum:"left,center,right" else:"left"`
	// Vertical position of the text.
	VerticalAlign string `yaml:"vertical_align" default:"center" enum:"top,center,bottom" else:"top"`
	Dimming
	kit.Backdrop
}

// Dimming holds the parameter of widgets whose values may be outdated.
type Dimming struct {
	// Color of a stale value. Default: the usual color, fainter.
	StaleColor *theme.Color `yaml:"stale_color"`
}

// of() returns the color of outdated values. If no such color is configured, it returns a fainter color than c.
func (d Dimming) of(c color.RGBA) color.RGBA {
	if d.StaleColor != nil {
		return kit.Rgba(d.StaleColor)
	}
	return kit.Faint(c)
}

// `placeholder` replaces a value that can never arrive.
const placeholder = "--"
