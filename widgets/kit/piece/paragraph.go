package piece

import (
	"image"
	"image/color"

	"dashboard/render"
	"dashboard/render/text"
	"dashboard/widgets/kit"
)

// Paragraph is a text of several lines in a style of the theme.
type Paragraph struct {
	B     *kit.Builder
	Face  kit.Face
	Edge  kit.Edge
	Valig text.VAlign
	Lines int
	Least int // px, to which it shrinks before it is cut; 0 does not shrink
	Block *text.Block
	Size  image.Point
	Raw   string
}

// BlockFor returns an empty block of the paragraph's type for a size.
func (p *Paragraph) BlockFor(size image.Point) *text.Block {
	return text.NewBlock(p.B.Text, text.Options{
		Font: p.Face.Font, Size: p.Face.Size, Box: size, Align: map[kit.Edge]text.Align{kit.EdgeStart: text.Left, kit.EdgeCenter: text.Center, kit.EdgeEnd: text.Right}[p.Edge],
		VAlign: p.Valig, Wrap: true, Ellipsis: true, Least: p.Least, Lines: p.Lines,
	})
}

// Set shows another text and reports whether it differs.
func (p *Paragraph) Set(s string) bool {
	p.Raw = s
	return p.Block.Set(s)
}

// Natural is how large the text is in a width, px.
func (p *Paragraph) Natural(width int) image.Point {
	if p.Raw == "" {
		return image.Pt(0, p.Face.Line)
	}
	if n := p.B.TextWidth(p.Face, p.Raw); n <= width && p.Lines != 1 {
		return image.Pt(n, p.Face.Line)
	}
	block := p.BlockFor(image.Pt(width, MaxBadge))
	block.Set(p.Raw)
	return image.Pt(width, max(1, block.Lines())*p.Face.Line)
}

// Paint draws the text in a color.
func (p *Paragraph) Paint(c render.Canvas, col color.RGBA) { p.Block.Paint(c.Dst, c.Clip, c.Org, col) }

// NewParagraph makes an empty text for a box. lines bounds its lines. If 0, it is what fits.
func NewParagraph(b *kit.Builder, f kit.Face, size image.Point, fl kit.Edge, v text.VAlign, lines int) *Paragraph {
	p := &Paragraph{B: b, Face: f, Edge: fl, Valig: v, Lines: lines, Size: size}
	p.Block = p.BlockFor(size)
	return p
}

// MaxBadge bounds the sides of a badge, px: the largest side of a frame.
const MaxBadge = 7680
