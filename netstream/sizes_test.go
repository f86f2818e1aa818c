package netstream

import (
	"context"
	"errors"
	"image"
	"strconv"
	"sync"
	"testing"
	"time"
)

func TestErrors(t *testing.T) {
	s := newStream(Options{})
	for _, c := range []struct {
		w, h int
		want error
	}{
		{0, 0, ErrNoFrame}, {10, 10, ErrNoFrame}, {7680, 7680, ErrNoFrame},
		{0, 10, ErrSize}, {10, 0, ErrSize}, {-1, -1, ErrSize}, {7681, 10, ErrSize}, {10, 7681, ErrSize},
	} {
		if _, err := s.Get(t.Context(), Request{W: c.w, H: c.h}); err != c.want {
			t.Errorf("%dx%d: got %v, want %v", c.w, c.h, err, c.want)
		}
	}
}

// BenchmarkSizes measures a tick of a clock on a wall of 1920x1080. Screens of n different sizes fetch the change as a delta from the
// previous frame.
func BenchmarkSizes(b *testing.B) {
	for _, n := range []int{MaxSizes, MaxSizes + 1, MaxSizes + 2} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			s := newStream(Options{})
			k := newTick(1920, 1080, image.Rect(100, 200, 400, 300))
			k.draw(s)
			tags := make([]string, n)
			for b.Loop() {
				k.draw(s)
				for i := range tags {
					resp, _ := mustGet(b, s, Request{W: 800 + 16*i, H: 480, IfNoneMatch: tags[i], Delta: true})
					tags[i] = resp.ETag
				}
			}
		})
	}
}

// A frame is encoded only once for each size, even if many clients request this size.
func TestSingleFlight(t *testing.T) {
	p := newPainter(1, 200, 150)
	s := newStream(Options{})
	for round := range 3 {
		mustDraw(t, s, p.frame, p.frame.Rect)
		var wg sync.WaitGroup
		for range 40 {
			wg.Go(func() {
				resp, err := s.Get(context.Background(), Request{W: 120, H: 90})
				if err != nil {
					t.Error(err)
					return
				}
				resp.Body.Close()
			})
		}
		wg.Wait()
		if got := s.Stats().Encodes; got != uint64(round+1) {
			t.Fatalf("round %d: got %d encodes, want %d", round, got, round+1)
		}
		p.paint(p.rect())
	}
}

// A frame that no client requests is not encoded.
func TestLazy(t *testing.T) {
	p := newPainter(1, 200, 150)
	s := newStream(Options{})
	mustDraw(t, s, p.frame)
	mustGet(t, s, Request{})
	for range 10 {
		p.change()
		mustDraw(t, s, p.frame)
	}
	if got := s.Stats().Encodes; got != 1 {
		t.Errorf("got %d encodes, want 1", got)
	}
}

// A size that equals the frame's size keeps no second copy of the frame, even if the size was scaled before. When it has to be scaled
// again, it gets its own picture again.
func TestOwnSizeKeepsNoCopy(t *testing.T) {
	s := newStream(Options{Format: "png"})
	for _, c := range []struct {
		frame image.Point
		own   bool
	}{{image.Pt(200, 150), true}, {image.Pt(320, 240), false}, {image.Pt(200, 150), true}} {
		p := newPainter(1, c.frame.X, c.frame.Y)
		mustDraw(t, s, p.frame)
		_, data := mustGet(t, s, Request{W: 200, H: 150})
		if got := s.sizes[0].pixels == nil; got != c.own {
			t.Errorf("frames of %v: no copy is %v, want %v", c.frame, got, c.own)
		}
		if c.own {
			difference(t, decode(t, "png", data), p.frame)
		}
	}
}

// TryDrawFrame returns false if it would have to wait because a size is being scaled or encoded. Otherwise it publishes the frame.
func TestTryDrawFrame(t *testing.T) {
	s := newStream(Options{})
	p := newPainter(1, 64, 48)
	whole := []image.Rectangle{p.frame.Rect}
	s.pix.RLock() // does the same as a request whose size is being scaled or encoded
	if s.TryDrawFrame(p.frame, whole) {
		t.Error("taken while the frame is read")
	}
	s.pix.RUnlock()
	if _, ok := s.Current(); ok {
		t.Error("a refused frame was published")
	}
	if !s.TryDrawFrame(p.frame, whole) {
		t.Error("refused although nobody reads")
	}
	if _, ok := s.Current(); !ok {
		t.Error("nothing was published")
	}
}

