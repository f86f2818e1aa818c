// Package picture decodes pictures and scales them to the size at which they are shown.
//
// The input is untrusted data in one of the formats JPEG, PNG, GIF (animated), WebP (animated), BMP and SVG. The result is a Picture,
// whose frames can be copied directly into a cell. Every size is checked before memory is allocated. All decoders of the process share a
// memory budget. Large photographs are decoded at a fraction of their size.
package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"io/fs"
	"sort"
	"time"

	"dashboard/internal/folder"
)

const (
	// MaxBytes bounds the bytes of an encoded picture. Cameras write smaller JPEGs. A larger file is a mistake or an attack.
	MaxBytes = 16 << 20
	// MaxPixels bounds the pixels of a picture that is decoded at its full size. Its memory is bounded by MaxMemory. A JPEG that is decoded
	// at a smaller size may have more pixels.
	MaxPixels = 40_000_000
	// MaxFrames bounds the frames of an animation. 1,000 frames take over a minute at the usual 15 frames a second.
	MaxFrames = 1000
	// MaxAnimationPixels bounds the number of frames times the pixels of the canvas. The decoding time is proportional to this product.
	// At this bound, a small board needs a few seconds. Further frames are dropped.
	MaxAnimationPixels = 160_000_000
	// MaxShownPixels bounds the pixels of all scaled frames of an animation. At 4 bytes each, they take 32 MiB. If an animation has more
	// pixels, only every second, third, … frame is kept, with a longer delay.
	MaxShownPixels = 8 << 20
	// MaxSide bounds each side of the box for a picture. No stream or screen is larger.
	MaxSide = 7680
)

// Forever is the duration until the next change of a picture that does not change any more.
const Forever = time.Duration(1<<63 - 1)

var (
	// ErrTooLarge is wrapped by errors about pictures beyond a bound of this package, such as MaxBytes, MaxPixels, MaxMemory or the
	// bounds of an SVG.
	ErrTooLarge = errors.New("picture is too large")
	// ErrUnknown is returned for data in an unsupported format.
	ErrUnknown = errors.New("not a picture of a known format (JPEG, PNG, GIF, WebP, BMP, SVG)")
)

// A Picture is a picture that was decoded and scaled for one box. Callers may change it after Decode, for example with Blur, but only
// before they share it.
type Picture struct {
	// Frames holds at least one frame. All frames have the size of Rect.
	Frames []Frame
	// Rect is the position of the picture in its box. The box's top left corner is 0,0.
	Rect image.Rectangle
	// Opaque is true if no pixel of any frame is transparent. Then painters may copy pixels instead of blending them.
	Opaque bool
	// Drawing is true if the picture consists of shapes, as an SVG does. Displays with few inks do not dither it.
	Drawing bool
	// Loops is the number of times the animation plays. 0 means endlessly.
	Loops int
	// Colors lists the main colors of an album cover, the most frequent first. It is nil for other pictures.
	Colors []color.RGBA

	ends []time.Duration // for each frame, its end as the time since the start of the loop (nil for a still picture)
}

// A Frame is one picture of an animation. Img is premultiplied and starts at 0,0.
type Frame struct {
	Img   *image.RGBA
	Delay time.Duration // time for which the frame is shown (0 for a still picture)
}

// Size returns the number of bytes of the pixels of all frames. It returns 0 for a nil picture. A song without an album cover has a nil
// picture.
func (p *Picture) Size() (n int64) {
	if p == nil {
		return 0
	}
	for _, f := range p.Frames {
		n += int64(len(f.Img.Pix))
	}
	return n
}

// Frame returns the index of the frame to show. `elapsed` is the time for which the picture has been visible. `next` is the time until the
// next frame. `next` is Forever if no other frame follows.
func (p *Picture) Frame(elapsed time.Duration) (index int, next time.Duration) {
	if len(p.ends) == 0 {
		return 0, Forever
	}
	elapsed = max(elapsed, 0)
	last := len(p.ends) - 1
	length := p.ends[last]
	loop := elapsed / length
	if p.Loops > 0 && loop >= time.Duration(p.Loops) {
		return last, Forever
	}
	at := elapsed % length
	i := sort.Search(last, func(i int) bool { return at < p.ends[i] })
	if i == last && p.Loops > 0 && loop == time.Duration(p.Loops)-1 {
		return last, Forever
	}
	return i, p.ends[i] - at
}

