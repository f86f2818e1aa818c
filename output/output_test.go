package output

import (
	"errors"
	"image"
	"image/color"
	"image/draw"
	"log/slog"
	"sync"
	"testing"

	"dashboard/internal/testing/programtest"
)

func TestMain(m *testing.M) { programtest.MainWithoutLeaks(m) }

// screen is a display in memory that can fail, panic and be slow.
type screen struct {
	mu     sync.Mutex
	img    *image.RGBA
	calls  [][]image.Rectangle
	err    error
	panics bool
	halted bool
	block  chan struct{} // if set, each drawing waits for a value
	began  chan struct{} // if set, signals the start of each drawing
}

func newScreen(w, h int) *screen { return &screen{img: image.NewRGBA(image.Rect(0, 0, w, h))} }

func (s *screen) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	if s.began != nil {
		s.began <- struct{}{}
	}
	if s.block != nil {
		<-s.block
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.panics {
		panic("screen on fire")
	}
	if s.err != nil {
		return s.err
	}
	if s.img.Rect != src.Rect {
		s.img = image.NewRGBA(src.Rect)
	}
	s.calls = append(s.calls, append([]image.Rectangle(nil), damage...))
	for _, r := range damage {
		draw.Draw(s.img, r, src, r.Min, draw.Src)
	}
	return nil
}

func (s *screen) draw(r image.Rectangle, src image.Image, at image.Point) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	s.calls = append(s.calls, []image.Rectangle{r})
	draw.Draw(s.img, r, src, at, draw.Src)
	return nil
}

func (s *screen) set(err error, panics bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err, s.panics = err, panics
}

func (s *screen) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.calls)
}

func (s *screen) Halt() error    { s.halted = true; return s.err }
func (s *screen) String() string { return "screen" }

// plain presents a screen as a display.Drawer without the method DrawFrame.
type plain struct{ s *screen }

func (p plain) Draw(r image.Rectangle, src image.Image, at image.Point) error {
	return p.s.draw(r, src, at)
}
func (p plain) Halt() error             { return p.s.Halt() }
func (p plain) String() string          { return "plain" }
func (p plain) Bounds() image.Rectangle { return p.s.img.Rect }
func (p plain) ColorModel() color.Model { return color.RGBAModel }

// fill paints a rectangle of a frame.
func fill(img *image.RGBA, r image.Rectangle, v uint8) {
	draw.Draw(img, r, image.NewUniform(color.RGBA{v, v, v, 255}), image.Point{}, draw.Src)
}

func frame(w, h int, v uint8) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	fill(img, img.Rect, v)
	return img
}

// equal() compares pixels.
func equal(t testing.TB, got, want *image.RGBA) {
	t.Helper()
	if got.Rect != want.Rect {
		t.Fatalf("got %v, want %v", got.Rect, want.Rect)
	}
	for i := range got.Pix {
		if got.Pix[i] != want.Pix[i] {
			t.Fatalf("at %d,%d: got %d, want %d", i%got.Stride/4, i/got.Stride, got.Pix[i], want.Pix[i])
		}
	}
}

// newBook returns a logger and the log that receives its lines.
func newBook() (*programtest.Log, *slog.Logger) {
	b := &programtest.Log{}
	return b, slog.New(slog.NewTextHandler(b, nil))
}

var errCable = errors.New("cable pulled")

func rects(r ...image.Rectangle) []image.Rectangle { return r }
