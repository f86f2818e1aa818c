package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/bmp"

	"dashboard/internal/folder"
)

var (
	red     = color.RGBA{255, 0, 0, 255}
	green   = color.RGBA{0, 255, 0, 255}
	blue    = color.RGBA{0, 0, 255, 255}
	magenta = color.RGBA{255, 0, 255, 255}
	cyan    = color.RGBA{0, 255, 255, 255}
	nothing = color.RGBA{}
)

// quad returns a picture of 32x24: red and green in the upper half, magenta and cyan in the lower
// half. The WebP files of testdata contain the same picture.
func quad() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 32, 24))
	for y := range 24 {
		for x := range 32 {
			c := [2][2]color.RGBA{{red, green}, {magenta, cyan}}[y/12][x/16]
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

func encoded(t testing.TB, encode func(*bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pngOf(t testing.TB, img image.Image) []byte {
	return encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, img) })
}

func jpegOf(t testing.TB, img image.Image) []byte {
	return encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, img, &jpeg.Options{Quality: 98}) })
}

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// near() compares two colors with a tolerance, because lossy formats change colors a little. The tests compare only the middles of flat
// quarters, where the error is small.
func near(a, b color.RGBA) bool {
	const tolerance = 12
	d := func(x, y uint8) bool { return max(x, y)-min(x, y) <= tolerance }
	return d(a.R, b.R) && d(a.G, b.G) && d(a.B, b.B) && d(a.A, b.A)
}

// checkQuad compares the colors at the middles of the four quarters, in this order: upper left, upper right, lower left, lower right.
func checkQuad(t *testing.T, img *image.RGBA, want [4]color.RGBA) {
	t.Helper()
	w, h := img.Rect.Dx(), img.Rect.Dy()
	for i, c := range want {
		x, y := w/4+i%2*w/2, h/4+i/2*h/2
		if got := img.RGBAAt(x, y); !near(got, c) {
			t.Errorf("at %d,%d: got %v, want %v", x, y, got, c)
		}
	}
}

func TestDecodeFormats(t *testing.T) {
	upside := [4]color.RGBA{red, green, magenta, cyan}
	glass := [4]color.RGBA{red, green, nothing, nothing}
	tests := []struct {
		name   string
		data   []byte
		size   image.Point
		opaque bool
		want   [4]color.RGBA
	}{
		{"png", pngOf(t, quad()), image.Pt(64, 48), true, upside},
		{"jpeg", jpegOf(t, quad()), image.Pt(64, 48), true, upside},
		{"bmp", encoded(t, func(b *bytes.Buffer) error { return bmp.Encode(b, quad()) }), image.Pt(64, 48), true, upside},
		{"gif", encoded(t, func(b *bytes.Buffer) error { return gif.Encode(b, quad(), nil) }), image.Pt(64, 48), true, upside},
		{"webp", file(t, "quad.webp"), image.Pt(64, 48), true, upside},
		{"webp with alpha", file(t, "alpha.webp"), image.Pt(64, 48), false, glass},
		{"lossless webp", file(t, "lossless.webp"), image.Pt(64, 48), false, glass},
		{"webp with orientation 6", file(t, "turned.webp"), image.Pt(37, 50), true, [4]color.RGBA{magenta, red, cyan, green}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Decode(t.Context(), tt.data, image.Pt(64, 50), Contain, true)
			if err != nil {
				t.Fatal(err)
			}
			want := image.Rectangle{Max: tt.size}.Add(image.Pt((64-tt.size.X)/2, (50-tt.size.Y)/2))
			if p.Rect != want || p.Frames[0].Img.Rect != (image.Rectangle{Max: tt.size}) {
				t.Errorf("got %v, frame %v, want %v", p.Rect, p.Frames[0].Img.Rect, want)
			}
			if p.Opaque != tt.opaque || len(p.Frames) != 1 {
				t.Errorf("got opaque %v and %d frames, want %v and 1", p.Opaque, len(p.Frames), tt.opaque)
			}
			checkQuad(t, p.Frames[0].Img, tt.want)
			if i, next := p.Frame(time.Hour); i != 0 || next != Forever {
				t.Errorf("got frame %d for %v, want 0 for ever", i, next)
			}
		})
	}
}

