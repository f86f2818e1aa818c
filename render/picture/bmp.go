package picture

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"math/bits"

	"golang.org/x/image/bmp"
)

// Values of the compression field of a bitmap (Windows GDI, BITMAPINFOHEADER).
const (
	bmpPlain = 0
	bmpRLE8  = 1
	bmpRLE4  = 2
	bmpMasks = 3
)

// bmpHeader is the length in bytes of the file header and the smallest info header, which every bitmap has.
const bmpHeader = 14 + 40

var errBMP = errors.New("unsupported kind of bitmap")

// A bitmap is a BMP file of a kind that golang.org/x/image cannot read: with 16 bits for each
// pixel, with run-length encoding, with color masks, or with a gap before the pixels.
type bitmap struct {
	width, height int
	topDown       bool
	depth         int // bits for each pixel
	compression   uint32
	palette       color.Palette // palette for depths up to 8 bits
	masks         [4]uint32     // masks of red, green, blue and alpha, for 16 and 32 bits
	pixels        []byte
}

// bmpConfig returns the size of a bitmap.
func bmpConfig(r io.Reader) (image.Config, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return image.Config{}, err
	}
	b, err := readBitmap(data)
	if err != nil {
		return image.Config{}, err
	}
	return image.Config{ColorModel: color.NRGBAModel, Width: b.width, Height: b.height}, nil
}

// bmpDecode decodes a bitmap of any supported kind.
func bmpDecode(r io.Reader) (image.Image, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	b, err := readBitmap(data)
	if err != nil {
		return nil, err
	}
	switch {
	case b.compression == bmpRLE8 || b.compression == bmpRLE4:
		return b.runs(), nil
	case b.depth <= 8:
		return b.indexed()
	}
	return b.direct()
}

// decodeBMP decodes with golang.org/x/image. If the library cannot read this kind of file, it uses bmpDecode.
func decodeBMP(data []byte, to target) (*Picture, error) {
	p, err := decodeStill("bmp", bmp.DecodeConfig, bmp.Decode, fourBytes, data, upright, to)
	if errors.Is(err, bmp.ErrUnsupported) {
		return decodeStill("bmp", bmpConfig, bmpDecode, fourBytes, data, upright, to)
	}
	return p, err
}

// readBitmap reads the headers, the masks and the palette.
func readBitmap(data []byte) (*bitmap, error) {
	if len(data) < bmpHeader {
		return nil, io.ErrUnexpectedEOF
	}
	le := binary.LittleEndian
	at, info := int64(le.Uint32(data[10:])), int64(le.Uint32(data[14:]))
	b := &bitmap{width: int(int32(le.Uint32(data[18:]))), height: int(int32(le.Uint32(data[22:]))), depth: int(le.Uint16(data[28:])), compression: le.Uint32(data[30:])}
	if b.height < 0 {
		b.height, b.topDown = -b.height, true
	}
	if info < bmpHeader-14 || at > int64(len(data)) || b.width < 1 || b.height < 1 || b.width > MaxPixels || b.height > MaxPixels {
		return nil, errBMP
	}
	after := 14 + info
	if err := b.readMasks(data); err != nil {
		return nil, err
	}
	if b.compression == bmpMasks && info == bmpHeader-14 {
		after += 12 // the masks are between the header and the palette
	}
	b.pixels = data[at:]
	return b, b.readPalette(data, after, int64(le.Uint32(data[46:])))
}

// readMasks checks the compression and sets the color masks for depths of 16 and 32 bits.
func (b *bitmap) readMasks(data []byte) error {
	le := binary.LittleEndian
	switch {
	case b.compression == bmpRLE8 && b.depth == 8, b.compression == bmpRLE4 && b.depth == 4:
	case b.compression == bmpPlain && b.depth == 16:
		b.masks = [4]uint32{0x7c00, 0x3e0, 0x1f}
	case b.compression == bmpPlain && (b.depth == 24 || b.depth == 32):
		b.masks = [4]uint32{0xff0000, 0xff00, 0xff}
	case b.compression == bmpPlain && (b.depth == 1 || b.depth == 2 || b.depth == 4 || b.depth == 8):
	case b.compression == bmpMasks && (b.depth == 16 || b.depth == 32):
		if len(data) < bmpHeader+12 {
			return io.ErrUnexpectedEOF
		}
		for i := range 3 {
			b.masks[i] = le.Uint32(data[bmpHeader+4*i:])
		}
		if le.Uint32(data[14:]) >= 56 && len(data) >= bmpHeader+16 { // the header has a fourth mask
			b.masks[3] = le.Uint32(data[bmpHeader+12:])
		}
	default:
		return errBMP
	}
	return nil
}

// readPalette reads the palette after the headers. Missing colors are black.
func (b *bitmap) readPalette(data []byte, at, used int64) error {
	if b.depth > 8 {
		return nil
	}
	b.palette = make(color.Palette, 1<<b.depth)
	if used == 0 || used > int64(len(b.palette)) {
		used = int64(len(b.palette))
	}
	for i := range b.palette {
		c := color.NRGBA{A: 255}
		if from := at + 4*int64(i); int64(i) < used && from+4 <= int64(len(data)) {
			c = color.NRGBA{R: data[from+2], G: data[from+1], B: data[from], A: 255}
		}
		b.palette[i] = c
	}
	return nil
}

// row returns the number of the picture's row that line y of the file contains.
func (b *bitmap) row(y int) int {
	if b.topDown {
		return y
	}
	return b.height - 1 - y
}

// stride returns the length in bytes of an uncompressed line, a multiple of four.
func (b *bitmap) stride() int { return (b.width*b.depth + 31) / 32 * 4 }

func (b *bitmap) short() error {
	if int64(len(b.pixels)) < int64(b.stride())*int64(b.height) {
		return fmt.Errorf("bitmap: %w", io.ErrUnexpectedEOF)
	}
	return nil
}

func (b *bitmap) indexed() (image.Image, error) {
	if err := b.short(); err != nil {
		return nil, err
	}
	m := image.NewPaletted(image.Rect(0, 0, b.width, b.height), b.palette)
	for y := range b.height {
		line, to := b.pixels[y*b.stride():], m.Pix[b.row(y)*m.Stride:]
		for x := range b.width {
			bit := x * b.depth
			to[x] = line[bit/8] >> (8 - b.depth - bit%8) & byte(1<<b.depth-1)
		}
	}
	return m, nil
}

// direct reads pixels of 16, 24 and 32 bits.
func (b *bitmap) direct() (image.Image, error) {
	if err := b.short(); err != nil {
		return nil, err
	}
	m := image.NewNRGBA(image.Rect(0, 0, b.width, b.height))
	size := b.depth / 8
	for y := range b.height {
		line, to := b.pixels[y*b.stride():], m.Pix[b.row(y)*m.Stride:]
		for x := range b.width {
			var v uint32
			for i := range size {
				v |= uint32(line[x*size+i]) << (8 * i)
			}
			to[4*x], to[4*x+1], to[4*x+2], to[4*x+3] = part(v, b.masks[0]), part(v, b.masks[1]), part(v, b.masks[2]), 255
			if b.masks[3] != 0 {
				to[4*x+3] = part(v, b.masks[3])
			}
		}
	}
	return m, nil
}

// part extracts the bits under a mask and scales them to 0 to 255.
func part(v, mask uint32) byte {
	if mask == 0 {
		return 0
	}
	shift := bits.TrailingZeros32(mask)
	most := uint64(mask >> shift)
	return byte((uint64(v&mask>>shift)*255 + most/2) / most)
}