// Load reads a file from fsys and decodes it. Its errors contain the path.
func Load(ctx context.Context, fsys fs.FS, path string, box image.Point, fit Fit, smooth bool) (*Picture, error) {
	data, err := folder.Read(fsys, path, MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, folder.Reason(err))
	}
	p, err := Decode(ctx, data, box, fit, smooth)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// Decode decodes data of any supported format, and scales the picture for a box in pixels. If `smooth` is true, scaling filters the
// picture. Otherwise every shown pixel is a copy of one source pixel. Colors of a still picture are converted to sRGB if its profile
// consists of a matrix and curves. If a decoder panics, Decode returns an error.
func Decode(ctx context.Context, data []byte, box image.Point, fit Fit, smooth bool) (p *Picture, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("the picture is damaged: %v", r)
		}
	}()
	switch {
	case len(data) > MaxBytes:
		return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, MaxBytes)
	case box.X < 1 || box.Y < 1 || box.X > MaxSide || box.Y > MaxSide:
		return nil, fmt.Errorf("box %dx%d is outside 1 to %d", box.X, box.Y, MaxSide)
	}
	if p, err = decode(data, target{ctx, box, fit, smooth}); err == nil {
		p.convert(data)
	}
	return p, err
}

// target describes the picture that decoding should produce.
type target struct {
	ctx    context.Context // bounds the wait for memory, and contains the budget
	box    image.Point
	fit    Fit
	smooth bool
}

func decode(data []byte, to target) (*Picture, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xd8")):
		return decodeJPEG(data, to)
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return decodeStill("png", png.DecodeConfig, png.Decode, pngBytes, data, pngOrientation(data), to)
	case bytes.HasPrefix(data, []byte("GIF8")):
		return decodeGIF(data, to)
	case bytes.HasPrefix(data, []byte("RIFF")) && len(data) >= 12 && string(data[8:12]) == "WEBP":
		return decodeWebP(data, to)
	case bytes.HasPrefix(data, []byte("BM")):
		return decodeBMP(data, to)
	case looksLikeSVG(data):
		return decodeSVG(data, to)
	}
	return nil, unknown(data)
}

type (
	configFunc func(io.Reader) (image.Config, error)
	decodeFunc func(io.Reader) (image.Image, error)
)

// decodeStill checks the size of a picture with one frame, and then decodes it. `cost` returns how much memory the function `decode`
// needs for the pixels.
func decodeStill(name string, size configFunc, decode decodeFunc, cost func([]byte, image.Point) int64, data []byte, o orientation, to target) (*Picture, error) {
	whole, err := config(size, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := checkSize(name, whole.X, whole.Y); err != nil {
		return nil, err
	}
	return within(to, name, whole, cost(data, whole)+shownBytes(o.turn(whole), to), func() (*Picture, error) {
		img, err := decode(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return still(img, o, to), nil
	})
}

// fourBytes is the cost function for a picture that is decoded to RGBA.
func fourBytes(_ []byte, size image.Point) int64 { return 4 * pixels(size) }

// checkSize returns an error for an empty or too large picture.
func checkSize(format string, w, h int) error {
	if w < 1 || h < 1 {
		return fmt.Errorf("%s: empty picture, %dx%d pixels", format, w, h)
	}
	if int64(w)*int64(h) > MaxPixels {
		return fmt.Errorf("%s: %w: %dx%d pixels, limit %d", format, ErrTooLarge, w, h, MaxPixels)
	}
	return nil
}

// still() returns a Picture with `img` as its only frame, rotated and scaled.
func still(img image.Image, o orientation, to target) *Picture {
	pl := place(o.turn(img.Bounds().Size()), to.box, to.fit)
	shown := render(img, o, pl, to.smooth)
	return &Picture{Frames: []Frame{{Img: shown}}, Rect: pl.rect, Opaque: shown.Opaque()}
}

// Resized returns the first frame as a new picture, scaled to cover a box. If p already has the size of the box, Resized returns p.
func (p *Picture) Resized(box image.Point) *Picture {
	if p.Rect.Size() == box {
		return p
	}
	return still(p.Frames[0].Img, upright, target{box: box, fit: Cover, smooth: true})
}
