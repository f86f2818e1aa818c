package picture

import (
	"image"
	"math"
)

// MaxBlur bounds the standard deviation of a blur, in px. Greater values count as MaxBlur.
const MaxBlur = 1024

// `finer` is the number of steps per color level that a blur stores between its passes. So the result is rounded to whole levels only once
// for each axis.
const finer = 256

// mean is one pixel or a sum of pixels: red, green, blue and alpha, premultiplied. Channels are stored in steps of 1/finer of a level.
type mean [4]uint32

// Blur blurs all frames in place. Three box passes along the rows and three along the columns approximate a Gaussian. `sigma` is the
// standard deviation of the Gaussian in px, as in CSS. Beyond the edges, the blur uses a mirror image of the picture, so that edges keep
// their brightness. The blur needs extra memory for one row or column, with a margin of half a box at each end. Blur sets Drawing to
// false.
func (p *Picture) Blur(sigma float64) {
	radius := boxRadius(sigma)
	if radius == 0 {
		return
	}
	l := newLine(max(p.Rect.Dx(), p.Rect.Dy()), radius)
	for _, f := range p.Frames {
		l.blur(f.Img)
	}
	p.Drawing = false
}

// boxRadius returns the radius of the three boxes with which the result is most similar to a Gaussian. A box is 2·radius+1 px wide.
func boxRadius(sigma float64) int {
	if !(sigma > 0) {
		return 0
	}
	sigma = min(sigma, MaxBlur)
	return int(math.Round((math.Sqrt(4*float64(sigma*sigma)+1) - 1) / 2))
}

// line is the working memory of a blur: a row or column with a margin of mirrored pixels at each end, and the result of a pass.
type line struct {
	radius  int
	inverse uint64 // 1<<32 divided by the width of the box
	in      []mean
	out     []mean
}

func newLine(longest, radius int) *line {
	width := uint64(2*radius + 1)
	return &line{radius: radius, inverse: (1<<32 + width/2) / width, in: make([]mean, longest+2*radius), out: make([]mean, longest)}
}

func (l *line) blur(img *image.RGBA) {
	size := img.Rect.Size()
	for y := range size.Y {
		l.run(img.Pix[y*img.Stride:], size.X, 4)
	}
	for x := range size.X {
		l.run(img.Pix[4*x:], size.Y, img.Stride)
	}
}

// run blurs one row or column of n pixels, which are `step` bytes apart.
func (l *line) run(pix []uint8, n, step int) {
	out := l.out[:n]
	for i := range out {
		at := pix[i*step:][:4]
		out[i] = mean{uint32(at[0]) * finer, uint32(at[1]) * finer, uint32(at[2]) * finer, uint32(at[3]) * finer}
	}
	for range 3 {
		l.pass(out)
	}
	for i, m := range out {
		at := pix[i*step:][:4]
		for c, v := range m {
			at[c] = uint8((v + finer/2) / finer)
		}
	}
}

// pass() replaces each pixel by the mean of the box around it. It writes the result to `out`.
func (l *line) pass(out []mean) {
	r, in := l.radius, l.in[:len(out)+2*l.radius]
	copy(in[r:], out)
	for i := range r {
		in[r-1-i], in[r+len(out)+i] = out[mirrored(-1-i, len(out))], out[mirrored(len(out)+i, len(out))]
	}
	var sum mean
	for i := range 2 * r {
		sum.add(&in[i])
	}
	for i := range out {
		sum.add(&in[i+2*r])
		out[i] = sum.share(l.inverse)
		sum.sub(&in[i])
	}
}

func (m *mean) add(n *mean) { m[0], m[1], m[2], m[3] = m[0]+n[0], m[1]+n[1], m[2]+n[2], m[3]+n[3] }

func (m *mean) sub(n *mean) { m[0], m[1], m[2], m[3] = m[0]-n[0], m[1]-n[1], m[2]-n[2], m[3]-n[3] }

// share multiplies each channel by inverse/(1<<32), rounded to nearest.
func (m *mean) share(inverse uint64) mean {
	const half = 1 << 31
	return mean{
		uint32((uint64(m[0])*inverse + half) >> 32), uint32((uint64(m[1])*inverse + half) >> 32),
		uint32((uint64(m[2])*inverse + half) >> 32), uint32((uint64(m[3])*inverse + half) >> 32),
	}
}

// mirrored() returns the index of the pixel at place i of a line of n pixels. Beyond the ends, the line continues as its mirror image.
func mirrored(i, n int) int {
	i = ((i % (2 * n)) + 2*n) % (2 * n)
	return min(i, 2*n-1-i)
}
