//go:build linux

package main

import (
	"image"
	"image/color"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"dashboard/render/text"
)

// The text of row 9 of docs/benchmarks.md, and the size of its font in px. pygame_peer.py uses the same text.
const (
	sample   = "Saturday November twentyfirst"
	textSize = 22

	// figures is a text with as many characters as the text `sample`. More than half of them are digits.
	figures = "20:45:37 on 21.11.2026, 18.5C"
)

// Bounds of row 9 of docs/benchmarks.md, in µs.
const (
	mostGlyph = 0.4
	mostShape = 0.1
	mostPeer  = 0.8 // maximum time relative to the time of pygame
)

// glyphs() measures row 9: shaping and painting a text.
func glyphs(l *lab) error {
	ours, shape := entry("all of it cached", kernels, "text"), entry("", kernels, "shape")
	peer, std := entry("pygame.font", pygame, "text"), entry("font.Drawer", kernels, "font.Drawer")
	figures := entry("in a weight of a variable font, with tabular figures", kernels, "figures")
	plain := entry("portable", portable, "text")
	l.contest(ours, shape, figures, plain, peer, std)
	if ours.err != nil {
		return ours.err
	}
	ours.ns /= float64(len(sample))
	l.table.limit(9, "a glyph of a text of 29, shaping hit and painting", "%.2f µs", ours.ns/1e3, mostGlyph)
	l.table.limit(9, "the same, shaping hit alone", "%.3f µs", shape.ns/float64(len(sample))/1e3, mostShape)
	for _, p := range []*entrant{peer, std, figures, plain} {
		p.ns /= float64(len(sample))
	}
	l.against(9, "a glyph", ours, peer, atMost(mostPeer))
	l.against(9, "a glyph", figures, peer, atMost(mostPeer))
	l.beside(9, "a glyph", plain, peer)
	l.beside(9, "a glyph", ours, std)
	return nil
}

func label() *image.RGBA { return image.NewRGBA(image.Rect(0, 0, 600, 40)) }

// textCase shapes and paints the text `sample`. All its glyphs are in the cache.
func textCase(_ pictures, _ string) operation {
	return paintCase(text.NewCache(1<<20), text.Default(), sample)
}

// figuresCase does the same as textCase for the text `figures`, in the font that modern walls use for numbers.
func figuresCase(_ pictures, _ string) operation {
	c := text.NewCache(1 << 20)
	return paintCase(c, c.Style(text.Inter(), text.Style{Weight: 650, Optical: textSize, Tabular: true}), figures)
}

func paintCase(c *text.Cache, f *text.Font, s string) operation {
	dst := label()
	var l text.Line
	return func() int {
		c.Shape(&l, f, textSize, s)
		l.Paint(dst, dst.Rect, image.Pt(5, 30), color.RGBA{255, 255, 255, 255})
		return 0
	}
}

func shapeCase(_ pictures, _ string) operation {
	c := text.NewCache(1 << 20)
	var l text.Line
	return func() int { c.Shape(&l, text.Default(), textSize, sample); return 0 }
}

// drawerCase draws the text with the drawer of x/image, which rasterizes every glyph again.
func drawerCase(_ pictures, _ string) operation {
	f, err := opentype.Parse(gobold.TTF)
	if err != nil {
		panic(err) // cannot fail: the font is built in
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: textSize, DPI: 72})
	if err != nil {
		panic(err)
	}
	d := font.Drawer{Dst: label(), Src: image.White, Face: face}
	return func() int {
		d.Dot = fixed.P(5, 30)
		d.DrawString(sample)
		return 0
	}
}
