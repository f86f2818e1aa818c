package netstream

import (
	"encoding/binary"
	"image"
	"io"
	"slices"
)

// A BMP of 24 bits a pixel (Microsoft's BITMAPFILEHEADER and BITMAPINFOHEADER): rows of B, G, R from the bottom to
// the top, each padded to four bytes. There is nothing in it to be kept, so its encoder keeps nothing.
const (
	bmpFileHeader = 14
	bmpInfoHeader = 40
	bmpHeader     = bmpFileHeader + bmpInfoHeader
	bmpBits       = 24
)

type bmpEncoder struct{ w, h int }

func (e bmpEncoder) update(*image.RGBA, []image.Rectangle) []int     { return nil }
func (e bmpEncoder) size() int                                       { return bmpHeader + bmpStride(e.w)*e.h }
func (e bmpEncoder) memory() int                                     { return 0 }
func (e bmpEncoder) tiles() int                                      { return 0 }
func (e bmpEncoder) maxDelta() int                                   { return 0 }
func (e bmpEncoder) appendDelta(dst []byte, _ []int) ([]byte, error) { return dst, nil }
func (e bmpEncoder) appendPieces(dst []piece, _ []int) []piece       { return dst }

func (e bmpEncoder) appendTo(dst []byte, src *image.RGBA) []byte {
	dst = slices.Grow(dst, e.size())
	dst = appendBMPHeader(dst, e.w, e.h, false)
	for y := e.h - 1; y >= 0; y-- {
		dst = appendBMPRow(dst, row(src, src.Rect, y))
	}
	return dst
}

// bmpStride is the bytes from one row of a file to the next.
func bmpStride(w int) int { return (w*bmpBits/8 + 3) &^ 3 }

// appendBMPHeader appends both headers. A height written as negative says that rows begin at the top.
func appendBMPHeader(dst []byte, w, h int, topDown bool) []byte {
	le := binary.LittleEndian
	pixels := bmpStride(w) * h
	signed := int32(h)
	if topDown {
		signed = -signed
	}
	dst = append(dst, 'B', 'M')
	dst = le.AppendUint32(dst, uint32(bmpHeader+pixels))
	dst = le.AppendUint32(dst, 0)
	dst = le.AppendUint32(dst, bmpHeader)
	dst = le.AppendUint32(dst, bmpInfoHeader)
	dst = le.AppendUint32(dst, uint32(w))
	dst = le.AppendUint32(dst, uint32(signed))
	dst = le.AppendUint16(dst, 1) // planes
	dst = le.AppendUint16(dst, bmpBits)
	dst = le.AppendUint32(dst, 0) // not compressed
	dst = le.AppendUint32(dst, uint32(pixels))
	return append(dst, make([]byte, bmpInfoHeader-24)...) // resolution and palette: none
}

// appendBMPRow appends a row of RGBA pixels.
func appendBMPRow(dst, rgba []byte) []byte {
	at := len(dst)
	dst = dst[:at+bmpStride(len(rgba)/4)]
	out := dst[at:]
	for len(rgba) >= 4 && len(out) >= 3 {
		out[0], out[1], out[2] = rgba[2], rgba[1], rgba[0]
		out, rgba = out[3:], rgba[4:]
	}
	clear(out)
	return dst
}

// bmpStrips writes rows from the top, because that is how they come.
type bmpStrips struct {
	w   io.Writer
	buf []byte
}

func newBMPStrips(w io.Writer, width, height int) (*bmpStrips, error) {
	s := &bmpStrips{w: w, buf: make([]byte, 0, bmpStride(width))}
	_, err := w.Write(appendBMPHeader(nil, width, height, true))
	return s, err
}

func (s *bmpStrips) Write(strip *image.RGBA) error {
	for y := range strip.Rect.Dy() {
		s.buf = appendBMPRow(s.buf[:0], row(strip, image.Rect(0, 0, strip.Rect.Dx(), 1), y))
		if _, err := s.w.Write(s.buf); err != nil {
			return err
		}
	}
	return nil
}
