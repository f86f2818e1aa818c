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
	// maxSide is the longest side of a picture that is decoded, what the protocol serves.
	maxSide = netstream.MaxSide
	// maxPixels bounds a picture as a whole: an 8K screen. Every service of the protocol sends the size that
	// it is asked for, so more is a mistake or malice; decoded it is some 100 MB.
	maxPixels = 7680 * 4320
)

// errFormat says that bytes are no picture of a kind that frames have.
var errFormat = errors.New("neither JPEG, PNG nor BMP")

// A format is a kind of file that a frame may come in.
type format struct {
	magic  string
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

var formats = [...]format{
	{"\xff\xd8", jpeg.DecodeConfig, jpeg.Decode},
	{"\x89PNG", png.DecodeConfig, png.Decode},
	{"BM", bmp.DecodeConfig, bmp.Decode},
}

// decode decodes a frame, by what it is rather than by what it is called, if it is not too large.
func decode(file []byte) (image.Image, error) {
	for _, f := range formats {
		if !bytes.HasPrefix(file, []byte(f.magic)) {
			continue
		}
		c, err := f.config(bytes.NewReader(file))
		if err != nil {
			return nil, err
		}
		if err := checkSize(c.Width, c.Height); err != nil {
			return nil, err
		}
		return f.decode(bytes.NewReader(file))
	}
	return nil, errFormat
}

// checkSize reports why a picture is not decoded.
func checkSize(w, h int) error {
	if w < 1 || h < 1 || w > maxSide || h > maxSide || w*h > maxPixels {
		return fmt.Errorf("a picture of %dx%d pixels", w, h)
	}
	return nil
}
