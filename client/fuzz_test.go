package client

import (
	"bytes"
	"image"
	"image/color"
	"testing"
)

// FuzzFrame uses any bytes as a frame. The client rejects the bytes, or fills the screen with opaque pixels.
func FuzzFrame(f *testing.F) {
	picture := grey(image.Pt(9, 7))
	for _, kind := range []string{"jpeg", "png", "bmp"} {
		file := encode(f, kind, picture)
		f.Add(file)
		f.Add(file[:len(file)/2])
		f.Add(append(bytes.Clone(file[:16]), bytes.Repeat([]byte{0xff}, 64)...))
	}
	f.Add(encode(f, "png", image.NewPaletted(image.Rect(0, 0, 3, 3), color.Palette{color.Transparent, color.White})))
	f.Add([]byte("\xff\xd8\xff\xc0\x00\x11\x08\xff\xff\xff\xff\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01")) // 65535x65535
	f.Add([]byte("GIF89a"))
	const most = 1 << 16 // px; larger pictures only take longer
	size := image.Pt(8, 6)
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, kind := range formats {
			if c, err := kind.config(bytes.NewReader(file)); err == nil && c.Width*c.Height > most && kind.check(file, image.Pt(c.Width, c.Height), size) == nil {
				return
			}
		}
		img, err := decode(file, size)
		if err != nil {
			return
		}
		fr := newFrame(size)
		fr.setWhole(img)
		for i := 3; i < len(fr.pix.Pix); i += 4 {
			if fr.pix.Pix[i] != 255 {
				t.Fatalf("pixel %d is not opaque", i/4)
			}
		}
	})
}
