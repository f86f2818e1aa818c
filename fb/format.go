package fb

import (
	"errors"
	"fmt"
	"image/color"
	"slices"
	"strings"
)

// A Bitfield is the position of a channel in a pixel. The channel has Length bits, and Offset is the number of its lowest bit in the
// little-endian pixel value (struct fb_bitfield).
type Bitfield struct {
	Offset, Length uint8
}

// mask returns the bits of a pixel value that belong to b.
func (b Bitfield) mask() uint32 { return uint32(1<<b.Length-1) << b.Offset }

// A Format is the layout of a pixel in memory: a little-endian value of Bits bits, with a Bitfield for each channel. Bits outside the
// bitfields of colors are written as ones. Some hardware treats them as alpha, and then shows an opaque picture.
type Format struct {
	Bits                    int
	Red, Green, Blue, Alpha Bitfield
}

// Common formats with their DRM fourcc names (drm_fourcc.h). For 24 and 32 bits, the comments list the bytes in memory, lowest address
// first. For 8 and 16 bits, and for XRGB2101010, they list the bits of the value, highest bits first.
var (
	XRGB8888    = Format{32, Bitfield{16, 8}, Bitfield{8, 8}, Bitfield{0, 8}, Bitfield{}}      // B, G, R, X
	ARGB8888    = Format{32, Bitfield{16, 8}, Bitfield{8, 8}, Bitfield{0, 8}, Bitfield{24, 8}} // B, G, R, A
	XBGR8888    = Format{32, Bitfield{0, 8}, Bitfield{8, 8}, Bitfield{16, 8}, Bitfield{}}      // R, G, B, X
	ABGR8888    = Format{32, Bitfield{0, 8}, Bitfield{8, 8}, Bitfield{16, 8}, Bitfield{24, 8}} // R, G, B, A
	RGBX8888    = Format{32, Bitfield{24, 8}, Bitfield{16, 8}, Bitfield{8, 8}, Bitfield{}}     // X, B, G, R
	BGRX8888    = Format{32, Bitfield{8, 8}, Bitfield{16, 8}, Bitfield{24, 8}, Bitfield{}}     // X, R, G, B
	XRGB2101010 = Format{32, Bitfield{20, 10}, Bitfield{10, 10}, Bitfield{0, 10}, Bitfield{}}  // x2 r10 g10 b10
	RGB888      = Format{24, Bitfield{16, 8}, Bitfield{8, 8}, Bitfield{0, 8}, Bitfield{}}      // B, G, R
	BGR888      = Format{24, Bitfield{0, 8}, Bitfield{8, 8}, Bitfield{16, 8}, Bitfield{}}      // R, G, B
	RGB565      = Format{16, Bitfield{11, 5}, Bitfield{5, 6}, Bitfield{0, 5}, Bitfield{}}      // r5 g6 b5
	BGR565      = Format{16, Bitfield{0, 5}, Bitfield{5, 6}, Bitfield{11, 5}, Bitfield{}}      // b5 g6 r5
	XRGB1555    = Format{16, Bitfield{10, 5}, Bitfield{5, 5}, Bitfield{0, 5}, Bitfield{}}      // x1 r5 g5 b5
	ARGB1555    = Format{16, Bitfield{10, 5}, Bitfield{5, 5}, Bitfield{0, 5}, Bitfield{15, 1}} // a1 r5 g5 b5
	XBGR1555    = Format{16, Bitfield{0, 5}, Bitfield{5, 5}, Bitfield{10, 5}, Bitfield{}}      // x1 b5 g5 r5
	ARGB4444    = Format{16, Bitfield{8, 4}, Bitfield{4, 4}, Bitfield{0, 4}, Bitfield{12, 4}}  // a4 r4 g4 b4
	RGB332      = Format{8, Bitfield{5, 3}, Bitfield{2, 3}, Bitfield{0, 2}, Bitfield{}}        // r3 g3 b2
)

// formatNames lists the formats that ParseFormat accepts, in the order in which its error names them.
var formatNames = []struct {
	name   string
	format Format
}{
	{"rgb565", RGB565}, {"bgr565", BGR565},
	{"xrgb8888", XRGB8888}, {"argb8888", ARGB8888},
	{"xbgr8888", XBGR8888}, {"abgr8888", ABGR8888},
	{"rgbx8888", RGBX8888}, {"bgrx8888", BGRX8888},
	{"xrgb2101010", XRGB2101010},
	{"rgb888", RGB888}, {"bgr888", BGR888},
	{"xrgb1555", XRGB1555}, {"argb1555", ARGB1555}, {"xbgr1555", XBGR1555},
	{"argb4444", ARGB4444}, {"rgb332", RGB332},
}

