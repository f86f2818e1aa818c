package picture

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"testing"

	"golang.org/x/image/bmp"
)

// bitmapOf makes a bitmap file of 4x2 pixels.
func bitmapOf(depth int, compression uint32, masks []uint32, palette []color.NRGBA, gap int, pixels []byte) []byte {
	le := binary.LittleEndian
	info := make([]byte, 40)
	le.PutUint32(info, 40)
	le.PutUint32(info[4:], 4)
	le.PutUint32(info[8:], 2)
	le.PutUint16(info[12:], 1)
	le.PutUint16(info[14:], uint16(depth))
	le.PutUint32(info[16:], compression)
	le.PutUint32(info[32:], uint32(len(palette)))
	for _, m := range masks {
		info = le.AppendUint32(info, m)
	}
	for _, c := range palette {
		info = append(info, c.B, c.G, c.R, 0)
	}
	info = append(info, make([]byte, gap)...)
	file := append([]byte("BM"), make([]byte, 8)...)
	file = le.AppendUint32(file, uint32(14+len(info)))
	return append(append(file, info...), pixels...)
}

// TestBitmaps reads the kinds of bitmaps that golang.org/x/image refuses. All of them show red,
// green, blue and white in the upper row, and four black pixels below.
func TestBitmaps(t *testing.T) {
	colors := []color.NRGBA{{A: 255}, {R: 255, A: 255}, {G: 255, A: 255}, {B: 255, A: 255}, {R: 255, G: 255, B: 255, A: 255}}
	word := func(values ...uint16) (b []byte) {
		for _, v := range values {
			b = binary.LittleEndian.AppendUint16(b, v)
		}
		return b
	}
	tests := map[string][]byte{
		"16 bits":                 bitmapOf(16, bmpPlain, nil, nil, 0, word(0, 0, 0, 0, 0x7c00, 0x3e0, 0x1f, 0x7fff)),
		"16 bits, 5-6-5":          bitmapOf(16, bmpMasks, []uint32{0xf800, 0x7e0, 0x1f}, nil, 0, word(0, 0, 0, 0, 0xf800, 0x7e0, 0x1f, 0xffff)),
		"32 bits, masks":          bitmapOf(32, bmpMasks, []uint32{0xff, 0xff00, 0xff0000}, nil, 0, append(make([]byte, 16), 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 255, 255, 255, 0)),
		"8 bits, a gap":           bitmapOf(8, bmpPlain, nil, colors, 6, []byte{0, 0, 0, 0, 1, 2, 3, 4}),
		"4 bits, a gap":           bitmapOf(4, bmpPlain, nil, colors, 6, []byte{0, 0, 0, 0, 0x12, 0x34, 0, 0}),
		"run lengths of 8":        bitmapOf(8, bmpRLE8, nil, colors, 0, []byte{4, 0, 0, 0, 0, 3, 1, 2, 3, 0, 1, 4, 0, 0, 0, 1}),
		"run lengths of 4":        bitmapOf(4, bmpRLE4, nil, colors, 0, []byte{4, 0, 0, 0, 2, 0x12, 0, 2, 0, 0, 2, 0x34, 0, 1}),
		"run lengths with a move": bitmapOf(8, bmpRLE8, nil, colors, 0, []byte{0, 2, 0, 1, 1, 1, 1, 2, 1, 3, 9, 4}),
		"run lengths, cut":        bitmapOf(8, bmpRLE8, nil, colors, 0, []byte{0, 0, 0, 9, 1, 2, 3, 4}),
	}
	for name, data := range tests {
		if _, err := bmp.Decode(bytes.NewReader(data)); err == nil {
			t.Errorf("%s: the library reads it", name)
		}
		p, err := Decode(t.Context(), data, image.Pt(4, 2), Stretch, false)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for x := range 4 {
			if got, want := p.Frames[0].Img.RGBAAt(x, 0), color.RGBA(colors[x+1]); got != want {
				t.Errorf("%s, pixel %d: got %v, want %v", name, x, got, want)
			}
			if got := p.Frames[0].Img.RGBAAt(x, 1); got != (color.RGBA{A: 255}) {
				t.Errorf("%s, pixel %d below: got %v, want black", name, x, got)
			}
		}
	}
}

// FuzzBitmap checks that bmpDecode returns a readable picture or an error for any bytes.
func FuzzBitmap(f *testing.F) {
	f.Add(bitmapOf(8, bmpRLE8, nil, []color.NRGBA{{A: 255}}, 0, []byte{4, 0, 0, 2, 255, 255, 0, 255, 1}))
	f.Add(bitmapOf(4, bmpRLE4, nil, nil, 0, []byte{0, 9, 1}))
	f.Add(bitmapOf(16, bmpMasks, []uint32{0, 0xffffffff, 1 << 31}, nil, 0, make([]byte, 16)))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := readBitmap(data)
		if err != nil || b.width*b.height > 1<<16 {
			return
		}
		if m, err := bmpDecode(bytes.NewReader(data)); err == nil {
			for y := range b.height {
				for x := range b.width {
					m.At(x, y)
				}
			}
		}
	})
}
