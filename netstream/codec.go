package netstream

import (
	"image"
	"io"

	"dashboard/netstream/bmp"
	"dashboard/netstream/jpegtile"
	"dashboard/netstream/pngtile"
)

// A codec is an image format together with its options.
type codec struct {
	format  string // jpeg, png or bmp
	quality int
	chroma  jpegtile.Chroma
}

func newCodec(o Options) codec {
	if o.Format == "png" || o.Format == "bmp" {
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

// estimate returns the approximate memory of a new size: the scaled picture, and one more byte for each pixel. This byte is enough for
// the encoder and the files of a photograph in good quality. For a BMP, the encoder and each of the two files need three bytes for each
// pixel.
func (c codec) estimate(w, h int) int {
	if c.format == "bmp" {
		return w * h * (4 + 3*3)
	}
	return w * h * (4 + 1)
}

// An encoder keeps the encoded tiles of one picture.
type encoder interface {
	// Update encodes the tiles that the damage touches. It returns the numbers of the tiles whose bytes have changed. The slice is valid
	// until the next call.
	Update(src *image.RGBA, damage ...image.Rectangle) []int
	// AppendTo appends the file to dst.
	AppendTo(dst []byte) []byte
	// Size returns the length of the file in bytes.
	Size() int
	// Memory returns the memory of the encoder, in bytes.
	Memory() int
}

// A tiler is an encoder for a format that can encode single tiles.
type tiler interface {
	// tiles returns the number of tiles.
	tiles() int
	// AppendDelta appends a picture that consists of the given tiles, at most maxDelta of them. The method appendPieces returns the
	// positions of these tiles, both in this picture and in the whole picture.
	AppendDelta(dst []byte, tiles []int) ([]byte, error)
	appendPieces(dst []piece, tiles []int) []piece
	maxDelta() int
}

// encoder returns an encoder for pictures of the given size.
func (c codec) encoder(w, h int) (encoder, error) {
	switch c.format {
	case "png":
		e, err := pngtile.New(w, h)
		return &pngEncoder{Encoder: e}, err
	case "bmp":
		e, err := bmp.New(w, h)
		return bmpEncoder{e}, err
	}
	e, err := jpegtile.New(w, h, c.jpeg())
	return &jpegEncoder{Encoder: e}, err
}

// A stripEncoder encodes a picture whose rows arrive in order.
type stripEncoder interface {
	Write(strip *image.RGBA) error
}

// strips() returns an encoder that writes a picture to w strip by strip.
func (c codec) strips(w io.Writer, width, height int) (stripEncoder, error) {
	switch c.format {
	case "png":
		return pngtile.NewStrips(w, width, height)
	case "bmp":
		return bmp.NewStrips(w, width, height)
	}
	return jpegtile.NewStrips(w, width, height, c.jpeg())
}

func (c codec) jpeg() jpegtile.Options {
	return jpegtile.Options{Quality: c.quality, Chroma: c.chroma}
}

type jpegEncoder struct {
	*jpegtile.Encoder
	pieces []jpegtile.Piece // working memory
}

func (e *jpegEncoder) tiles() int    { return e.Tiles() }
func (e *jpegEncoder) maxDelta() int { return e.MaxDelta() }

func (e *jpegEncoder) appendPieces(dst []piece, tiles []int) []piece {
	e.pieces = e.AppendPieces(e.pieces[:0], tiles)
	for _, p := range e.pieces {
		dst = append(dst, piece(p))
	}
	return dst
}

// pngEncoder is an encoder for PNG. Its tiles are bands of rows.
type pngEncoder struct {
	*pngtile.Encoder
	pieces []pngtile.Piece // working memory
}

func (e *pngEncoder) tiles() int    { return e.Bands() }
func (e *pngEncoder) maxDelta() int { return e.Bands() }

func (e *pngEncoder) appendPieces(dst []piece, bands []int) []piece {
	e.pieces = e.AppendPieces(e.pieces[:0], bands)
	for _, p := range e.pieces {
		dst = append(dst, piece(p))
	}
	return dst
}

// bmpEncoder is an encoder for BMP. It has no tiles, because a client that understands tiles can use PNG instead, which is smaller.
type bmpEncoder struct{ *bmp.Encoder }

func (e bmpEncoder) Update(src *image.RGBA, damage ...image.Rectangle) []int {
	e.Encoder.Update(src, damage...)
	return nil
}

func (e bmpEncoder) Memory() int { return e.Size() }
