package kit

import (
	"image"
	"image/color"

	"dashboard/render"
	"dashboard/render/path"
)

// Tinted is a widget that chooses a color for the top of its card.
type Tinted interface {
	// TintOf returns the premultiplied color at the top edge of the card. The color fades out downward. The zero value means no color.
	TintOf() color.RGBA
}

// glow is a color at the top of a card that fades out downward.
type glow struct {
	color color.RGBA
	shape path.Shape
	rows  []color.RGBA
}

// glowReach is the height in which the color fades out, as a share of the card's height.
const glowReach = 0.46

// paintTint paints the color that the content chooses.
func (w *Frame) paintTint(c render.Canvas) {
	if w.tint.A == 0 {
		return
	}
	if w.glow == nil {
		w.glow = newGlow(w.rect.Size(), w.b.Px(w.b.Look.Sizes.Radius))
	}
	w.glow.fade(w.tint)
	c.ShapeRows(&w.glow.shape, w.rect.Min, w.glow.rows)
}

// newGlow builds the shape of the top of a card.
func newGlow(size image.Point, radius int) *glow {
	high := int(float64(size.Y) * glowReach)
	g := &glow{rows: make([]color.RGBA, high)}
	r := float64(min(radius, size.X/2, high))
	var p path.Path
	p.MoveTo(0, float64(high))
	p.LineTo(0, r)
	p.QuadTo(0, 0, r, 0)
	p.LineTo(float64(size.X)-r, 0)
	p.QuadTo(float64(size.X), 0, float64(size.X), r)
	p.LineTo(float64(size.X), float64(high))
	p.Close()
	var raster path.Raster
	raster.Fill(&g.shape, &p, image.Rect(0, 0, size.X, high))
	return g
}

// fade() computes the color of each row.
func (g *glow) fade(c color.RGBA) {
	if g.color == c {
		return
	}
	g.color = c
	for y := range g.rows {
		g.rows[y] = Tint(c, 1-float64(y)/float64(len(g.rows)))
	}
}
