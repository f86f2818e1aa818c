package netstream

import (
	"image"
	"io"

	"dashboard/netstream/jpegtile"
	"dashboard/netstream/pngtile"
)

// A codec is an image format with its options.
type codec struct {
	format  string // jpeg, png, bmp
	quality int
	chroma  jpegtile.Chroma
}

func newCodec(o Options) codec {
	switch o.Format {
	case "png", "bmp":
		return codec{format: o.Format}
	}
	c := codec{format: "jpeg", quality: o.Quality, chroma: jpegtile.DefaultChroma}
	if c.quality < 1 || c.quality > 100 {
		c.quality = jpegtile.DefaultQuality
	}
	switch o.Chroma {
	case 420:
		c.chroma = jpegtile.Chroma420
	case 444:
		c.chroma = jpegtile.Chroma444
	}
	return c
}

func (c codec) contentType() string { return "image/" + c.format }

// An encoder keeps the coded tiles of one picture.
type encoder interface {
	// update codes what the damage touches and returns the tiles whose bytes changed, valid until the next call.
	update(src *image.RGBA, damage []image.Rectangle) []int
	// appendTo appends the file of the picture given to update last.
	appendTo(dst []byte, src *image.RGBA) []byte
	// size is the length of the file.
	size() int
	// memory is what the encoder holds, in bytes.
	memory() int
	// tiles is how many tiles there are; 0 where the format has none, and so no deltas.
	tiles() int
	// appendDelta appends a picture of the tiles alone, at most maxDelta of them; appendPieces where its parts go.
	appendDelta(dst []byte, tiles []int) ([]byte, error)
	appendPieces(dst []piece, tiles []int) []piece
	maxDelta() int
}

// A stripEncoder takes a picture's rows in order.
type stripEncoder interface {
	Write(strip *image.RGBA) error
}

// encoder makes one for pictures of a size.
func (c codec) encoder(w, h int) (encoder, error) {
	switch c.format {
	case "png":
		e, err := pngtile.New(w, h)
		return pngEncoder{e}, err
	case "bmp":
		return bmpEncoder{w, h}, nil
	}
	e, err := jpegtile.New(w, h, jpegtile.Options{Quality: c.quality, Chroma: c.chroma})
	return &jpegEncoder{Encoder: e}, err
}

// strips makes an encoder that writes as it goes.
func (c codec) strips(w io.Writer, width, height int) (stripEncoder, error) {
	switch c.format {
	case "png":
		return pngtile.NewStrips(w, width, height)
	case "bmp":
		return newBMPStrips(w, width, height)
	}
	return jpegtile.NewStrips(w, width, height, jpegtile.Options{Quality: c.quality, Chroma: c.chroma})
}

// estimate is about what a size will hold, in bytes, before it exists: the picture, and for encoder and files
// one byte a pixel, which a photograph in good quality needs. A BMP has three, in each of two files.
func (c codec) estimate(w, h int) int {
	if c.format == "bmp" {
		return w * h * (4 + 2*3)
	}
	return w * h * (4 + 1)
}

// jpegEncoder is the JPEG one.
type jpegEncoder struct {
	*jpegtile.Encoder
	pieces []jpegtile.Piece // scratch
}

func (e *jpegEncoder) update(src *image.RGBA, damage []image.Rectangle) []int {
	return e.Update(src, damage...)
}
func (e *jpegEncoder) appendTo(dst []byte, _ *image.RGBA) []byte { return e.AppendTo(dst) }
func (e *jpegEncoder) size() int                                 { return e.Size() }
func (e *jpegEncoder) memory() int                               { return e.Memory() }
func (e *jpegEncoder) tiles() int                                { return e.Tiles() }
func (e *jpegEncoder) maxDelta() int                             { return e.MaxDelta() }
func (e *jpegEncoder) appendDelta(dst []byte, tiles []int) ([]byte, error) {
	return e.AppendDelta(dst, tiles)
}

func (e *jpegEncoder) appendPieces(dst []piece, tiles []int) []piece {
	e.pieces = e.AppendPieces(e.pieces[:0], tiles)
	for _, p := range e.pieces {
		dst = append(dst, piece(p))
	}
	return dst
}
