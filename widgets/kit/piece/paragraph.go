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
	Least int // minimum text size in px. A longer text is cut. 0 if the text must not shrink
	Block *text.Block
	Size  image.Point
	Raw   string
}

// BlockFor returns an empty block of text with the face of the paragraph and the given size.
func (p *Paragraph) BlockFor(size image.Point) *text.Block {
	return text.NewBlock(p.B.Text, text.Options{
		Font: p.Face.Font, Size: p.Face.Size, Box: size, Align: map[kit.Edge]text.Align{kit.EdgeStart: text.Left, kit.EdgeCenter: text.Center, kit.EdgeEnd: text.Right}[p.Edge],
		VAlign: p.Valig, Wrap: true, Even: true, Ellipsis: true, Least: p.Least, Lines: p.Lines,
	})
}

// Set sets the text and reports whether it changed.
func (p *Paragraph) Set(s string) bool {
	p.Raw = s
	return p.Block.Set(JoinRanges(s))
}

// Natural returns the size of the text in px if its lines are broken at the given width.
func (p *Paragraph) Natural(width int) image.Point {
	if p.Raw == "" {
		return image.Pt(0, p.Face.Line)
	}
	if n := p.B.TextWidth(p.Face, p.Raw); n <= width && p.Lines != 1 {
		return image.Pt(n, p.Face.Line)
	}
	block := p.BlockFor(image.Pt(width, MaxBadge))
	block.Set(JoinRanges(p.Raw))
	return image.Pt(width, max(1, block.Lines())*p.Face.Line)
}

// Paint draws the text in a color.
func (p *Paragraph) Paint(c render.Canvas, col color.RGBA) { p.Block.Paint(c.Dst, c.Clip, c.Org, col) }

// NewParagraph creates an empty paragraph. `lines` is the maximum number of lines. If `lines` is 0, the height is the only limit.
func NewParagraph(b *kit.Builder, f kit.Face, size image.Point, fl kit.Edge, v text.VAlign, lines int) *Paragraph {
	p := &Paragraph{B: b, Face: f, Edge: fl, Valig: v, Lines: lines, Size: size}
	p.Block = p.BlockFor(size)
	return p
}

// MaxBadge is the maximum side of a badge in px. It equals the maximum side of the whole picture.
const MaxBadge = 7680
