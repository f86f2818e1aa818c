package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"

	"dashboard/render/picture/scaledjpeg"
)

// maxJPEGPixels bounds the pixels of a JPEG that is decoded at a fraction of its size, which takes little memory. Phones write pictures of
// up to 200 million pixels.
const maxJPEGPixels = 256_000_000

// decodeJPEG decodes a JPEG. A picture that is shown at more than half of its size is decoded completely. Otherwise it is decoded at a
// half, a quarter or an eighth: the smallest of these sizes that is not smaller than the shown picture. If that size needs more than
// MaxMemory, or a complete picture has more than MaxPixels, decodeJPEG uses a smaller size.
func decodeJPEG(data []byte, to target) (*Picture, error) {
	o := jpegOrientation(data)
	d, err := scaledjpeg.New(data)
	if err != nil {
		return wholeJPEG(data, o, to)
	}
	size := d.Size()
	if pixels(size) > maxJPEGPixels {
		return nil, fmt.Errorf("jpeg: %w: %dx%d pixels, limit %d", ErrTooLarge, size.X, size.Y, maxJPEGPixels)
	}
	n := eighths(size, o.turn(place(o.turn(size), to.box, to.fit).virt))
	shown := shownBytes(o.turn(size), to)
	if n == 8 && pixels(size) <= MaxPixels && jpegBytes(data, size)+shown <= MaxMemory {
		return wholeJPEG(data, o, to)
	}
	for n = min(n, 4); n > 1 && d.Memory(n)+shown > MaxMemory; {
		n /= 2
	}
	return within(to, "jpeg", size, d.Memory(n)+shown, func() (*Picture, error) { return scaledPicture(d, n, o, to) })
}

// maxScans bounds the scans of a JPEG. Even a scan of a few bytes takes the decoding time of a whole picture. Encoders write about ten
// scans.
const maxScans = 100

func wholeJPEG(data []byte, o orientation, to target) (*Picture, error) {
	if scans(data) > maxScans {
		return nil, fmt.Errorf("jpeg: %w: more than %d scans", ErrTooLarge, maxScans)
	}
	return decodeStill("jpeg", jpeg.DecodeConfig, jpeg.Decode, jpegBytes, data, o, to)
}

// scans() counts the scans of a file (ITU-T T.81, B.1.1.2). It stops counting at maxScans+1.
func scans(data []byte) (n int) {
	for d := data[min(2, len(data)):]; len(d) >= 4 && n <= maxScans; {
		switch m := d[1]; {
		case d[0] != 0xff:
			d = d[max(1, bytes.IndexByte(d, 0xff)):]
		case m == 0xff:
			d = d[1:]
		case m == 0 || m >= 0xd0 && m <= 0xd7: // markers inside the data of a scan
			d = d[2:]
		case m == 0xd9:
			return n
		default:
			if m == 0xda {
				n++
			}
			d = d[min(2+int(binary.BigEndian.Uint16(d[2:])), len(d)):]
		}
	}
	return n
}

// eighths() returns the smallest scale at which the picture is at least as large as the size `shown`: 1, 2, 4 or 8 eighths.
func eighths(size, shown image.Point) int {
	n := 1
	for n < 8 && (int64(size.X)*int64(n) < 8*int64(shown.X) || int64(size.Y)*int64(n) < 8*int64(shown.Y)) {
		n *= 2
	}
	return n
}

// scaledPicture decodes a JPEG at n eighths of its size, and scales it to the final size row by row.
func scaledPicture(d *scaledjpeg.Decoder, n int, o orientation, to target) (*Picture, error) {
	if err := d.Start(n); err != nil {
		return nil, jpegError(err)
	}
	src := &jpegRows{d: d, size: d.Scaled(n)}
	pl := place(o.turn(d.Size()), to.box, to.fit)
	virt, win := o.turn(pl.virt), o.storedRect(pl.win, pl.virt)
	img := image.NewRGBA(image.Rectangle{Max: win.Size()})
	if to.smooth {
		filter(img, src, virt, win.Min)
	} else {
		src.nearest(img, virt, win.Min)
	}
	if src.err != nil {
		return nil, jpegError(src.err)
	}
	img = o.apply(img)
	return &Picture{Frames: []Frame{{Img: img}}, Rect: pl.rect, Opaque: true}, nil
}

func jpegError(err error) error {
	if errors.Is(err, scaledjpeg.ErrBroken) {
		return fmt.Errorf("jpeg: the file is damaged or cut short: %w", err)
	}
	return fmt.Errorf("jpeg: %w", err)
}

// jpegRows is an image that can only be read row by row, from top to bottom.
type jpegRows struct {
	d    *scaledjpeg.Decoder
	size image.Point
	err  error // the first error. After an error, rows contain old data
}

var _ rowSource = (*jpegRows)(nil)

// ColorModel returns the color model of the rows.
func (r *jpegRows) ColorModel() color.Model { return color.RGBAModel }

// Bounds returns a rectangle with the size of the scaled picture.
func (r *jpegRows) Bounds() image.Rectangle { return image.Rectangle{Max: r.size} }

// At is required by image.Image. It always returns a transparent pixel, because the picture can only be read by rows.
func (r *jpegRows) At(int, int) color.Color { return color.RGBA{} }

// readRow writes the pixels of row y, starting at column x.
func (r *jpegRows) readRow(dst []uint8, x, y int) {
	if r.err == nil {
		r.err = r.d.ReadRow(dst, x, y)
	}
}

// nearest() sets each pixel of dst to the nearest source pixel, without filtering.
func (r *jpegRows) nearest(dst *image.RGBA, virt, at image.Point) {
	row, last := make([]uint8, 4*r.size.X), -1
	for y := range dst.Rect.Dy() {
		sy := middle(y+at.Y, virt.Y, r.size.Y)
		if sy != last {
			r.readRow(row, 0, sy)
			last = sy
		}
		line := dst.Pix[y*dst.Stride:]
		for x := range dst.Rect.Dx() {
			copy(line[4*x:4*x+4], row[4*middle(x+at.X, virt.X, r.size.X):])
		}
	}
}

// middle returns the index of the source pixel at the center of the scaled pixel i. `from` and `to` are the numbers of pixels before and
// after scaling.
func middle(i, to, from int) int { return int((2*int64(i) + 1) * int64(from) / (2 * int64(to))) }

// config reads the size of a picture with f.
func config(f configFunc, data []byte) (image.Point, error) {
	c, err := f(bytes.NewReader(data))
	return image.Pt(c.Width, c.Height), err
}
