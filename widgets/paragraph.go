package widgets

import (
	"image"
	"image/color"

	"dashboard/render"
	"dashboard/render/text"
)

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

// paragraph makes an empty text for a box. lines bounds its lines; 0 is what fits.
func (b *Builder) paragraph(f face, size image.Point, fl edge, v text.VAlign, lines int) *paragraph {
	p := &paragraph{b: b, face: f, edge: fl, valig: v, lines: lines, size: size}
	p.block = p.blockFor(size)
	return p
}

// maxBadge bounds the sides of a badge, px: the largest side of a frame.
const maxBadge = 7680
