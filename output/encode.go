package output

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"sync"

	"dashboard/render/ink"

	"golang.org/x/image/bmp"
)

// Encoder encodes a whole frame as a picture file. Only one goroutine at a time calls it.
type Encoder interface {
	Encode(w io.Writer, img *image.RGBA) error
}

// DefaultQuality is the quality of JPEG files. The rest of the service uses the same quality.
const DefaultQuality = 85

// format is a picture format of outputs.
type format struct {
	name    string // png, jpg, jpeg or bmp. It is also the extension of files
	mime    string
	encoder Encoder
}

// newFormat returns the format with a name from the configuration. "" means png. If `encoder` is nil, the standard encoder is used.
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

// inks converts frames to the inks of a palette. Its memory is proportional to the size of frames.
type inks struct {
	palette *ink.Palette
	made    *ink.Quantizer
	pic     *image.Paletted
	last    []byte // indices of the last sent picture, or nil before the first picture
}

// newInks returns a converter to the inks of the palette p. If p is nil, it returns nil. Only png
// and bmp files support palettes. For any other format, newInks returns an error.
func newInks(p *ink.Palette, f format) (*inks, error) {
	if p == nil {
		return nil, nil
	}
	if f.name != "png" && f.name != "bmp" {
		return nil, fmt.Errorf("palette: a %s file cannot keep the inks; set image_format to png or bmp", f.name)
	}
	return &inks{palette: p}, nil
}

// draw converts a frame to inks. The result has the nominal colors of the inks. The program that reads the file translates these colors
// for its display.
func (i *inks) draw(frame *image.RGBA, regions []ink.Region) *image.Paletted {
	if size := frame.Rect.Size(); i.made == nil || i.pic.Rect.Size() != size {
		i.made = ink.New(i.palette, size, ink.Diffuse)
		i.pic = i.made.NewPicture()
		i.pic.Palette, i.last = i.palette.Pure(), nil
	}
	i.made.Quantize(i.pic, frame, regions)
	return i.pic
}

// sent() records that the current picture was sent.
func (i *inks) sent() {
	i.last = append(i.last[:0], i.pic.Pix...)
}

// same() reports whether the current picture equals the last sent picture.
func (i *inks) same() bool { return i.last != nil && bytes.Equal(i.last, i.pic.Pix) }

// take() encodes a frame into w. If i is not nil, it converts the frame to inks first.
func (f format) take(w *bytes.Buffer, frame *image.RGBA, i *inks, regions []ink.Region) error {
	w.Reset()
	if i == nil {
		return f.encode(w, frame)
	}
	pic := i.draw(frame, regions)
	if f.name == "bmp" {
		return contained(func() error { return bmp.Encode(w, pic) })
	}
	return contained(func() error { return png.Encode(w, pic) })
}

// encode encodes img and writes it to w. If the encoder panics, encode returns an error.
func (f format) encode(w io.Writer, img *image.RGBA) error {
	err := contained(func() error { return f.encoder.Encode(w, img) })
	if err != nil {
		return fmt.Errorf("encode %s: %w", f.name, err)
	}
	return nil
}

// pngEncoder encodes PNG files. It keeps the buffers of image/png, a few hundred kilobytes, for the next frame.
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
