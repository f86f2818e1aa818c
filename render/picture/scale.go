package picture

import (
	"encoding/binary"
	"image"
	"image/draw"
	"math"
)

// Scale scales all of src to all of dst, with the same filter as Decode. It replaces the pixels of dst, also where src is transparent.
// The bounds of src and of dst must not be empty.
func Scale(dst, src *image.RGBA) { filter(dst, src, dst.Rect.Size(), image.Point{}) }

// render scales a stored picture to its placement, and then rotates it. Rotating after scaling is cheaper, because the picture is usually
// smaller then.
func render(src image.Image, o orientation, pl placement, smooth bool) *image.RGBA {
	virt, win := o.turn(pl.virt), o.storedRect(pl.win, pl.virt)
	return o.apply(scale(src, virt, win, smooth))
}

// scale returns a part of the scaled src. `virt` is the size of the whole scaled picture, and `win` is the part of it to return.
func scale(src image.Image, virt image.Point, win image.Rectangle, smooth bool) *image.RGBA {
	dst := image.NewRGBA(image.Rectangle{Max: win.Size()})
	b := src.Bounds()
	switch {
	case virt == b.Size():
		draw.Draw(dst, dst.Rect, src, b.Min.Add(win.Min), draw.Src)
	case smooth:
		filter(dst, src, virt, win.Min)
	default:
		unsmoothed(dst, src, virt, win.Min)
	}
	return dst
}

// unsmoothed() scales without smoothing: each pixel has the color of the source pixel below its center. The result is the same as the
// result of draw.NearestNeighbor in golang.org/x/image. draw.NearestNeighbor would add 17 kB of code, because it supports many
// combinations of formats.
func unsmoothed(dst *image.RGBA, src image.Image, virt, at image.Point) {
	b := src.Bounds()
	row, read := image.NewRGBA(image.Rect(0, 0, b.Dx(), 1)), -1
	cols := make([]int, dst.Rect.Dx())
	for x := range cols {
		cols[x] = 4 * below(at.X+x, virt.X, b.Dx())
	}
	for y := range dst.Rect.Dy() {
		if sy := below(at.Y+y, virt.Y, b.Dy()); sy != read {
			draw.Draw(row, row.Rect, src, image.Pt(b.Min.X, b.Min.Y+sy), draw.Src)
			read = sy
		}
		to := dst.Pix[y*dst.Stride:]
		for x, from := range cols {
			*(*[4]uint8)(to[4*x:]) = [4]uint8(row.Pix[from:])
		}
	}
}

// below() returns the index of the source pixel below the center of the scaled pixel i, if n source pixels are scaled to `virt` pixels.
func below(i, virt, n int) int { return int((2*int64(i) + 1) * int64(n) / (2 * int64(virt))) }

// All scaling uses integers, so that every processor gets the same pictures. A color has 8 bits. A Catmull-Rom kernel may overshoot by 60
// %. Together with the fraction bits below, the values fit in an int32.
const (
	weightBits = 14 // fraction bits of a weight. The weights of a pixel add up to exactly 1<<weightBits, so flat colors stay exact
	keptBits   = 6  // fraction bits of a row after the horizontal pass
)

// filter scales with a Catmull-Rom kernel, which is widened if the picture shrinks. The result is the same as the result of draw.CatmullRom
// in golang.org/x/image. draw.CatmullRom keeps 32 bytes for each source row and target column, which is 265 MB for a 4K picture on a 1080p
// screen. filter keeps only the few source rows that one target row needs.
func filter(dst *image.RGBA, src image.Image, virt, at image.Point) {
	size := src.Bounds().Size()
	kx, ky := boxFactor(size.X, virt.X), boxFactor(size.Y, virt.Y)
	cols := newTaps(size.X, kx, virt.X, at.X, dst.Rect.Dx())
	rows := newTaps(size.Y, ky, virt.Y, at.Y, dst.Rect.Dy())
	across := newAcross(cols)
	in := newRowReader(src, kx, ky, cols.first(), cols.end(), across.slack())

	// The ring holds the filtered source rows that one target row needs.
	ring := make([][]int32, rows.longest())
	for i := range ring {
		ring[i] = make([]int32, 4*dst.Rect.Dx())
	}
	sum, lines := make([]int32, 4*dst.Rect.Dx()), make([][]int32, len(ring))
	next := rows.first()
	for y, row := range rows {
		for ; next < row.end(); next++ {
			if next >= row.start { // skip source rows that no target pixel needs
				across.apply(ring[next%len(ring)], in.row(next))
			}
		}
		for j := range row.weights {
			lines[j] = ring[(row.start+j)%len(ring)]
		}
		mix(dst.Pix[y*dst.Stride:][:len(sum)], sum, lines[:len(row.weights)], row.weights)
	}
}

// boxFactor returns how many neighboring source pixels are averaged to one before the kernel runs. The kernel then shrinks the picture by
// the remaining factor, 2 to 4, so the result has the kernel's quality. Without averaging, a large photograph would need a hundred
// weights for each pixel.
func boxFactor(from, to int) int { return max(1, from/(2*to)) }

// taps are the weights along one axis: one weighting for each target pixel.
type taps []weighting

// weighting lists the weights of the source pixels that contribute to one target pixel. The first of these source pixels has the index
// `start`.
type weighting struct {
	start   int
	weights []int32
}

