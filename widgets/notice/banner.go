package notice

import (
	"image"
	"image/color"

	"dashboard/provider"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/widgets/kit"
)

// Colors of the banner on a classic wall. They are readable on any content, by day and by night.
var (
	bannerColor = color.RGBA{32, 24, 0, 255}
	bannerEdge  = color.RGBA{255, 176, 32, 255}
	bannerText  = color.RGBA{255, 214, 140, 255}
)

const (
	bannerLines   = 4  // maximum number of lines. An ellipsis ends a longer message
	bannerShare   = 30 // divisor: the text size is the shorter side of the screen divided by bannerShare
	bannerLeast   = 16 // minimum text size in px, which is readable from a chair
	bannerPadding = 6  // padding around the text, in px
	bannerRule    = 2  // thickness of the line along the upper edge, in px
	bannerMost    = 2  // divisor: the maximum height is the screen's height divided by bannerMost, so that the wall stays visible
)

// banner shows a message at the bottom of a classic wall, above all widgets. It does not show a message that has an end time.
type banner struct {
	cell  *provider.Cell
	seen  uint64 // Seq of the shown sample
	size  image.Point
	line  int // line height, in px
	strip image.Rectangle
	block *text.Block
}

// newBanner returns the banner of a classic screen. It has fixed colors and the default font.
func newBanner(e *kit.Env, size image.Point) *banner {
	b := &banner{cell: e.Banner, size: size}
	font := text.Default()
	px := max(bannerLeast, min(size.X, size.Y)/bannerShare)
	line := font.Metrics(px).LineHeight
	lines := max(1, min(bannerLines, (size.Y/bannerMost-2*bannerPadding)/line))
	b.line, b.block = line, text.NewBlock(e.Text, text.Options{
		Font: font, Size: px, Box: image.Pt(size.X, lines*line+2*bannerPadding), Padding: bannerPadding,
		Wrap: true, Ellipsis: true,
	})
	return b
}

// Regions implements Layer.
func (b *banner) Regions(t render.Tick) { t.Flat(b.strip) }

// Update implements render.Widget.
func (b *banner) Update(t render.Tick) {
	sample := b.cell.Load()
	if sample.Seq == b.seen {
		return
	}
	b.seen = sample.Seq
	content, _ := sample.Value.(kit.Banner)
	message := content.String()
	if !content.Until.IsZero() {
		message = ""
	}
	if !b.block.Set(message) {
		return
	}
	t.Damage(b.strip)
	b.strip = image.Rectangle{}
	if message != "" {
		high := b.block.Lines()*b.line + 2*bannerPadding
		b.strip = image.Rect(0, b.size.Y-high, b.size.X, b.size.Y)
	}
	t.Damage(b.strip)
}

// Paint implements render.Widget.
func (b *banner) Paint(c render.Canvas) {
	if b.strip.Empty() || !c.Sees(b.strip) {
		return
	}
	c.Fill(b.strip, bannerColor)
	c.Fill(image.Rect(0, b.strip.Min.Y, b.size.X, b.strip.Min.Y+bannerRule), bannerEdge)
	b.block.Paint(c.Dst, c.Clip, c.Org.Add(b.strip.Min), bannerText)
}