// withOrientation puts an EXIF segment into a JPEG.
func withOrientation(jpeg []byte, o uint16, order binary.AppendByteOrder) []byte {
	tiff := []byte("II*\x00")
	if order == binary.BigEndian {
		tiff = []byte("MM\x00*")
	}
	tiff = order.AppendUint32(tiff, 8)
	tiff = order.AppendUint16(tiff, 2)
	for _, tag := range []struct{ tag, value uint16 }{{0x0100, 7}, {0x0112, o}} {
		tiff = order.AppendUint16(tiff, tag.tag)
		tiff = order.AppendUint16(tiff, 3)
		tiff = order.AppendUint32(tiff, 1)
		tiff = order.AppendUint16(tiff, tag.value)
		tiff = order.AppendUint16(tiff, 0)
	}
	exif := append([]byte("Exif\x00\x00"), tiff...)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(exif)+2))
	return append(append(append([]byte{}, jpeg[:2]...), append(segment, exif...)...), jpeg[2:]...)
}

func TestOrientation(t *testing.T) {
	a, b, c, d := red, green, magenta, cyan // colors of the quarters in the stored picture
	tests := []struct {
		o    uint16
		want [4]color.RGBA
		size image.Point
	}{
		{0, [4]color.RGBA{a, b, c, d}, image.Pt(32, 24)},
		{1, [4]color.RGBA{a, b, c, d}, image.Pt(32, 24)},
		{2, [4]color.RGBA{b, a, d, c}, image.Pt(32, 24)},
		{3, [4]color.RGBA{d, c, b, a}, image.Pt(32, 24)},
		{4, [4]color.RGBA{c, d, a, b}, image.Pt(32, 24)},
		{5, [4]color.RGBA{a, c, b, d}, image.Pt(24, 32)},
		{6, [4]color.RGBA{c, a, d, b}, image.Pt(24, 32)},
		{7, [4]color.RGBA{d, b, c, a}, image.Pt(24, 32)},
		{8, [4]color.RGBA{b, d, a, c}, image.Pt(24, 32)},
		{9, [4]color.RGBA{a, b, c, d}, image.Pt(32, 24)},
	}
	plain := jpegOf(t, quad())
	for _, tt := range tests {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			p, err := Decode(t.Context(), withOrientation(plain, tt.o, order), tt.size.Mul(2), Contain, true)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := p.Rect.Size(), tt.size.Mul(2); got != want {
				t.Errorf("orientation %d: got %v, want %v", tt.o, got, want)
			}
			checkQuad(t, p.Frames[0].Img, tt.want)
		}
	}
}

// TestOrientationCutsTheRightPart: if the orientation rotates a picture, the visible part is chosen after the rotation.
func TestOrientationCutsTheRightPart(t *testing.T) {
	data := withOrientation(jpegOf(t, quad()), 6, binary.LittleEndian) // after rotation 24x32 pixels, magenta and red in the upper half
	p, err := Decode(t.Context(), data, image.Pt(24, 8), CoverTopLeft, true)
	if err != nil {
		t.Fatal(err)
	}
	checkQuad(t, p.Frames[0].Img, [4]color.RGBA{magenta, red, magenta, red})
}

func TestPNGOrientation(t *testing.T) {
	data := pngOf(t, quad())
	jpeg := withOrientation([]byte("\xff\xd8"), 6, binary.BigEndian)
	tiff := jpeg[bytes.Index(jpeg, []byte("MM")):]
	chunk := append(binary.BigEndian.AppendUint32(nil, uint32(len(tiff))), "eXIf"...)
	chunk = append(append(chunk, tiff...), 0, 0, 0, 0)
	const header = 8 + 25 // signature and IHDR
	with := append(append(append([]byte{}, data[:header]...), chunk...), data[header:]...)
	if got := pngOrientation(with); got != 6 {
		t.Errorf("got %d, want 6", got)
	}
	if got := pngOrientation(data); got != upright {
		t.Errorf("without the chunk: got %d, want 1", got)
	}
}

// bigPNG returns only the header of a PNG with the given size.
func bigPNG(t testing.TB, w, h uint32) []byte {
	data := pngOf(t, image.NewRGBA(image.Rect(0, 0, 1, 1)))
	binary.BigEndian.PutUint32(data[16:], w)
	binary.BigEndian.PutUint32(data[20:], h)
	binary.BigEndian.PutUint32(data[29:], crc(data[12:29]))
	return data
}

