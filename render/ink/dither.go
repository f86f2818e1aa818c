package ink

import (
	"image"
	"math"
)

// Dither is a method of showing a photo with few inks.
type Dither uint8

// The methods of dithering.
const (
	// Diffuse passes each pixel's error on to its neighbors, which gives the finest picture. For two inks it uses Atkinson's weights,
	// which keep the contrast. For more inks it uses the weights of Floyd and Steinberg. Lines run to the right and to the left in turn.
	Diffuse Dither = iota
	// Ordered compares each pixel with a pattern of 8 x 8 thresholds. The picture is coarser, but no pixel depends on another pixel. So a
	// display can refresh only a part of the picture.
	Ordered
)

// unit is full light in the integer arithmetic of dithering. The sum of three squared differences fits in 32 bits.
const unit = 8191

// light is the red, green and blue light of a pixel or an ink, from 0 to the constant `unit`.
type light [3]int32

// A kernel lists the neighbors to which a pixel passes its error, and the share for each neighbor.
type kernel struct {
	shift uint
	taps  []tap
}

// tap is one neighbor: dx pixels ahead in the direction of the line, and dy lines below. This neighbor gets share/(1<<shift) of the error.
type tap struct{ dx, dy, share int32 }

// floydSteinberg returns the weights of Floyd and Steinberg, An Adaptive Algorithm for Spatial Greyscale, 1976.
func floydSteinberg() kernel { return kernel{4, []tap{{1, 0, 7}, {-1, 1, 3}, {0, 1, 5}, {1, 1, 1}}} }

// atkinson returns Bill Atkinson's weights from the first Macintosh. They add up to three quarters, so a quarter of the error is dropped.
func atkinson() kernel {
	return kernel{3, []tap{{1, 0, 1}, {2, 0, 1}, {-1, 1, 1}, {0, 1, 1}, {1, 1, 1}, {0, 2, 1}}}
}

const (
	errorRows = 3 // lines that a kernel reaches: the current line and the two lines below
	margin    = 2 // px that kernels reach to each side
)

// dither draws photos in inks.
type dither struct {
	how    Dither
	gray   bool
	tone   [3][256]int32 // light of each sRGB value, scaled to the range from the black to the white ink
	inks   []light
	lo, hi light // lowest and highest light of all inks, for each channel
	spread int32 // strength of the Ordered pattern if inks have colors
	ends   [2]uint8
	kernel kernel
	errors [errorRows][]light
	grays  []uint8 // the nearest ink for each gray, if no ink has a color
	floyd  *floyd  // fast version, if inks have colors
}

func newDither(p *Palette, size image.Point, how Dither) dither {
	d := dither{how: how, gray: p.Gray(), kernel: floydSteinberg(), lo: light{unit, unit, unit}}
	for _, ink := range p.Inks {
		l := lightOf(ink.Looks.R, ink.Looks.G, ink.Looks.B)
		d.inks = append(d.inks, l)
		for c := range l {
			d.lo[c], d.hi[c] = min(d.lo[c], l[c]), max(d.hi[c], l[c])
		}
	}
	rule := newRule(p)
	d.ends = [2]uint8{rule.grays[0], rule.grays[255]}
	d.tones()
	if len(p.Inks) == 2 {
		d.kernel = atkinson()
	}
	d.spread = d.hi[1] - d.lo[1]
	switch {
	case d.gray:
		d.grays = grayCells(d.inks)
	case how == Diffuse:
		d.floyd = newFloyd(&d, size.X)
		return d
	}
	for i := range d.errors {
		d.errors[i] = make([]light, size.X+2*margin)
	}
	return d
}

// lightOf converts an sRGB color to linear light.
func lightOf(r, g, b uint8) (l light) {
	for c, v := range [3]uint8{r, g, b} {
		l[c] = int32(math.Round(linear(v) * unit))
	}
	return l
}

// tones() fills d.tone. It maps black of a photo to the light of the black ink, and white to the light of the white ink.
func (d *dither) tones() {
	dark, bright := d.inks[d.ends[0]], d.inks[d.ends[1]]
	for c := range d.tone {
		for v := range d.tone[c] {
			d.tone[c][v] = dark[c] + int32(math.Round(float64(bright[c]-dark[c])*linear(uint8(v))))
		}
	}
}

// draw dithers the part r of a frame and writes the inks to dst.
func (d *dither) draw(dst *image.Paletted, frame *image.RGBA, r image.Rectangle) {
	switch {
	case d.how == Ordered:
		d.pattern(dst, frame, r)
	case d.floyd != nil:
		d.floyd.draw(dst, frame, r)
	default:
		d.lines(dst, frame, r)
	}
}

