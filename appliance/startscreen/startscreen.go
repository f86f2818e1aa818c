// Package startscreen paints the state of an appliance. While the appliance starts, the state fills the screen. Later it is a note
// in a corner of the wall.
package startscreen

import (
	"image"
	"image/color"

	"dashboard/internal/qrcode"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme/look"
)

// A Line is one fact on the start screen.
type Line struct {
	Icon string // name of a Material Design Icon, without its prefix
	Role string // role of the icon's color in the theme: muted, good, warn, bad
	Text string
}

// A Content is everything that the picture shows.
type Content struct {
	Name, Version string
	Lines         []Line
	Code          *qrcode.Code // QR code of the address. If it is nil, the start screen makes the code from Address
	Address       string       // address below the code on the start screen
	Doing         string       // current activity, at the foot of the start screen, or ""
	Share         float64      // completed share of Doing, or 0 for no bar
	Ask           *Ask         // question that the note asks, or nil
	Top           bool         // true to place the note in the upper right corner, because the lower edge is in use
}

// maxLines is the maximum number of lines that are laid out. The other lines are only counted.
const maxLines = 12

// Lengths in px, for a short side of 720 px.
const (
	noteWide  = 480 // width of a note with a code
	bareWide  = 360 // width of a note without a code
	besides   = 330 // minimum width for the words next to the code, with the paddings
	codeSide  = 150 // side of the code
	titleGap  = 18  // gap below the name and the version
	lineGap   = 8
	iconGap   = 12
	codeRound = 10
)

// Note paints the note for a wall of the given size. It returns the picture and its place on the wall. The corners are transparent.
func Note(wall image.Point, c Content, night bool, cache *text.Cache) (*image.RGBA, image.Rectangle) {
	p := newPainter(wall, cache, night)
	padX, padY, margin := p.px(p.look.Sizes.Padding), p.px(p.look.Sizes.PaddingY), p.px(p.look.Sizes.Margin)
	wide, side := p.px(bareWide), 0
	if c.Code != nil {
		wide = p.px(noteWide)
		side = max(3, moduleSize(c.Code, p.px(codeSide))) * (c.Code.Side + 2*qrcode.Quiet) // a phone needs 3 px for a module
		wide = max(wide, side+p.px(besides))
	}
	wide = min(wide, wall.X-2*margin)
	room := image.Pt(wide-2*padX, wall.Y-2*margin-2*padY)
	if side > 0 {
		room.X -= side + padX
	}
	if side > 0 && (room.X < p.px(120) || room.Y < side) { // the words have priority over the code
		room.X += side + padX
		side, c.Code = 0, nil
	}
	col := p.column(c, room, "caption")
	size := image.Pt(wide, max(col.high, side)+2*padY)
	pic := image.NewRGBA(image.Rectangle{Max: size})
	canvas := render.NewCanvas(pic)
	canvas.FillRound(image.Rectangle{Max: size}, render.NewCorner(p.px(p.look.Sizes.Radius), size), p.color("raised"))
	col.paint(canvas, image.Pt(padX, padY+(size.Y-2*padY-col.high)/2))
	if c.Code != nil {
		p.code(canvas, c.Code, image.Pt(wide-padX-side, padY+(size.Y-2*padY-side)/2), side)
	}
	at := wall.Sub(size).Sub(image.Pt(margin, margin))
	if c.Top {
		at.Y = margin
	}
	return pic, image.Rectangle{Min: at, Max: at.Add(size)}
}

// A painter has the values that depend on the size of the picture.
type painter struct {
	look    *look.Look
	cache   *text.Cache
	shorter int
}

func newPainter(size image.Point, cache *text.Cache, night bool) *painter {
	return &painter{look: look.Calm(night), cache: cache, shorter: min(size.X, size.Y)}
}

func (p *painter) px(v float64) int { return int(v*look.Lengths(p.shorter) + 0.5) }

func (p *painter) color(role string) color.RGBA { return render.Premultiply(p.look.Colors[role]) }

// moduleSize returns the module size in px of a code that fills a square. It is at least 1.
func moduleSize(c *qrcode.Code, side int) int { return max(1, side/(c.Side+2*qrcode.Quiet)) }

// code paints a code, black on white, in a square with the given position and side.
func (p *painter) code(c render.Canvas, code *qrcode.Code, at image.Point, side int) {
	m := moduleSize(code, side)
	all := m * (code.Side + 2*qrcode.Quiet)
	plate := image.Rectangle{Min: at, Max: at.Add(image.Pt(all, all))}
	c.FillRound(plate, render.NewCorner(min(p.px(codeRound), 2*m), plate.Size()), color.RGBA{255, 255, 255, 255})
	from := at.Add(image.Pt(qrcode.Quiet*m, qrcode.Quiet*m))
	code.Runs(func(x, end, y int) {
		c.Fill(image.Rect(from.X+x*m, from.Y+y*m, from.X+end*m, from.Y+(y+1)*m), color.RGBA{0, 0, 0, 255})
	})
}
