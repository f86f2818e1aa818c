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
	// maxSide is the longest side of a picture that is decoded, the same as in the protocol.
	maxSide = netstream.MaxSide
	// pixelBytes limits the decoder's memory for each pixel of the screen, and leastDecode is always allowed. A service sends the
	// requested size, so a larger picture is an error or an attack. Most frames take 3 bytes for each pixel, and PNG takes 4. A
	// progressive JPEG of 1920x1080 fits.
	pixelBytes  = 4
	leastDecode = 40 << 20
	// maxScans limits the scans of a JPEG over the whole picture. A scan may have only 16 bytes, and encoders write about ten
	// scans.
	maxScans = 100
)

// errFormat reports an unknown picture format.
var errFormat = errors.New("not a JPEG, PNG or BMP file")

// A format is a file format of frames.
type format struct {
	magic  string
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
	bytes  func(file []byte) (int64, error) // memory for decoding (nil means four bytes a pixel)
}

var formats = [...]format{
	{"\xff\xd8", jpeg.DecodeConfig, jpeg.Decode, jpegBytes},
	{"\x89PNG", png.DecodeConfig, png.Decode, netstream.DecodeBytes},
	{"BM", bmp.DecodeConfig, bmp.Decode, nil},
}

// decode decodes a frame by its content, unless that takes too much memory for the screen's size.
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

// check reports why a picture is not decoded.
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
		need += pixelBytes * area(size) // scaling needs a copy
	}
	if most := maxDecode(screen); need > most {
		return fmt.Errorf("a picture of %dx%d pixels takes %d MiB to decode; on this screen at most %d", size.X, size.Y, need>>20, most>>20)
	}
	return nil
}

// jpegBytes returns the memory for decoding a JPEG. It rejects a JPEG with too many scans, counted by their markers, which do
// not occur inside of a scan (ITU T.81, section F.1.2.3).
func jpegBytes(file []byte) (int64, error) {
	if n := bytes.Count(file, []byte{0xff, 0xda}); n > maxScans {
		return 0, fmt.Errorf("a picture of %d scans, more than %d", n, maxScans)
	}
	return netstream.DecodeBytes(file)
}

// maxDecode returns the limit of the decoder's memory, in bytes. A frame's sides are rounded up to whole blocks.
func maxDecode(screen image.Point) int64 {
	const block = 16
	return max(leastDecode, pixelBytes*area(screen.Add(image.Pt(block, block))))
}

// area returns the number of pixels as an int64, because an int may have 32 bits.
func area(size image.Point) int64 { return int64(size.X) * int64(size.Y) }