// lines() dithers the part r of a frame by error diffusion, pixel by pixel. It works with any kernel.
func (d *dither) lines(dst *image.Paletted, frame *image.RGBA, r image.Rectangle) {
	for i := range d.errors {
		clear(d.errors[i][:r.Dx()+2*margin])
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		d.line(dst, frame, r, y)
		first := d.errors[0]
		d.errors = [errorRows][]light{d.errors[1], d.errors[2], first}
		clear(first[:r.Dx()+2*margin])
	}
}

// line dithers one line by error diffusion. Even lines run to the right, odd lines to the left.
func (d *dither) line(dst *image.Paletted, frame *image.RGBA, r image.Rectangle, y int) {
	from := frame.Pix[y*frame.Stride+4*r.Min.X:][:4*r.Dx()]
	to := dst.Pix[y*dst.Stride+r.Min.X:][:r.Dx()]
	x, step := 0, 1
	if (y-r.Min.Y)%2 == 1 {
		x, step = len(to)-1, -1
	}
	for range to {
		to[x] = d.pixel(from[4*x:4*x+3:4*x+3], x, step)
		x += step
	}
}

// pixel chooses the ink of one pixel and passes its error on. Pure black and pure white are drawn without dithering: they do not use errors
// of other pixels and pass no error on. So a caption in a photo stays sharp.
func (d *dither) pixel(p []uint8, x, step int) uint8 {
	if ink, ok := d.end(p); ok {
		return ink
	}
	want := d.toned(p)
	have := &d.errors[0][x+margin]
	for c := range want {
		want[c] = min(max(want[c]+have[c]>>d.kernel.shift, d.lo[c]), d.hi[c])
	}
	ink := d.nearest(want)
	got := &d.inks[ink]
	miss := light{want[0] - got[0], want[1] - got[1], want[2] - got[2]}
	for _, t := range d.kernel.taps {
		at := &d.errors[t.dy][x+margin+step*int(t.dx)]
		at[0] += miss[0] * t.share
		at[1] += miss[1] * t.share
		at[2] += miss[2] * t.share
	}
	return ink
}

// end returns the ink for pure black or pure white. `ok` is false for any other color.
func (d *dither) end(p []uint8) (ink uint8, ok bool) {
	switch {
	case p[0]|p[1]|p[2] == 0:
		return d.ends[0], true
	case p[0]&p[1]&p[2] == 255:
		return d.ends[1], true
	}
	return 0, false
}

// toned() returns the light that the inks should reproduce for a pixel.
func (d *dither) toned(p []uint8) light {
	l := light{d.tone[0][p[0]], d.tone[1][p[1]], d.tone[2][p[2]]}
	if d.gray {
		y := (54*l[0] + 183*l[1] + 19*l[2] + 128) >> 8
		l = light{y, y, y}
	}
	return l
}

// nearest() returns the ink that is nearest to `want`. If all inks are grays, the three channels of `want` are equal.
func (d *dither) nearest(want light) uint8 {
	if d.gray {
		return d.grays[want[0]]
	}
	return nearest(d.inks, want)
}

// bayer returns the value of the 8 x 8 pattern, 0 to 63 (Bayer, An Optimum Method for Two-Level Rendition of Continuous-Tone
// Pictures, 1973).
func bayer(x, y int) int32 {
	x ^= y
	v := 0
	for bit := range 3 {
		v = v<<2 | (x>>bit&1)<<1 | y>>bit&1
	}
	return int32(v)
}

// pattern dithers the part r of a frame with the 8 x 8 pattern. The pattern starts at the frame's corner, so it does not move with the
// photo.
func (d *dither) pattern(dst *image.Paletted, frame *image.RGBA, r image.Rectangle) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			p := frame.Pix[y*frame.Stride+4*x:][:3:3]
			ink, ok := d.end(p)
			if !ok {
				ink = d.compared(d.toned(p), bayer(x, y))
			}
			dst.Pix[y*dst.Stride+x] = ink
		}
	}
}

// compared() returns the ink for a light at a place of the pattern. If all inks are grays, the result is the next darker or the next
// brighter gray.
func (d *dither) compared(want light, place int32) uint8 {
	if !d.gray {
		by := (2*place - 63) * d.spread / 128
		for c := range want {
			want[c] = min(max(want[c]+by, d.lo[c]), d.hi[c])
		}
		return d.nearest(want)
	}
	i := 0
	for i < len(d.inks)-2 && d.inks[i+1][0] <= want[0] {
		i++
	}
	if low, high := d.inks[i][0], d.inks[i+1][0]; (want[0]-low)*128 > (high-low)*(2*place+1) {
		i++
	}
	return uint8(i)
}
