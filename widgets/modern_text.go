package widgets

import (
	"image"
	"image/color"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
)

// IconParams are the parameters of the icon widget.
type IconParams struct {
	Framed
	Typed
	Drawing config.Live[value.Icon] `yaml:"icon" required:"true" doc:"The icon; as large as fits, text_size or style being the ceiling."`
}

// iconWidget shows one icon.
type iconWidget struct {
	mark  *mark
	in    input
	color input
	ink   color.RGBA
	b     *Builder
	side  int
}

func buildIcon(b *Builder, s *Spec, p *IconParams, size image.Point) render.Widget {
	side := min(size.X, size.Y)
	if p.TextSize > 0 || p.Style != "" {
		side = min(side, b.typed(s, &p.Typed, "body").size)
	}
	if !p.Drawing.IsLive() {
		b.checkIcon(s, "icon", p.Drawing.Plain)
	}
	at := image.Pt((size.X-side)/2, (size.Y-side)/2)
	switch b.edgeOf(p.Align) {
	case edgeStart:
		if p.Align != "" {
			at.X = 0
		}
	case edgeEnd:
		at.X = size.X - side
	}
	w := &iconWidget{b: b, side: side, in: inputOf(b, s, &p.Drawing, iconOf), color: inputOf(b, s, p.Color, colorOf)}
	w.mark = b.mark(image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))})
	w.load()
	return w
}

func (w *iconWidget) load() {
	w.mark.set(w.in.text())
	w.ink = w.color.color(w.b, w.b.role("text"))
}

// natural implements sized.
func (w *iconWidget) natural(int) image.Point { return image.Pt(w.side, w.side) }

// Update implements render.Widget.
func (w *iconWidget) Update(t render.Tick) {
	changed := w.in.update(t)
	if w.color.update(t) || changed {
		w.load()
		t.Damage(w.mark.box)
	}
}

// Paint implements render.Widget.
func (w *iconWidget) Paint(c render.Canvas) { w.mark.paint(c, w.ink) }