func (w weighting) end() int { return w.start + len(w.weights) }

func (t taps) first() int { return t[0].start }
func (t taps) end() int   { return t[len(t)-1].end() }

func (t taps) longest() (n int) {
	for _, w := range t {
		n = max(n, len(w.weights))
	}
	return n
}

// newTaps computes the weights for n target pixels, beginning with the target pixel `at`. `virt` is the length of the scaled side, and
// `size` is the length of the source side. Before this scaling, k source pixels at a time are averaged.
func newTaps(size, k, virt, at, n int) taps {
	count := (size + k - 1) / k
	step := float64(size) / float64(k) / float64(virt)
	wide := max(step, 1)
	t := make(taps, n)
	for i := range t {
		centre := (float64(at+i)+0.5)*step - 0.5
		lo := min(max(int(math.Ceil(centre-2*wide)), 0), count-1)
		hi := max(min(int(math.Floor(centre+2*wide)), count-1), lo)
		exact := sample(lo, hi, centre, wide)
		if hi == count-1 {
			exact[hi-lo] *= float64(size-hi*k) / float64(k) // the last averaged pixel may contain fewer than k source pixels
		}
		t[i] = weighting{lo, normalise(exact)}
	}
	return t
}

// sample returns the values of the kernel for the source pixels with the indices lo to `hi`. `centre` is the kernel's center, and `wide` is
// the factor by which it is widened.
func sample(lo, hi int, centre, wide float64) []float64 {
	exact := make([]float64, hi-lo+1)
	for i := range exact {
		exact[i] = catmullRom(math.Abs(float64(lo+i)-centre) / wide)
	}
	return exact
}

// normalise converts weights to integers whose sum is exactly 1<<weightBits.
func normalise(exact []float64) []int32 {
	total := 0.0
	for _, e := range exact {
		total += e
	}
	w := make([]int32, len(exact))
	rest, largest := int32(1<<weightBits), 0
	for i, e := range exact {
		w[i] = int32(math.Round(e / total * (1 << weightBits)))
		rest -= w[i]
		if w[i] > w[largest] {
			largest = i
		}
	}
	w[largest] += rest
	return w
}

// catmullRom is the cubic kernel of Mitchell and Netravali, "Reconstruction Filters in Computer Graphics" (1988), with B = 0 and C = 1/2.
func catmullRom(t float64) float64 {
	switch {
	case t < 1:
		return (1.5*t-2.5)*t*t + 1
	case t < 2:
		return ((-0.5*t+2.5)*t-4)*t + 2
	}
	return 0
}

// apply filters a row horizontally. `src` holds the source pixels, beginning with the index `first`. One 64-bit number holds the sums of
// two channels, one in each half. If the lower half is negative, it borrows from the upper half. The end of the function undoes the
// borrow, so the result is the same as with four separate sums.
func (t taps) apply(dst []int32, src []uint8, first int) {
	for i, w := range t {
		const both = round<<32 + round
		rb, ga := int64(both), int64(both)
		p := src[(w.start-first)*4:][:len(w.weights)*4]
		for _, f := range w.weights {
			v := uint64(binary.LittleEndian.Uint32(p))
			rb += int64(f) * int64(v&0xff|v<<16&(0xff<<32))
			ga += int64(f) * int64(v>>8&0xff|v<<8&(0xff<<32))
			p = p[4:]
		}
		const shift = weightBits - keptBits
		r, g := int32(rb), int32(ga)
		b, a := int32((rb-int64(r))>>32), int32((ga-int64(g))>>32)
		d := dst[i*4 : i*4+4 : i*4+4]
		d[0], d[1], d[2], d[3] = r>>shift, g>>shift, b>>shift, a>>shift
	}
}

// round is half of the value of the lowest bit that apply keeps, for rounding to nearest.
const round = 1 << (weightBits - keptBits - 1)

// mixPlain adds filtered rows, multiplied by their weights, and writes the pixels to dst. dst[0] is computed from the values with the
// index `from` in each row. `sum` is working memory.
func mixPlain(dst []uint8, sum []int32, lines [][]int32, weights []int32, from int) {
	for i := range sum {
		sum[i] = 1 << (weightBits + keptBits - 1)
	}
	line := func(j int) []int32 { return lines[j][from:][:len(sum)] }
	j, n := 0, len(weights)
	for ; j+3 <= n; j += 3 { // adding three rows at a time reads and writes `sum` a third as often
		f, g, h := weights[j], weights[j+1], weights[j+2]
		a, b, c := line(j), line(j+1), line(j+2)
		for i := range sum {
			sum[i] += f*a[i] + g*b[i] + h*c[i]
		}
	}
	for ; j < n; j++ {
		f := weights[j]
		for i, v := range line(j) {
			sum[i] += f * v
		}
	}
	store(dst, sum)
}

// store converts a row of sums to premultiplied pixels. The kernel overshoots at edges, so every value is limited to 0..255, and no color
// may exceed its alpha.
func store(dst []uint8, sum []int32) {
	for i := 0; i < len(sum); i += 4 {
		a := min(max(sum[i+3]>>(weightBits+keptBits), 0), 255)
		for c := range 3 {
			dst[i+c] = uint8(min(max(sum[i+c]>>(weightBits+keptBits), 0), a))
		}
		dst[i+3] = uint8(a)
	}
}
