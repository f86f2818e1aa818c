package netstream

import (
	"encoding/hex"
	"image"
	"image/color"
	"image/draw"
	"strconv"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"
	"periph.io/x/conn/v3/display"
)

// Options say how frames are encoded and kept.
type Options struct {
	Format     string        // jpeg (or ""), jpg, png, bmp
	Quality    int           // of JPEG, 1 to 100; 0: 85
	Chroma     int           // of JPEG, 420 or 444; 0: the encoder's default
	Debounce   time.Duration // how long a frame must have been quiet before it is published
	CacheBytes int           // for all kept sizes together; 0: 64 MiB
}

// A Stream publishes frames.
type Stream struct {
	now  func() time.Time
	mu   sync.Mutex
	opts Options

	frame *image.RGBA
	cur   Published
	subs  map[*Subscription]struct{}
	stats Stats
}

var _ display.Drawer = (*Stream)(nil)

// New returns a stream without a frame.
func New(now func() time.Time) *Stream {
	return &Stream{now: now, subs: map[*Subscription]struct{}{}, opts: Options{Quality: 85}}
}

// Configure sets the options, at start and again on every reload.
func (s *Stream) Configure(o Options) {
	if o.Quality == 0 {
		o.Quality = 85
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opts = o
}

// String implements display.Drawer.
func (s *Stream) String() string { return "stream" }

// ColorModel implements display.Drawer.
func (s *Stream) ColorModel() color.Model { return color.RGBAModel }

// Bounds returns those of the newest frame, empty before the first.
func (s *Stream) Bounds() image.Rectangle {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.frame == nil {
		return image.Rectangle{}
	}
	return s.frame.Rect
}

// Draw implements display.Drawer.
func (s *Stream) Draw(r image.Rectangle, src image.Image, at image.Point) error {
	b := s.Bounds()
	if b.Empty() {
		b = r
	}
	img := image.NewRGBA(b)
	draw.Draw(img, r, src, at, draw.Src)
	return s.DrawFrame(img, []image.Rectangle{r.Intersect(b)})
}

// DrawFrame takes over the damage of src and publishes the frame if its pixels changed.
func (s *Stream) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.frame == nil || s.frame.Rect.Size() != src.Rect.Size() {
		s.frame = image.NewRGBA(image.Rectangle{Max: src.Rect.Size()})
		damage = []image.Rectangle{src.Rect}
	}
	for _, r := range damage {
		draw.Draw(s.frame, r.Sub(src.Rect.Min), src, r.Min, draw.Src)
	}
	h := xxhash.New()
	for y := range s.frame.Rect.Dy() {
		h.Write(s.frame.Pix[y*s.frame.Stride:][:4*s.frame.Rect.Dx()])
	}
	tag := hex.EncodeToString(h.Sum(nil))
	if tag == s.cur.ETag {
		return nil
	}
	s.cur = Published{tag, s.now().Truncate(time.Microsecond)}
	s.stats.Published++
	for u := range s.subs {
		u.offer()
	}
	return nil
}

// Current returns the newest frame's announcement, and false before the first.
func (s *Stream) Current() (Published, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cur, s.frame != nil
}

// Halt ends all subscriptions. Get goes on answering.
func (s *Stream) Halt() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for u := range s.subs {
		close(u.c)
		delete(s.subs, u)
	}
	return nil
}

func itoa(n int) string { return strconv.Itoa(n) }
