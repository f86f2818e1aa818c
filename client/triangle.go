package client

import (
	"image"
	"image/color"

	"dashboard/render"

	"golang.org/x/image/vector"
)

// Lengths of the triangle, relative to its side. They are the same as in the dashboard program Grydgets. The side is relative to the
// screen's shorter side.
const (
	triangleSide    = 48.0 / 1080
	minTriangleSide = 16 // px. A smaller triangle is invisible
	plateSide       = 1.4
	plateRadius     = 0.2 // relative to the side of the plate
	barWidth        = 0.11
	minBarWidth     = 2 // px
	barTop          = 0.34
	barBottom       = 0.66
	dotTop          = 0.75
)

var (
	amber = color.RGBA{255, 176, 32, 255}
	dark  = color.RGBA{32, 24, 0, 255}
)

// A triangle is the picture of a warning triangle on a plate. The picture is drawn only once.
type triangle struct {
	at     image.Rectangle
	sprite *image.RGBA
}

func newTriangle(screen image.Point, corner Corner) *triangle {
	side := max(minTriangleSide, round(triangleSide*float64(min(screen.X, screen.Y))))
	plate := round(plateSide * float64(side))
	t := &triangle{sprite: image.NewRGBA(image.Rect(0, 0, plate, plate))}
	t.at = t.sprite.Rect.Add(corner.Place(screen, image.Pt(plate, plate), margin(screen)))
	t.draw(float64(side), plate)
	return t
}

// Place returns the position of the upper left pixel of a rectangle in the corner c, at a distance from the edges of the screen.
func (c Corner) Place(screen, size image.Point, margin int) image.Point {
	p := image.Pt(margin, margin)
	if c == BottomRight || c == TopRight {
		p.X = screen.X - margin - size.X
	}
	if c == BottomRight || c == BottomLeft {
		p.Y = screen.Y - margin - size.Y
	}
	return p
}

func (t *triangle) draw(side float64, plate int) {
	c := render.NewCanvas(t.sprite)
	p := float64(plate)
	c.FillRound(t.sprite.Rect, render.NewCorner(round(plateRadius*p), t.sprite.Rect.Size()), panelBlack)
	inset := (p - side) / 2
	fillTriangle(t.sprite, float32(p/2), float32(inset), float32(p-inset))
	bar := max(minBarWidth, round(barWidth*side))
	x := round((p - float64(bar)) / 2)
	top, dot := round(inset+barTop*side), round(inset+dotTop*side)
	c.Fill(image.Rect(x, top, x+bar, top+round((barBottom-barTop)*side)), dark)
	c.Fill(image.Rect(x, dot, x+bar, dot+bar), dark)
}

// fillTriangle fills a triangle. Its top is at (mid, near), and its base runs from (near, far) to (far, far).
func fillTriangle(dst *image.RGBA, mid, near, far float32) {
	r := vector.NewRasterizer(dst.Rect.Dx(), dst.Rect.Dy())
	r.MoveTo(mid, near)
	r.LineTo(near, far)
	r.LineTo(far, far)
	r.ClosePath()
	r.Draw(dst, dst.Rect, image.NewUniform(amber), image.Point{})
}

func (t *triangle) paint(c render.Canvas) { c.Image(t.at.Min, t.sprite, false) }
