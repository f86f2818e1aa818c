// Package bmp writes uncompressed 24-bit BMP files. An Encoder updates its file in place.
//
// Every pixel has a fixed position in the file. So a change is written in place, and the file can be sent at any time. Rows go from the
// top down, so a picture that is too large to keep can be written row by row. A negative height in the header marks this order. Common
// decoders can read such files.
//
//	file header 14 bytes, BITMAPINFOHEADER 40 bytes, then rows of B, G, R padded to four bytes
//	pixel (x, y) is at headerBytes + y*rowBytes + 3*x, rowBytes = (3*width + 3) &^ 3
//
// Layout: Microsoft, BITMAPFILEHEADER and BITMAPINFOHEADER (wingdi.h).
package bmp

import (
	"encoding/binary"
	"fmt"
	"image"
	"io"
)

const (
	fileHeaderBytes = 14
	infoHeaderBytes = 40
	headerBytes     = fileHeaderBytes + infoHeaderBytes

	// dotsPerMetre is 96 dots per inch, the usual resolution of screens.
	dotsPerMetre = 3780
)

// MaxSide bounds width and height, so that the file fits in the memory of a 32-bit machine.
const MaxSide = 16384

// geometry is the size of a picture in pixels.
type geometry struct{ width, height int }

func newGeometry(width, height int) (geometry, error) {
	if width < 1 || height < 1 || width > MaxSide || height > MaxSide {
		return geometry{}, fmt.Errorf("bmp: size %dx%d is not within 1..%d", width, height, MaxSide)
	}
	return geometry{width, height}, nil
}

// rowBytes is the length of a row in the file.
func (g geometry) rowBytes() int { return (3*g.width + 3) &^ 3 }

// appendHeader appends both headers of the file to dst.
func (g geometry) appendHeader(dst []byte) []byte {
	le := binary.LittleEndian
	body := g.rowBytes() * g.height
	dst = append(dst, "BM"...)
	dst = le.AppendUint32(dst, uint32(headerBytes+body))
	dst = le.AppendUint32(dst, 0)
	dst = le.AppendUint32(dst, headerBytes)
	dst = le.AppendUint32(dst, infoHeaderBytes)
	dst = le.AppendUint32(dst, uint32(g.width))
	dst = le.AppendUint32(dst, uint32(-g.height))
	dst = le.AppendUint16(dst, 1)
	dst = le.AppendUint16(dst, 24)
	dst = le.AppendUint32(dst, 0) // BI_RGB: no compression
	dst = le.AppendUint32(dst, uint32(body))
	dst = le.AppendUint32(dst, dotsPerMetre)
	dst = le.AppendUint32(dst, dotsPerMetre)
	return le.AppendUint64(dst, 0) // no palette
}

// pack copies RGBA pixels to dst as bytes B, G, R.
func pack(dst, rgba []byte) {
	for len(rgba) >= 4 && len(dst) >= 3 {
		dst[0], dst[1], dst[2] = rgba[2], rgba[1], rgba[0]
		dst, rgba = dst[3:], rgba[4:]
	}
}

// Encoder keeps the file of one picture up to date. It is not safe for concurrent use.
type Encoder struct {
	geometry
	file []byte
}

// New returns an encoder for pictures of width x height pixels, each from 1 to [MaxSide]. The picture is black at first.
func New(width, height int) (*Encoder, error) {
	g, err := newGeometry(width, height)
	if err != nil {
		return nil, err
	}
	e := &Encoder{geometry: g, file: make([]byte, 0, headerBytes+g.rowBytes()*height)}
	e.file = g.appendHeader(e.file)
	e.file = e.file[:cap(e.file)]
	return e, nil
}

// Update copies the damaged pixels of src into the file. src must be opaque and have the encoder's size. Update keeps no reference to src.
func (e *Encoder) Update(src *image.RGBA, damage ...image.Rectangle) {
	for _, r := range damage {
		r = r.Intersect(image.Rect(0, 0, e.width, e.height))
		for y := r.Min.Y; y < r.Max.Y; y++ {
			at := headerBytes + y*e.rowBytes()
			pack(e.file[at+3*r.Min.X:at+3*r.Max.X], src.Pix[y*src.Stride+4*r.Min.X:])
		}
	}
}

// Bytes returns the file. The slice belongs to the encoder, and the next Update changes it.
func (e *Encoder) Bytes() []byte { return e.file }

// Size returns the length of the file in bytes, which is also the memory of the encoder.
func (e *Encoder) Size() int { return len(e.file) }

// AppendTo appends the file to dst.
func (e *Encoder) AppendTo(dst []byte) []byte { return append(dst, e.file...) }

// WriteTo writes the file to w.
func (e *Encoder) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(e.file)
	return int64(n), err
}

// Strips writes a picture in strips, so the whole picture is never in memory. The file is the same as the file of an [Encoder].
type Strips struct {
	geometry
	w   io.Writer
	row []byte
	y   int // number of rows written so far
	err error
}

// NewStrips starts a picture of width x height pixels. It writes the header to w.
func NewStrips(w io.Writer, width, height int) (*Strips, error) {
	g, err := newGeometry(width, height)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(g.appendHeader(nil)); err != nil {
		return nil, err
	}
	return &Strips{geometry: g, w: w, row: make([]byte, g.rowBytes())}, nil
}

// Write adds the next rows of the picture. `strip` must have the picture's full width and may have any number of rows. Write calls w.Write
// once for each row. After an error of w, every further call returns the same error.
func (s *Strips) Write(strip *image.RGBA) error {
	size := strip.Rect.Size()
	if size.X != s.width || size.Y > s.height-s.y {
		return fmt.Errorf("bmp: a strip of %dx%d does not continue a picture of width %d with %d rows left",
			size.X, size.Y, s.width, s.height-s.y)
	}
	for y := 0; y < size.Y && s.err == nil; y++ {
		pack(s.row[:3*s.width], strip.Pix[y*strip.Stride:])
		_, s.err = s.w.Write(s.row)
		s.y++
	}
	return s.err
}
