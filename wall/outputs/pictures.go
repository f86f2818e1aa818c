package outputs

import (
	"image"
	"io"

	"dashboard/config"
	"dashboard/netstream/jpegtile"
	"dashboard/output"
)

// A jpegWriter encodes whole frames with the quality and chroma subsampling of an output.
type jpegWriter jpegtile.Options

// encoderOf returns the encoder for the picture format of an output. For formats without options it returns nil.
func encoderOf(format string, o config.ImageOptions) output.Encoder {
	if format != "jpg" && format != "jpeg" {
		return nil
	}
	w := jpegWriter{Quality: o.Quality, Chroma: jpegtile.Chroma444}
	if o.Chroma == 420 {
		w.Chroma = jpegtile.Chroma420
	}
	return w
}

// Encode implements output.Encoder.
func (j jpegWriter) Encode(w io.Writer, img *image.RGBA) error {
	s, err := jpegtile.NewStrips(w, img.Rect.Dx(), img.Rect.Dy(), jpegtile.Options(j))
	if err != nil {
		return err
	}
	return s.Write(img)
}