func TestDecodeErrors(t *testing.T) {
	box := image.Pt(10, 10)
	big := file(t, "frames.webp")
	copy(big[24:], "\xff\xff\xff\xff\xff\xff") // a canvas of 16 million times 16 million pixels
	tests := []struct {
		name string
		data []byte
		box  image.Point
		is   error
		text string
	}{
		{"nothing", nil, box, ErrUnknown, ""},
		{"text", []byte("hello"), box, ErrUnknown, "JPEG, PNG"},
		{"too many bytes", make([]byte, MaxBytes+1), box, ErrTooLarge, ""},
		{"too many pixels", bigPNG(t, 20000, 10000), box, ErrTooLarge, "20000x10000"},
		{"too many pixels of a gif", []byte("GIF89a\xff\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x00"), box, ErrTooLarge, "65535"},
		{"too many pixels of a webp", big, box, ErrTooLarge, "webp"},
		{"cut png", pngOf(t, quad())[:60], box, nil, "png: "},
		{"cut jpeg", jpegOf(t, quad())[:60], box, nil, "jpeg: "},
		{"cut gif", []byte("GIF89a"), box, nil, "gif: "},
		{"gif without a frame", []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;"), box, nil, "gif: "},
		{"cut webp", file(t, "quad.webp")[:40], box, nil, "webp: "},
		{"cut animated webp", file(t, "animated.webp")[:60], box, nil, "webp: "},
		{"empty box", pngOf(t, quad()), image.Pt(0, 5), nil, "box 0x5"},
		{"huge box", pngOf(t, quad()), image.Pt(5, MaxSide+1), nil, "box 5x7681"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Decode(t.Context(), tt.data, tt.box, Contain, true)
			if err == nil {
				t.Fatalf("got %v, want an error", p.Rect)
			}
			if tt.is != nil && !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("got %q, want %v with %q", err, tt.is, tt.text)
			}
		})
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.png"), filepath.Join(dir, "bad.png")
	for name, data := range map[string][]byte{good: pngOf(t, quad()), bad: []byte("rubbish")} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct{ name, path, want string }{
		{"good", good, ""},
		{"missing", filepath.Join(dir, "none"), "none: no such file or directory"},
		{"directory", dir, dir + ": is a directory, not a file"},
		{"device", os.DevNull, "is a device, not a file"},
		{"undecodable", bad, bad + ": not a picture"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(t.Context(), folder.Dir(""), tt.path, image.Pt(10, 10), Contain, true)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// TestNearest: without smoothing, the result contains only colors of the source.
func TestNearest(t *testing.T) {
	p, err := Decode(t.Context(), pngOf(t, quad()), image.Pt(77, 55), Stretch, false)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(p.Frames[0].Img.Pix); i += 4 {
		px := p.Frames[0].Img.Pix[i : i+4]
		if c := (color.RGBA{px[0], px[1], px[2], px[3]}); c != red && c != green && c != magenta && c != cyan {
			t.Fatalf("got %v, a color that the source does not have", c)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, name := range []string{"quad.webp", "alpha.webp", "lossless.webp", "turned.webp", "animated.webp", "frames.webp"} {
		f.Add(file(f, name))
	}
	f.Add(pngOf(f, quad()))
	f.Add(withOrientation(jpegOf(f, quad()), 6, binary.BigEndian))
	f.Add(animatedGIF(f))
	for _, format := range []string{"png", "jpeg"} {
		f.Add(withProfile(f, format, quad(), profile(displayP3, srgbCurve())))
	}
	for _, svg := range svgSeeds {
		f.Add([]byte(svg))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		box := image.Pt(13, 17)
		p, err := Decode(t.Context(), data, box, Cover, true)
		if err != nil {
			return
		}
		if !p.Rect.In(image.Rectangle{Max: box}) || p.Rect.Empty() || len(p.Frames) == 0 || len(p.Frames) > MaxFrames {
			t.Fatalf("got %v with %d frames", p.Rect, len(p.Frames))
		}
		for _, fr := range p.Frames {
			if fr.Img.Rect.Size() != p.Rect.Size() {
				t.Fatalf("got a frame of %v in %v", fr.Img.Rect, p.Rect)
			}
		}
	})
}

func FuzzOrientation(f *testing.F) {
	jpeg := withOrientation(jpegOf(f, quad()), 6, binary.BigEndian)
	f.Add(jpeg)
	f.Add(jpeg[bytes.Index(jpeg, []byte("MM")):])
	f.Add(file(f, "turned.webp")[12:])
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, o := range []orientation{jpegOrientation(data), pngOrientation(data), webpOrientation(data), tiffOrientation(data)} {
			if o < 1 || o > 8 {
				t.Fatalf("got %d, want 1 to 8", o)
			}
		}
	})
}
