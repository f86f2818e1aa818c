package widgets

import (
	"image"
	"image/color"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
	"dashboard/render/text"
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

// paragraph is a text of several lines in a style of the theme.
type paragraph struct {
	b     *Builder
	face  face
	edge  edge
	valig text.VAlign
	lines int
	least int // px, to which it shrinks before it is cut; 0 does not shrink
	block *text.Block
	size  image.Point
	raw   string
}

// paragraph makes an empty text for a box. lines bounds its lines; 0 is what fits.
func (b *Builder) paragraph(f face, size image.Point, fl edge, v text.VAlign, lines int) *paragraph {
	p := &paragraph{b: b, face: f, edge: fl, valig: v, lines: lines, size: size}
	p.block = p.blockFor(size)
	return p
}

func (p *paragraph) blockFor(size image.Point) *text.Block {
	return text.NewBlock(p.b.Text, text.Options{
		Font: p.face.font, Size: p.face.size, Box: size, Align: map[edge]text.Align{edgeStart: text.Left, edgeCenter: text.Center, edgeEnd: text.Right}[p.edge],
		VAlign: p.valig, Wrap: true, Ellipsis: true, Least: p.least, Lines: p.lines,
	})
}

func (p *paragraph) set(s string) bool {
	p.raw = s
	return p.block.Set(s)
}

// natural is how large the text is in a width, px.
func (p *paragraph) natural(width int) image.Point {
	if p.raw == "" {
		return image.Pt(0, p.face.line)
	}
	if n := p.b.textWidth(p.face, p.raw); n <= width && p.lines != 1 {
		return image.Pt(n, p.face.line)
	}
	block := p.blockFor(image.Pt(width, maxBadge))
	block.Set(p.raw)
	return image.Pt(width, max(1, block.Lines())*p.face.line)
}

func (p *paragraph) paint(c render.Canvas, col color.RGBA) { p.block.Paint(c.Dst, c.Clip, c.Org, col) }