// ParseFormat returns the format of a DRM fourcc name such as "rgb565" or
// "XRGB8888". Case does not matter.
func ParseFormat(name string) (Format, error) {
	var known []string
	for _, f := range formatNames {
		if strings.EqualFold(f.name, name) {
			return f.format, nil
		}
		known = append(known, f.name)
	}
	return Format{}, fmt.Errorf("fb: unknown format %q; known: %s", name, strings.Join(known, ", "))
}

// FormatNames returns the names that ParseFormat accepts, in lower case.
func FormatNames() []string {
	names := make([]string, 0, len(formatNames))
	for _, f := range formatNames {
		names = append(names, f.name)
	}
	return names
}

// String returns the fourcc name, or the bitfields if the format has none.
func (f Format) String() string {
	i := slices.IndexFunc(formatNames, func(n struct {
		name   string
		format Format
	}) bool {
		return n.format == f
	})
	if i >= 0 {
		return strings.ToUpper(formatNames[i].name)
	}
	return fmt.Sprintf("%d bpp r%d/%d g%d/%d b%d/%d a%d/%d", f.Bits,
		f.Red.Length, f.Red.Offset, f.Green.Length, f.Green.Offset,
		f.Blue.Length, f.Blue.Offset, f.Alpha.Length, f.Alpha.Offset)
}

// maxChannelBits is the number of bits in the widest channel of the kernel's formats.
const maxChannelBits = 16

// Validate returns nil if the package can write f, and otherwise the reason why not.
func (f Format) Validate() error {
	if f.Bits != 8 && f.Bits != 16 && f.Bits != 24 && f.Bits != 32 {
		return fmt.Errorf("%d bits a pixel are not supported", f.Bits)
	}
	var seen uint32
	for _, b := range []Bitfield{f.Red, f.Green, f.Blue, f.Alpha} {
		if b.Length > maxChannelBits || int(b.Offset)+int(b.Length) > f.Bits {
			return fmt.Errorf("a channel of %d bits at bit %d does not fit a pixel of %d bits", b.Length, b.Offset, f.Bits)
		}
		if seen&b.mask() != 0 {
			return fmt.Errorf("channels overlap: %v", f)
		}
		seen |= b.mask()
	}
	if f.Red.Length == 0 || f.Green.Length == 0 || f.Blue.Length == 0 {
		return errors.New("a format without red, green or blue is not supported")
	}
	return nil
}

// BytesPerPixel returns the number of bytes of a pixel.
func (f Format) BytesPerPixel() int { return f.Bits / 8 }

// ColorModel returns a model of the colors that f can show without dithering. It converts colors to opaque color.RGBA values.
func (f Format) ColorModel() color.Model {
	return color.ModelFunc(func(c color.Color) color.Color {
		r, g, b, _ := c.RGBA()
		return f.unpack(f.pack(uint8(r>>8), uint8(g>>8), uint8(b>>8), nearest))
	})
}

// opaque() returns the bits of a pixel that do not belong to a color.
func (f Format) opaque() uint32 {
	all := uint32(uint64(1)<<f.Bits - 1)
	return all &^ (f.Red.mask() | f.Green.mask() | f.Blue.mask())
}

// pack returns the pixel value of a color. t is the dither threshold of the pixel.
func (f Format) pack(r, g, b uint8, t uint32) uint32 {
	return f.opaque() |
		quantize(r, f.Red.Length, t)<<f.Red.Offset |
		quantize(g, f.Green.Length, t)<<f.Green.Offset |
		quantize(b, f.Blue.Length, t)<<f.Blue.Offset
}

// unpack returns the color of a pixel value.
func (f Format) unpack(p uint32) color.RGBA {
	return color.RGBA{
		R: expand(p&f.Red.mask()>>f.Red.Offset, f.Red.Length),
		G: expand(p&f.Green.mask()>>f.Green.Offset, f.Green.Length),
		B: expand(p&f.Blue.mask()>>f.Blue.Offset, f.Blue.Length),
		A: 0xff,
	}
}

// expand converts level q of a channel with n bits to eight bits. Like display hardware, it repeats the bits of q. quantize converts the
// result back to q with every threshold.
func expand(q uint32, n uint8) uint8 {
	if n >= 8 {
		return uint8(q >> (n - 8))
	}
	v := q << (8 - n)
	for ; n < 8; n *= 2 {
		v |= v >> n
	}
	return uint8(v)
}

// At returns the color of the pixel that begins at p[0].
func (f Format) At(p []byte) color.RGBA {
	var v uint32
	for i := range f.BytesPerPixel() {
		v |= uint32(p[i]) << (8 * i)
	}
	return f.unpack(v)
}
