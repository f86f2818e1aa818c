// Package picture decodes pictures of every format a dashboard meets, within bounds, scaled to the size shown.
//
// JPEG, PNG, GIF (animated), WebP (animated), BMP and SVG come in as untrusted bytes from files and networks. The
// result is a Picture whose frames are ready to be copied into a cell. Every size is checked before memory is allocated
// for it, decoding takes its memory from a budget of the whole process, and large photographs are decoded at a fraction
// of their size.
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
	// MaxBytes bounds an encoded picture. Camera JPEGs stay below it. More is a mistake or an attack.
	MaxBytes = 16 << 20
	// MaxPixels bounds a picture that is decoded whole. Its memory is bounded by MaxMemory. A JPEG that is shown
	// smaller may have more pixels.
	MaxPixels = 40_000_000
	// MaxFrames bounds an animation whose frames are tiny: 1,000 is over a minute at the usual 15 frames a second.
	MaxFrames = 1000
	// MaxAnimationPixels bounds frames times canvas of an animation, which is what decoding costs in time (some
	// seconds on a small board). The frames beyond it are cut off.
	MaxAnimationPixels = 160_000_000
	// MaxShownPixels bounds the pixels that all scaled frames of an animation hold together, at 4 bytes each: 32 MiB.
	// An animation above it loses every second, third, … frame. It keeps its length.
	MaxShownPixels = 8 << 20
	// MaxSide bounds each side of the box a picture is scaled for. No stream or screen is larger.
	MaxSide = 7680
)

// Forever is the time until the next change of a picture that does not change any more.
const Forever = time.Duration(1<<63 - 1)

var (
	// ErrTooLarge is wrapped by errors about pictures beyond MaxBytes, MaxPixels or the bounds of an SVG.
	ErrTooLarge = errors.New("picture is too large")
	// ErrUnknown is returned for bytes of no format this package knows.
	ErrUnknown = errors.New("not a picture of a known format (JPEG, PNG, GIF, WebP, BMP, SVG)")
)

// A Picture is decoded and scaled for one box. It is never changed after Decode, so it may be shared.
type Picture struct {
	// Frames holds at least one frame. All are of the size of Rect.
	Frames []Frame
	// Rect is where the picture lies in the box it was scaled for, whose top left corner is 0,0.
	Rect image.Rectangle
	// Opaque reports that no pixel of any frame is transparent: painters may copy instead of blend.
	Opaque bool
	// Drawing reports that the picture consists of shapes, as an SVG does. Displays with few inks show it like text.
	Drawing bool
	// Loops is how often an animation runs. 0 is without end.
	Loops int
	// Colors are the colors of a cover, the most frequent first. Other pictures have none.
	Colors []color.RGBA

	ends []time.Duration // when each frame ends, from the start of a loop (nil for a still picture)
}

// A Frame is one picture of an animation. Img is premultiplied and starts at 0,0.
type Frame struct {
	Img   *image.RGBA
	Delay time.Duration // time for which it is shown (0 for a still picture)
}

// Size returns the bytes of the pixels of all frames.
func (p *Picture) Size() (n int64) {
	for _, f := range p.Frames {
		n += int64(len(f.Img.Pix))
	}
	return n
}

// Frame returns the index of the frame to show when the picture has been on the screen for elapsed, and how long it
// stays, which is Forever for the last one.
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

// Load reads a file of fsys and decodes it. Errors name the path.
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

// Decode decodes data of any format, and scales it for a box of the given size in pixels. With smooth the picture is
// filtered, without smooth every shown pixel is a pixel of the source. Colors of a profile become sRGB. A panic of a decoder is returned as an error.
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

// target is what a picture is decoded for.
type target struct {
	ctx    context.Context // ends waiting for memory, and carries the account
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

// decodeStill decodes a picture of one frame after looking at its size. cost is the memory that decode takes for the pixels.
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

// fourBytes is the cost of a picture decoded to RGBA.
func fourBytes(_ []byte, size image.Point) int64 { return 4 * pixels(size) }

// checkSize refuses empty and oversized pictures.
func checkSize(format string, w, h int) error {
	if w < 1 || h < 1 {
		return fmt.Errorf("%s: empty picture, %dx%d pixels", format, w, h)
	}
	if int64(w)*int64(h) > MaxPixels {
		return fmt.Errorf("%s: %w: %dx%d pixels, limit %d", format, ErrTooLarge, w, h, MaxPixels)
	}
	return nil
}

// still makes the Picture of a single image.
func still(img image.Image, o orientation, to target) *Picture {
	pl := place(o.turn(img.Bounds().Size()), to.box, to.fit)
	shown := render(img, o, pl, to.smooth)
	return &Picture{Frames: []Frame{{Img: shown}}, Rect: pl.rect, Opaque: shown.Opaque()}
}
