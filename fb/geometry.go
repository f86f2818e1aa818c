package fb

import (
	"fmt"
	"image"
)

// A Geometry describes the memory of a framebuffer. The pixel (x, y) of the visible screen begins at byte
//
//	(y+YOffset)*Stride + (x+XOffset)*Format.BytesPerPixel()
type Geometry struct {
	// Driver is the name that the driver reports, such as "vc4drmfb".
	Driver string
	// Connector is the name of the connector, such as "HDMI-A-1". Mode is its video mode, such as "1920x1080@60". Both are empty for a
	// framebuffer.
	Connector, Mode string
	// Width and Height are the size of the visible screen, in pixels.
	Width, Height int
	// VirtualWidth and VirtualHeight are the size of the memory, in pixels. The visible screen is a window in it.
	VirtualWidth, VirtualHeight int
	// XOffset and YOffset are the position of the visible window in the memory.
	XOffset, YOffset int
	// Stride is the number of bytes from one row to the next.
	Stride int
	// Size is the number of bytes of the memory.
	Size int
	// Format is the format of a pixel.
	Format Format
}

// maxSide bounds width and height, in pixels. No hardware reaches this bound, so a larger value is an error of the driver.
const maxSide = 1 << 15

// maxPixels bounds the pixels of a screen or frame. It is enough for sixteen screens of 3840x2160. At four bytes each, the pixels take
// 512 MB, and this number of bytes fits in 32 bits.
const maxPixels = 1 << 27

// checkPixels returns an error if w*h is greater than maxPixels. w and h must be at most maxSide.
func checkPixels(w, h int) error {
	if int64(w)*int64(h) > maxPixels {
		return fmt.Errorf("%dx%d is more than %d million pixels", w, h, maxPixels>>20)
	}
	return nil
}

// Validate returns nil if the package can draw on g, and otherwise the reason why not. Each visible pixel must lie inside its row and
// inside the memory.
func (g Geometry) Validate() error {
	if err := g.Format.Validate(); err != nil {
		return err
	}
	for _, v := range []struct {
		name     string
		got, min int
	}{
		{"width", g.Width, 1}, {"height", g.Height, 1},
		{"x offset", g.XOffset, 0}, {"y offset", g.YOffset, 0},
	} {
		if v.got < v.min || v.got > maxSide {
			return fmt.Errorf("%s %d is not in %d..%d", v.name, v.got, v.min, maxSide)
		}
	}
	if err := checkPixels(g.Width, g.Height); err != nil {
		return err
	}
	row := (g.XOffset + g.Width) * g.Format.BytesPerPixel()
	if g.Stride < row {
		return fmt.Errorf("rows of %d bytes are too short for %d pixels at offset %d of %v", g.Stride, g.Width, g.XOffset, g.Format)
	}
	if end := int64(g.YOffset+g.Height-1)*int64(g.Stride) + int64(row); end > int64(g.Size) {
		return fmt.Errorf("the screen ends at byte %d of a memory of %d", end, g.Size)
	}
	return nil
}

// String describes g in one line, for logs and health pages.
func (g Geometry) String() string {
	where := g.Driver
	if g.Connector != "" {
		where += " " + g.Connector + " " + g.Mode
	}
	return fmt.Sprintf("%s %dx%d %v stride %d, window at %d,%d of %dx%d", where, g.Width, g.Height,
		g.Format, g.Stride, g.XOffset, g.YOffset, g.VirtualWidth, g.VirtualHeight)
}

// bounds returns a rectangle with the size of the visible screen.
func (g Geometry) bounds() image.Rectangle { return image.Rect(0, 0, g.Width, g.Height) }

// offset returns the offset in bytes of the visible pixel (x, y).
func (g Geometry) offset(x, y int) int {
	return (y+g.YOffset)*g.Stride + (x+g.XOffset)*g.Format.BytesPerPixel()
}

// DecodeRGBA returns the visible screen in the memory `mem` as a picture. It is for tests and screenshots, because reading a real
// framebuffer is slow.
func (g Geometry) DecodeRGBA(mem []byte) *image.RGBA {
	m := image.NewRGBA(g.bounds())
	for y := range g.Height {
		for x := range g.Width {
			m.SetRGBA(x, y, g.Format.At(mem[g.offset(x, y):]))
		}
	}
	return m
}