func TestIdleSizesGo(t *testing.T) {
	clock := start
	s := New(func() time.Time { return clock })
	p := newPainter(1, 100, 80)
	mustDraw(t, s, p.frame)
	mustGet(t, s, Request{W: 40, H: 30})
	mustGet(t, s, Request{W: 50, H: 30})
	clock = clock.Add(KeepFor)
	mustGet(t, s, Request{W: 50, H: 30})
	clock = clock.Add(time.Second)
	p.change()
	mustDraw(t, s, p.frame)
	if st := s.Stats(); len(st.Sizes) != 1 || st.Sizes[0].W != 50 {
		t.Errorf("got %+v, want the size of width 50 alone", st.Sizes)
	}
}

// Get stops waiting for an encode when its context ends.
func TestGetGivesUp(t *testing.T) {
	s := newStream(Options{})
	mustDraw(t, s, newPainter(1, 100, 80).frame)
	mustGet(t, s, Request{})
	z := s.sizes[0]
	z.turn <- struct{}{} // simulates an encode that never ends
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Get(ctx, Request{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
	<-z.turn
	mustGet(t, s, Request{})
	if z.users != 0 {
		t.Errorf("%d users are left", z.users)
	}
}

// A new format takes effect with the next request, and subscriptions continue.
func TestReconfigure(t *testing.T) {
	s := newStream(Options{})
	mustDraw(t, s, newPainter(1, 100, 80).frame)
	u := s.Subscribe()
	defer u.Close()
	u.Next()
	before, jpg := mustGet(t, s, Request{})
	s.Configure(Options{Debounce: time.Second}) // the format stays the same
	if got := len(s.Stats().Sizes); got != 1 {
		t.Errorf("got %d sizes after another debounce, want 1", got)
	}
	s.Configure(Options{Format: "png"})
	after, data := mustGet(t, s, Request{})
	decode(t, "jpeg", jpg)
	decode(t, "png", data)
	if after.ContentType != "image/png" || after.ETag != before.ETag {
		t.Errorf("got %+v, want a PNG with tag %s", after, before.ETag)
	}
	mustDraw(t, s, newPainter(2, 120, 90).frame) // a frame of a new size is never held back
	if p, ok := u.Next(); !ok || p.ETag == "" {
		t.Error("the subscription has not heard of the frame")
	}
}

// After a frame of a new size, a request without a size returns the frame at the new size. Requests with a size still get an answer.
func TestResize(t *testing.T) {
	s := newStream(Options{Format: "png"})
	for i, size := range []image.Point{{100, 80}, {60, 90}, {300, 20}, {100, 80}} {
		p := newPainter(uint64(i), size.X, size.Y)
		mustDraw(t, s, p.frame, image.Rect(0, 0, 1, 1)) // the damage is too small, but a new size changes all pixels
		_, data := mustGet(t, s, Request{})
		difference(t, decode(t, "png", data), p.frame)
		_, data = mustGet(t, s, Request{W: 50, H: 40})
		fresh := newStream(Options{Format: "png"})
		mustDraw(t, fresh, p.frame)
		_, want := mustGet(t, fresh, Request{W: 50, H: 40})
		difference(t, decode(t, "png", data), decode(t, "png", want))
		if s.Bounds().Size() != size {
			t.Errorf("got bounds %v, want size %v", s.Bounds(), size)
		}
	}
}

// If an encoder panics, the request returns an error. The next request creates the size again.
func TestPanicIsContained(t *testing.T) {
	s := newStream(Options{})
	p := newPainter(1, 100, 80)
	mustDraw(t, s, p.frame)
	mustGet(t, s, Request{})
	s.sizes[0].enc = brokenEncoder{s.sizes[0].enc}
	p.paint(p.frame.Rect)
	mustDraw(t, s, p.frame)
	if _, err := s.Get(t.Context(), Request{}); err == nil {
		t.Fatal("a panic is no error")
	}
	_, got := mustGet(t, s, Request{})
	fresh := newStream(Options{})
	mustDraw(t, fresh, p.frame)
	_, want := mustGet(t, fresh, Request{})
	if string(got) != string(want) {
		t.Error("got another file than a fresh stream")
	}
}

type brokenEncoder struct{ encoder }

func (brokenEncoder) Update(*image.RGBA, ...image.Rectangle) []int { panic("broken") }
