package fb

import (
	"errors"
	"fmt"
	"image"
	"runtime"
	"runtime/debug"
)

// A painter writes pictures into a device's memory, row by row.
type painter struct {
	geometry Geometry
	rotation Rotation
	convert  converter
	mem      []byte
	pageRow  int    // first row of the page to paint. It replaces YOffset
	gathered []byte // working memory for one row of the device in RGBA, or for bandRows rows
	row      []byte // working memory for a row in the device's format. nil if the converter writes to the device directly
	tint     *tint  // nil if there is no tint
	tinted   []byte // working memory for a row after the tint
	writing  bool   // true while the device's memory is written. A panic at this time is caused by the memory
}

func newPainter(g Geometry, mem []byte, r Rotation, dither bool) *painter {
	p := &painter{
		geometry: g,
		rotation: r,
		convert:  newConverter(g.Format, dither),
		mem:      mem,
		pageRow:  g.YOffset,
		gathered: make([]byte, 4*g.Width),
	}
	if r == 90 || r == 270 {
		p.gathered = make([]byte, bandRows*4*g.Width)
	}
	if !writesWords(g.Format) {
		p.row = make([]byte, g.Width*g.Format.BytesPerPixel())
	}
	return p
}

// errFault is returned if the device's memory was unmapped while it was written.
var errFault = errors.New("fb: the device's memory is gone")

// noAddress is the message of a fault whose address the kernel or an emulator does not report.
const noAddress = "runtime error: invalid memory address or nil pointer dereference"

// isFault reports whether an error is a fault in memory. Other runtime errors, such as an index out of range, are errors of the program.
func isFault(e runtime.Error) bool {
	_, hasAddress := e.(interface{ Addr() uintptr }) // debug.SetPanicOnFault
	return hasAddress || e.Error() == noAddress
}

// catchFault converts a fault (SIGBUS) in the device's memory to an error. Such a fault occurs if a device is unplugged or a file is
// truncated while it is written. Other panics continue. Call it with `defer p.catchFault(debug.SetPanicOnFault(true), &err)`.
func (p *painter) catchFault(old bool, err *error) {
	debug.SetPanicOnFault(old)
	if !p.writing {
		return
	}
	p.writing = false
	switch e := recover().(type) {
	case nil:
	case runtime.Error:
		if !isFault(e) {
			panic(e)
		}
		*err = fmt.Errorf("%w: %w", errFault, e)
	default:
		panic(e)
	}
}

// paint paints the part r of the upright screen. Position p of the upright screen shows pixel p+at of src.
//
// Many drivers notice which pages of memory were written, and copy them to the screen a little later. Linux
// (drivers/gpu/drm/drm_fb_helper.c) makes a mistake if it has to copy only the last page, and this page lies in a single row and ends
// with this row. Linux then treats the area as empty. So paint writes the last pixel again, together with the pixel above it. An area of
// two rows never counts as empty.
func (p *painter) paint(src *image.RGBA, at image.Point, r image.Rectangle) {
	g := p.geometry
	dev := p.rotation.rect(r, g.Width, g.Height).Intersect(g.bounds())
	p.paintDevice(src, at, dev)
	p.paintDevice(src, at, image.Rect(dev.Max.X-1, dev.Max.Y-2, dev.Max.X, dev.Max.Y).Intersect(dev))
}

// paintDevice paints the part `dev` of the device. `dev` is in the device's coordinates.
func (p *painter) paintDevice(src *image.RGBA, at image.Point, dev image.Rectangle) {
	g := p.geometry
	for y := dev.Min.Y; y < dev.Max.Y; {
		first := p.rotation.upright(dev.Min.X, y, g.Width, g.Height).Add(at)
		rows := p.rows(src, first, dev.Dx(), dev.Max.Y-y)
		for ; len(rows) > 0; y++ {
			p.write(rows[:4*dev.Dx()], dev.Min.X, y)
			rows = rows[4*dev.Dx():]
		}
	}
}

// rows() returns RGBA pixels for the next rows of the device, with n pixels in each row. It returns at least one row and at most as many
// rows as the argument `most`. `first` is the position in src of the first pixel.
func (p *painter) rows(src *image.RGBA, first image.Point, n, most int) []byte {
	i := src.PixOffset(first.X, first.Y)
	switch p.rotation {
	case 90:
		rows := min(most, bandRows)
		quarter(p.gathered, 0, 4*n, src.Pix, i, -src.Stride, n, rows)
		return p.gathered[:rows*4*n]
	case 180:
		reverse(p.gathered[:4*n], src.Pix[i+4-4*n:i+4])
		return p.gathered[:4*n]
	case 270: // the pixels of the next row are to the left
		rows := min(most, bandRows)
		last := rows - 1
		quarter(p.gathered, last*4*n, -4*n, src.Pix, i-4*last, src.Stride, n, rows)
		return p.gathered[:rows*4*n]
	}
	return src.Pix[i : i+4*n]
}

// write converts a row of RGBA pixels and writes it to the device, starting at (x, y). It writes each byte once and reads nothing, because
// the device's memory is often not cached. It converts directly into the memory if the converter writes words. Otherwise it converts into
// the buffer `row` and then copies the buffer.
func (p *painter) write(pixels []byte, x, y int) {
	n := len(pixels) / 4 * p.geometry.Format.BytesPerPixel()
	at := p.geometry.offset(x, y) + (p.pageRow-p.geometry.YOffset)*p.geometry.Stride
	to := p.mem[at : at+n : at+n]
	if p.tint != nil {
		p.tint.apply(p.tinted[:len(pixels)], pixels)
		pixels = p.tinted[:len(pixels)]
	}
	if p.row != nil {
		p.convert(p.row[:n], pixels, x, y)
		p.writing = true
		copy(to, p.row[:n])
	} else {
		p.writing = true
		p.convert(to, pixels, x, y)
	}
	p.writing = false
}

// black() paints the upright screen black, but leaves out the rectangle in the argument `keep`.
func (p *painter) black(keep image.Rectangle) {
	g := p.geometry
	dev := p.rotation.rect(keep, g.Width, g.Height)
	row := p.gathered[:4*g.Width]
	clear(row)
	for y := range g.Height {
		if y < dev.Min.Y || y >= dev.Max.Y {
			p.write(row, 0, y)
			continue
		}
		p.write(row[:4*dev.Min.X], 0, y)
		p.write(row[4*dev.Max.X:], dev.Max.X, y)
	}
}
