package picture

import (
	"image"
	"image/draw"
)

// rowReader reads any image as rows of premultiplied RGBA pixels. Each pixel of a row is the average of kx times ky source pixels.
// rowReader holds only one source row at a time.
type rowReader struct {
	src    image.Image
	kx, ky int
	cols   image.Rectangle // the source columns to read. Min.Y and Max.Y are the bounds of the source
	line   *image.RGBA     // one source row
	sums   []uint64        // sums for averaging. They are 64 bits wide, because millions of pixels of a thin source may be averaged into one
	mean   []uint8
}

// newRowReader returns a reader for the averaged columns from `first` to end-1. `slack` is the number of bytes after a row that the caller
// may also read. The values of these bytes are undefined.
func newRowReader(src image.Image, kx, ky, first, end, slack int) *rowReader {
	b := src.Bounds()
	b.Min.X, b.Max.X = b.Min.X+first*kx, min(b.Min.X+end*kx, b.Max.X)
	return &rowReader{
		src: src, kx: kx, ky: ky, cols: b,
		line: &image.RGBA{Pix: make([]uint8, 4*b.Dx()+slack)[:4*b.Dx()], Stride: 4 * b.Dx(), Rect: image.Rect(0, 0, b.Dx(), 1)},
		sums: make([]uint64, 4*(end-first)),
		mean: make([]uint8, 4*(end-first)+slack)[:4*(end-first)],
	}
}

// row returns the averaged row y. It is valid until the next call.
func (r *rowReader) row(y int) []uint8 {
	first := r.cols.Min.Y + y*r.ky
	if r.kx == 1 && r.ky == 1 {
		return r.read(first)
	}
	clear(r.sums)
	end := min(first+r.ky, r.cols.Max.Y)
	for y := first; y < end; y++ {
		r.add(r.read(y))
	}
	for i := range r.mean {
		x0 := i / 4 * r.kx
		n := uint64(min(r.kx, r.cols.Dx()-x0) * (end - first))
		r.mean[i] = uint8((r.sums[i] + n/2) / n)
	}
	return r.mean
}

// A rowSource is an image that is decoded during reading, row by row from top to bottom.
type rowSource interface {
	image.Image
	readRow(dst []uint8, x, y int) // writes premultiplied RGBA, as many pixels as fit in dst
}

// read returns source row y as RGBA.
func (r *rowReader) read(y int) []uint8 {
	if s, ok := r.src.(rowSource); ok {
		s.readRow(r.line.Pix, r.cols.Min.X, y)
		return r.line.Pix
	}
	draw.Draw(r.line, r.line.Rect, r.src, image.Pt(r.cols.Min.X, y), draw.Src)
	return r.line.Pix
}

// add adds a source row to the sums. Each sum receives kx pixels.
func (r *rowReader) add(line []uint8) {
	for i := 0; i < len(r.sums); i += 4 {
		var red, green, blue, alpha uint64
		part := line[:min(4*r.kx, len(line))]
		line = line[len(part):]
		for ; len(part) >= 4; part = part[4:] {
			red += uint64(part[0])
			green += uint64(part[1])
			blue += uint64(part[2])
			alpha += uint64(part[3])
		}
		s := r.sums[i : i+4 : i+4]
		s[0] += red
		s[1] += green
		s[2] += blue
		s[3] += alpha
	}
}
