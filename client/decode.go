package client

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"

	"dashboard/netstream"

	"golang.org/x/image/bmp"
)

const (
	// maxSide bounds the sides of a picture, in pixels. The protocol has the same bound.
	maxSide = netstream.MaxSide
	// pixelBytes is the memory that decoding may use for each pixel of the screen, in bytes. leastDecode is the memory that decoding may
	// always use, even on a small screen, in bytes. The service sends pictures of the requested size, so a larger picture is an error or
	// an attack. Most frames need 3 bytes per pixel, and PNG needs 4. A progressive JPEG of 1920x1080 needs less than leastDecode.
	pixelBytes  = 4
	leastDecode = 40 << 20
	// maxScans is the maximum number of scans of a JPEG. Each scan takes time for all pixels of the picture, although a scan may have
	// only 16 bytes. Encoders write about ten scans.
	maxScans = 100
)

// errFormat is returned for a picture in an unknown format.
var errFormat = errors.New("not a JPEG, PNG or BMP file")

// A format is a file format for frames.
type format struct {
	magic  string
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
	bytes  func(file []byte) (int64, error) // returns the memory for decoding. If the field is nil, decoding needs four bytes for each pixel
}

var formats = [...]format{
	{"\xff\xd8", jpeg.DecodeConfig, jpeg.Decode, jpegBytes},
	{"\x89PNG", png.DecodeConfig, png.Decode, netstream.DecodeBytes},
	{"BM", bmp.DecodeConfig, bmp.Decode, nil},
}

// decode decodes a frame. The content of the file determines the format. decode returns an error if the picture needs too much memory for
// the given screen size.
func decode(file []byte, screen image.Point) (image.Image, error) {
	for _, f := range formats {
		if !bytes.HasPrefix(file, []byte(f.magic)) {
			continue
		}
		c, err := f.config(bytes.NewReader(file))
		if err != nil {
			return nil, err
		}
		if err := f.check(file, image.Pt(c.Width, c.Height), screen); err != nil {
			return nil, err
		}
		return f.decode(bytes.NewReader(file))
	}
	return nil, errFormat
}

// check returns an error if a side of the picture is too long, or if decoding the picture needs too much memory.
func (f *format) check(file []byte, size, screen image.Point) error {
	if size.X < 1 || size.Y < 1 || size.X > maxSide || size.Y > maxSide {
		return fmt.Errorf("a picture of %dx%d pixels", size.X, size.Y)
	}
	need := pixelBytes * area(size)
	if f.bytes != nil {
		var err error
		if need, err = f.bytes(file); err != nil {
			return err
		}
	}
	if size != screen {
		need += pixelBytes * area(size) // a picture of another size needs a copy for scaling
	}
	if most := maxDecode(screen); need > most {
		return fmt.Errorf("a picture of %dx%d pixels takes %d MiB to decode; on this screen at most %d", size.X, size.Y, need>>20, most>>20)
	}
	return nil
}

// jpegBytes returns the memory for decoding a JPEG. It returns an error if the JPEG has too many scans. It counts the markers of scans,
// which cannot occur inside the data of a scan (ITU T.81, section F.1.2.3).
func jpegBytes(file []byte) (int64, error) {
	if n := bytes.Count(file, []byte{0xff, 0xda}); n > maxScans {
		return 0, fmt.Errorf("a picture of %d scans, more than %d", n, maxScans)
	}
	return netstream.DecodeBytes(file)
}

// maxDecode returns the maximum memory for decoding, in bytes. The maximum includes the pixels with which a decoder fills incomplete
// blocks at the edges.
func maxDecode(screen image.Point) int64 {
	const block = 16
	return max(leastDecode, pixelBytes*area(screen.Add(image.Pt(block, block))))
}

// area() returns the number of pixels as an int64, because an int may have 32 bits.
func area(size image.Point) int64 { return int64(size.X) * int64(size.Y) }
