package output

import (
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"sync"

	"golang.org/x/image/bmp"
)

// Encoder writes a whole frame as a picture file. It is called by one goroutine at a time.
type Encoder interface {
	Encode(w io.Writer, img *image.RGBA) error
}

// DefaultQuality is that of JPEG files, as in the rest of the service.
const DefaultQuality = 85

// format is one of the picture formats that outputs write.
type format struct {
	name    string // png, jpg, jpeg, bmp: also the ending of file names
	mime    string
	encoder Encoder
}

// newFormat looks up a format by its configured name, empty for png. A nil encoder means the standard one.
func newFormat(name string, encoder Encoder) (format, error) {
	f := format{name: name, encoder: encoder}
	var standard Encoder
	switch name {
	case "", "png":
		f.name, f.mime, standard = "png", "image/png", &pngEncoder{}
	case "jpg", "jpeg":
		f.mime, standard = "image/jpeg", jpegEncoder{}
	case "bmp":
		f.mime, standard = "image/bmp", bmpEncoder{}
	default:
		return f, fmt.Errorf("image_format %q is not one of png, jpg, jpeg, bmp", name)
	}
	if f.encoder == nil {
		f.encoder = standard
	}
	return f, nil
}

// encode writes img; a panic of the encoder comes back as an error.
func (f format) encode(w io.Writer, img *image.RGBA) error {
	err := contained(func() error { return f.encoder.Encode(w, img) })
	if err != nil {
		return fmt.Errorf("encode %s: %w", f.name, err)
	}
	return nil
}

// pngEncoder keeps the buffers of image/png, some hundred kilobytes, from one frame to the next.
type pngEncoder struct{ buffers sync.Pool }

func (e *pngEncoder) Encode(w io.Writer, img *image.RGBA) error {
	enc := png.Encoder{BufferPool: e}
	return enc.Encode(w, img)
}

// Get implements png.EncoderBufferPool.
func (e *pngEncoder) Get() *png.EncoderBuffer {
	b, _ := e.buffers.Get().(*png.EncoderBuffer)
	return b
}

// Put implements png.EncoderBufferPool.
func (e *pngEncoder) Put(b *png.EncoderBuffer) { e.buffers.Put(b) }

type jpegEncoder struct{}

func (jpegEncoder) Encode(w io.Writer, img *image.RGBA) error {
	return jpeg.Encode(w, img, &jpeg.Options{Quality: DefaultQuality})
}

type bmpEncoder struct{}

func (bmpEncoder) Encode(w io.Writer, img *image.RGBA) error { return bmp.Encode(w, img) }
