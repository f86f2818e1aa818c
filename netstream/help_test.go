package netstream

import (
	"bytes"
	"context"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"golang.org/x/image/bmp"

	"dashboard/internal/testing/race"
)

// start is a time that is not a whole number of microseconds.
var start = time.Unix(1795235340, 354578300).UTC()

func fixed() time.Time { return start }

// newStream returns a stream with the options o and a clock that always returns start.
func newStream(o Options) *Stream {
	s := New(fixed)
	s.Configure(o)
	return s
}

// A painter paints random rectangles into an opaque frame. The rectangles resemble widgets: flat areas, gradients, and noise like text.
type painter struct {
	*rand.Rand
	frame *image.RGBA
}

func newPainter(seed uint64, w, h int) *painter {
	p := &painter{rand.New(rand.NewPCG(seed, 1)), flat(w, h, color.RGBA{20, 24, 32, 255})}
	for range 6 {
		p.paint(p.rect())
	}
	return p
}

func flat(w, h int, c color.RGBA) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return img
}

// rect returns a random rectangle within the frame. It is never empty.
func (p *painter) rect() image.Rectangle {
	size := p.frame.Rect.Size()
	x, y := p.IntN(size.X), p.IntN(size.Y)
	return image.Rect(x, y, x+1+p.IntN(min(size.X-x, 90)), y+1+p.IntN(min(size.Y-y, 60)))
}

func (p *painter) paint(r image.Rectangle) {
	base := color.RGBA{uint8(p.IntN(256)), uint8(p.IntN(256)), uint8(p.IntN(256)), 255}
	kind := p.IntN(3)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := base
			switch {
			case kind == 1:
				c.R, c.G = uint8(3*(x-r.Min.X)), uint8(2*(y-r.Min.Y))
			case kind == 2 && p.IntN(3) == 0:
				c = color.RGBA{240, 240, 240, 255}
			}
			p.frame.SetRGBA(x, y, c)
		}
	}
}

// change paints one to three random rectangles and returns them.
func (p *painter) change() []image.Rectangle {
	damage := make([]image.Rectangle, 1+p.IntN(3))
	for i := range damage {
		damage[i] = p.rect()
		p.paint(damage[i])
	}
	return damage
}

func mustDraw(t testing.TB, s *Stream, frame *image.RGBA, damage ...image.Rectangle) {
	t.Helper()
	if len(damage) == 0 {
		damage = []image.Rectangle{frame.Rect}
	}
	if err := s.DrawFrame(frame, damage); err != nil {
		t.Fatal(err)
	}
}

func mustGet(t testing.TB, s *Stream, r Request) (Response, []byte) {
	t.Helper()
	resp, err := s.Get(context.Background(), r)
	if err != nil {
		t.Fatalf("Get %+v: %v", r, err)
	}
	if resp.Body == nil {
		return resp, nil
	}
	defer resp.Body.Close()
	var b bytes.Buffer
	if _, err := resp.Body.WriteTo(&b); err != nil {
		t.Fatalf("body of %+v: %v", r, err)
	}
	if resp.Length >= 0 && resp.Length != int64(b.Len()) {
		t.Fatalf("body of %+v: got %d bytes, Length says %d", r, b.Len(), resp.Length)
	}
	return resp, b.Bytes()
}

func decode(t testing.TB, format string, data []byte) *image.RGBA {
	t.Helper()
	decoders := map[string]func(io.Reader) (image.Image, error){
		"": jpeg.Decode, "jpeg": jpeg.Decode, "jpg": jpeg.Decode, "png": png.Decode, "bmp": bmp.Decode,
	}
	img, err := decoders[format](bytes.NewReader(data))
	if err != nil {
		t.Fatalf("decode %s: %v", format, err)
	}
	out := image.NewRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return out
}

// difference reports whether two pictures differ. If they do, it also fails the test with the first different pixel.
func difference(t testing.TB, got, want *image.RGBA) bool {
	t.Helper()
	if got.Rect != want.Rect {
		t.Errorf("got bounds %v, want %v", got.Rect, want.Rect)
		return true
	}
	if bytes.Equal(got.Pix, want.Pix) {
		return false
	}
	for y := range want.Rect.Dy() {
		for x := range want.Rect.Dx() {
			if g, w := got.RGBAAt(x, y), want.RGBAAt(x, y); g != w {
				t.Errorf("pixel (%d, %d): got %v, want %v", x, y, g, w)
				return true
			}
		}
	}
	return false
}

// rounds() returns how often a test repeats random changes: n times with -long, otherwise n/2 times. With the race detector it returns
// n/4, because the changes are then ten times slower and contain no concurrent code that the detector could check.
func rounds(n int) int {
	switch {
	case race.Enabled:
		return n / 4
	case !*inFull:
		return n / 2
	}
	return n
}

// inFull is true in `make long`.
var inFull = flag.Bool("long", false, "twice as many rounds of changes, sizes and files")
