package kit

import (
	"image"
	"image/color"

	"dashboard/render"
)

// BarPattern is the pattern of a calendar's bars on a wall without colors.
type BarPattern uint8

// Patterns of bars.
const (
	barSolid BarPattern = iota
	BarHollow
	barStriped
	barPatterns = 3
)

// InkBar is the width of a bar on walls without colors, in px on a screen whose shorter side has 720 px.
const InkBar = 6

// InkHalo is the width of the white border around a line on a wall without colors, in px.
const InkHalo = 2

// PaintBar draws the bar of an event in a color or, on a wall without colors, in a pattern.
func PaintBar(c render.Canvas, r image.Rectangle, corner *render.Corner, p BarPattern, col color.RGBA) {
	thick := max(1, min(r.Dx(), InkBar)/3)
	switch p {
	case BarHollow:
		c.Fill(image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+thick), col)
		c.Fill(image.Rect(r.Min.X, r.Max.Y-thick, r.Max.X, r.Max.Y), col)
		c.Fill(image.Rect(r.Min.X, r.Min.Y+thick, r.Min.X+thick, r.Max.Y-thick), col)
		c.Fill(image.Rect(r.Max.X-thick, r.Min.Y+thick, r.Max.X, r.Max.Y-thick), col)
	case barStriped:
		high := max(2, r.Dy()/5)
		for y := r.Min.Y; y < r.Max.Y; y += 2 * high {
			c.Fill(image.Rect(r.Min.X, y, r.Max.X, min(r.Max.Y, y+high)), col)
		}
	default:
		c.FillRound(r, corner, col)
	}
}
