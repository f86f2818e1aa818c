package writing

import (
	"image"
	"image/color"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
	"dashboard/widgets/kit"
)

// IconParams are the parameters of the icon widget.
type IconParams struct {
	kit.Framed
	kit.Typed
	// Icon. text_size or style limits its size.
	Drawing config.Live[value.Icon] `yaml:"icon" required:"true"`
}

// iconWidget shows an icon.
type iconWidget struct {
	mark  *kit.Mark
	in    kit.Input
	color kit.Input
	ink   color.RGBA
	b     *kit.Builder
	side  int
}

func buildIcon(b *kit.Builder, s *kit.Spec, p *IconParams, size image.Point) render.Widget {
	side := min(size.X, size.Y)
	if p.TextSize > 0 || p.Style != "" {
		side = min(side, b.Typed(s, &p.Typed, "body").Size)
	}
	if !p.Drawing.IsLive() {
		b.CheckIcon(s, "icon", p.Drawing.Plain)
	}
	at := image.Pt((size.X-side)/2, (size.Y-side)/2)
	switch b.EdgeOf(p.Align) {
	case kit.EdgeStart:
		if p.Align != "" {
			at.X = 0
		}
	case kit.EdgeEnd:
		at.X = size.X - side
	}
	w := &iconWidget{b: b, side: side, in: kit.InputOf(b, s, &p.Drawing, kit.IconOf), color: kit.InputOf(b, s, p.Color, kit.ColorOf)}
	w.mark = b.Mark(image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))})
	w.load()
	return w
}

func (w *iconWidget) load() {
	w.mark.Set(w.in.Text())
	w.ink = w.color.Color(w.b, w.b.Role("text"))
}

// Natural implements kit.Sized.
func (w *iconWidget) Natural(int) image.Point { return image.Pt(w.side, w.side) }

// Update implements render.Widget.
func (w *iconWidget) Update(t render.Tick) {
	changed := w.in.Update(t)
	if w.color.Update(t) || changed {
		w.load()
		t.Damage(w.mark.Box)
	}
}

// Paint implements render.Widget.
func (w *iconWidget) Paint(c render.Canvas) { w.mark.Paint(c, w.ink) }
