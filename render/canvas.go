package render

import (
	"image"
	"image/color"
)

// Canvas is a widget's clipped view of the frame being painted. It is a small value: pass it on, never
// keep it. Coordinates of its methods are the widget's own, px, (0,0) at the top left of its cell.
type Canvas struct {
	// Dst is the frame, or a layer of it: premultiplied RGBA. The frame itself is opaque everywhere.
	Dst *image.RGBA
	// Clip is the only part of Dst that may be touched, in Dst's coordinates. It lies inside Dst.
	Clip image.Rectangle
	// Org is where the widget's (0,0) lies in Dst.
	Org image.Point
	// Base is where Dst's (0,0) lies on the frame: (0,0), unless Dst is a layer.
	Base image.Point
}

// NewCanvas returns a canvas over the whole of dst.
func NewCanvas(dst *image.RGBA) Canvas {
	return Canvas{Dst: dst, Clip: dst.Rect, Org: dst.Rect.Min}
}

// In returns the canvas of a child that fills r.
func (c Canvas) In(r image.Rectangle) Canvas {
	r = r.Add(c.Org)
	c.Org, c.Clip = r.Min, c.Clip.Intersect(r)
	return c
}

// At returns the canvas moved by p without a new clip, for children on the move.
func (c Canvas) At(p image.Point) Canvas { c.Org = c.Org.Add(p); return c }

// Sees reports whether any pixel of r can be touched.
func (c Canvas) Sees(r image.Rectangle) bool { return r.Add(c.Org).Overlaps(c.Clip) }

// local returns r in Dst's coordinates, cut to the clip.
func (c Canvas) local(r image.Rectangle) image.Rectangle { return r.Add(c.Org).Intersect(c.Clip) }

// Premultiply returns a color as the canvas wants it.
func Premultiply(n color.NRGBA) color.RGBA {
	return color.RGBA{mul255(n.R, n.A), mul255(n.G, n.A), mul255(n.B, n.A), n.A}
}

// mul255 returns a*b/255, rounded; exact where either is 0 or 255.
func mul255(a, b uint8) uint8 {
	t := uint32(a)*uint32(b) + 128
	return uint8((t + t>>8) >> 8)
}

// Fill blends col (premultiplied) over r.
func (c Canvas) Fill(r image.Rectangle, col color.RGBA) {
	r = c.local(r)
	if r.Empty() || col.A == 0 {
		return
	}
	if col.A != 255 {
		blendRect(c.Dst, r, col)
		return
	}
	fillRect(c.Dst, r, col)
}

// Set overwrites r with col (premultiplied), alpha included; a layer is cleared with it.
func (c Canvas) Set(r image.Rectangle, col color.RGBA) {
	if r = c.local(r); !r.Empty() {
		fillRect(c.Dst, r, col)
	}
}

// fillRect writes one row and copies it down: copying is several times faster than storing pixels.
func fillRect(dst *image.RGBA, r image.Rectangle, col color.RGBA) {
	n := 4 * r.Dx()
	i := dst.PixOffset(r.Min.X, r.Min.Y)
	first := dst.Pix[i : i+n : i+n]
	for x := 0; x < n; x += 4 {
		s := first[x : x+4 : x+4]
		s[0], s[1], s[2], s[3] = col.R, col.G, col.B, col.A
	}
	for y := r.Min.Y + 1; y < r.Max.Y; y++ {
		i += dst.Stride
		copy(dst.Pix[i:i+n], first)
	}
}

func blendRect(dst *image.RGBA, r image.Rectangle, col color.RGBA) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		i := dst.PixOffset(r.Min.X, y)
		row := dst.Pix[i : i+4*r.Dx()]
		for x := 0; x+4 <= len(row); x += 4 {
			over(row[x:x+4:x+4], col)
		}
	}
}

// over blends a premultiplied color over one pixel.
func over(p []uint8, col color.RGBA) {
	na := 255 - col.A
	p[0] = col.R + mul255(p[0], na)
	p[1] = col.G + mul255(p[1], na)
	p[2] = col.B + mul255(p[2], na)
	p[3] = col.A + mul255(p[3], na)
}

// coverOver blends a premultiplied color over one pixel that it covers to m/255.
func coverOver(p []uint8, col color.RGBA, m uint8) {
	if m == 0 {
		return
	}
	over(p, color.RGBA{mul255(col.R, m), mul255(col.G, m), mul255(col.B, m), mul255(col.A, m)})
}

// Image blends src (premultiplied) with its top left corner at p. Opaque says that src has no
// transparency, so that its rows can be copied.
func (c Canvas) Image(p image.Point, src *image.RGBA, opaque bool) {
	at := p.Add(c.Org)
	r := src.Rect.Sub(src.Rect.Min).Add(at).Intersect(c.Clip)
	if r.Empty() {
		return
	}
	sp := r.Min.Sub(at).Add(src.Rect.Min)
	n := 4 * r.Dx()
	for y := range r.Dy() {
		s := src.PixOffset(sp.X, sp.Y+y)
		d := c.Dst.PixOffset(r.Min.X, r.Min.Y+y)
		if opaque {
			copy(c.Dst.Pix[d:d+n], src.Pix[s:s+n])
			continue
		}
		blendRow(c.Dst.Pix[d:d+n], src.Pix[s:s+n])
	}
}

func blendRow(dst, src []uint8) {
	for x := 0; x+4 <= len(src) && x+4 <= len(dst); x += 4 {
		s := src[x : x+4 : x+4]
		if s[3] != 0 {
			over(dst[x:x+4:x+4], color.RGBA{s[0], s[1], s[2], s[3]})
		}
	}
}
