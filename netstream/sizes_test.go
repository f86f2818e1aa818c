package netstream

import (
	"context"
	"errors"
	"image"
	"image/color"
	"slices"
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

// Twelve sizes are all served. Eight are kept, those that came first, until they have not been asked for in a while.
func TestTwelveSizes(t *testing.T) {
	clock := start
	s := New(func() time.Time { return clock })
	p := newPainter(1, 100, 80)
	mustDraw(t, s, p.frame)
	ask := func(w int) {
		resp, data := mustGet(t, s, Request{W: w, H: 30})
		if size := decode(t, "", data).Rect.Size(); size != image.Pt(w, 30) || resp.Length != int64(len(data)) {
			t.Errorf("got %v and %+v, want a file of width %d", size, resp, w)
		}
	}
	kept := func(want ...int) {
		t.Helper()
		var got []int
		for _, z := range s.Stats().Sizes {
			got = append(got, z.W)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("got widths %v, want %v", got, want)
		}
	}
	for range 2 {
		for i := range 12 {
			ask(20 + i)
		}
		kept(20, 21, 22, 23, 24, 25, 26, 27)
	}
	clock = clock.Add(2 * recentTime)
	ask(31)
	kept(20, 21, 22, 23, 24, 25, 26, 27) // a slow wall: there has been no frame since
	for range recentFrames + 1 {
		p.paint(p.rect())
		mustDraw(t, s, p.frame)
		mustGet(t, s, Request{W: 20, H: 30, IfNoneMatch: "*"}) // the first stays in use, though it has the frame
	}
	ask(31)
	kept(20, 22, 23, 24, 25, 26, 27, 31)
	clock = clock.Add(recentTime)
	for range recentFrames + 1 { // a fast wall: there have been many
		p.paint(p.rect())
		mustDraw(t, s, p.frame)
	}
	ask(32)
	kept(20, 23, 24, 25, 26, 27, 31, 32)
}

// Nine screens of nine sizes: eight get a delta for every frame, the ninth a whole one.
func TestNinthSize(t *testing.T) {
	s := newStream(Options{})
	k := newTick(320, 240, image.Rect(40, 40, 90, 60))
	k.draw(s)
	tags := map[int]string{}
	for frame := range 5 {
		for i := range MaxSizes + 1 {
			resp, _ := mustGet(t, s, Request{W: 200 + 8*i, H: 150, IfNoneMatch: tags[i], Delta: true})
			tags[i] = resp.ETag
			want := statusIMUsed
			if frame == 0 || i == MaxSizes {
				want = statusOK
			}
			if resp.Status != want {
				t.Errorf("frame %d, size %d: got %d, want %d", frame, i, resp.Status, want)
			}
		}
		k.draw(s)
	}
}

// A slow reader of a picture that is not kept does not hold up others.
func TestNinthSizeReadSlowly(t *testing.T) {
	s := newStream(Options{})
	mustDraw(t, s, newPainter(1, 100, 80).frame)
	for i := range MaxSizes {
		mustGet(t, s, Request{W: 20 + i, H: 30})
	}
	slow, err := s.Get(t.Context(), Request{W: 50, H: 30})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	other, err := s.Get(ctx, Request{W: 51, H: 30})
	if err != nil {
		t.Fatalf("while another one reads: %v", err)
	}
	other.Body.Close()
	slow.Body.Close()
	if st := s.Stats(); st.PinnedBytes != 0 {
		t.Errorf("%d bytes are still held", st.PinnedBytes)
	}
}

// BenchmarkSizes is a clock's tick on a 1080p wall, fetched by screens of so many sizes that hold the frame before.
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

// However many ask for a size, a frame is encoded once.
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

// Nobody asks, nothing is encoded.
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

func TestBudget(t *testing.T) {
	const budget = 1 << 20
	clock := start
	s := New(func() time.Time { clock = clock.Add(time.Second); return clock })
	s.Configure(Options{CacheBytes: budget})
	p := newPainter(1, 200, 150)
	mustDraw(t, s, p.frame)
	for i := range 10 {
		for _, z := range []image.Point{{200, 150}, {300, 200}, {320, 240}, {100 + i, 200}, {640, 480}} {
			resp, data := mustGet(t, s, Request{W: z.X, H: z.Y})
			if size := decode(t, "", data).Rect.Size(); size != z {
				t.Fatalf("got %v, want %v", size, z)
			}
			if strips := z.X == 640; strips != (resp.Length < 0) {
				t.Errorf("%v: got length %d, want strips %v", z, resp.Length, strips)
			}
			if st := s.Stats(); st.CacheBytes > budget || len(st.Sizes) == 0 {
				t.Fatalf("after %v: %d bytes in %d sizes are kept, budget %d", z, st.CacheBytes, len(st.Sizes), budget)
			}
		}
	}
	s.Configure(Options{CacheBytes: budget / 2})
	if got := s.Stats().CacheBytes; got > budget/2 {
		t.Errorf("a smaller budget: %d bytes are kept, want at most %d", got, budget/2)
	}
}

// What Stats says a size holds is what it holds.
func TestSizeBytes(t *testing.T) {
	s := newStream(Options{})
	mustDraw(t, s, newPainter(1, 200, 150).frame)
	resp, data := mustGet(t, s, Request{W: 300, H: 200})
	z := s.Stats().Sizes[0]
	if least := 300*200*4 + 2*len(data); z.Bytes < least || z.Bytes > 2*least {
		t.Errorf("got %d bytes, want %d and a little", z.Bytes, least)
	}
	if z.W != 300 || z.H != 200 || z.Encodes != 1 || !z.LastAsked.Equal(start) || resp.Length != int64(len(data)) {
		t.Errorf("got %+v", z)
	}
}

// The frame's own size keeps no second copy of it, also when it becomes that, and a scaled one gets its picture back.
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

// A frame that would wait for a size is refused, and taken when it would not.
func TestTryDrawFrame(t *testing.T) {
	s := newStream(Options{})
	p := newPainter(1, 64, 48)
	whole := []image.Rectangle{p.frame.Rect}
	s.pix.RLock() // as a size being scaled or coded does
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

// One answer in strips at a time; whoever waits can give up.
func TestStripsOneAtATime(t *testing.T) {
	s := newStream(Options{CacheBytes: 1})
	mustDraw(t, s, newPainter(1, 100, 80).frame)
	first, err := s.Get(t.Context(), Request{W: 300, H: 300})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Get(ctx, Request{W: 40, H: 40}); !errors.Is(err, context.Canceled) {
		t.Errorf("while another is under way: got %v, want the context's error", err)
	}
	first.Body.Close()
	first.Body.Close()
	if _, err := first.Body.Read(make([]byte, 10)); err == nil {
		t.Error("a closed body can be read")
	}
	mustGet(t, s, Request{W: 40, H: 40})
	mustGet(t, s, Request{W: 40, H: 40})
}

// A picture in strips is of one frame, though others are published while it is read; and it does not take for ever.
func TestStripsKeepTheirFrame(t *testing.T) {
	clock := start
	s := New(func() time.Time { return clock })
	s.Configure(Options{Format: "png", CacheBytes: 1})
	mustDraw(t, s, flat(100, 80, color.RGBA{10, 20, 30, 255}))
	resp, err := s.Get(t.Context(), Request{W: 200, H: 320})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data := make([]byte, 100)
	n, _ := resp.Body.Read(data)
	data = data[:n]
	mustDraw(t, s, flat(100, 80, color.RGBA{200, 0, 0, 255}))
	buf := writerFunc(func(p []byte) (int, error) { data = append(data, p...); return len(p), nil })
	if _, err := resp.Body.WriteTo(buf); err != nil {
		t.Fatal(err)
	}
	difference(t, decode(t, "png", data), flat(200, 320, color.RGBA{10, 20, 30, 255}))
	resp.Body.Close()

	slow, err := s.Get(t.Context(), Request{W: 200, H: 320})
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Body.Close()
	slow.Body.Read(data[:10])
	clock = clock.Add(stripTime + time.Second)
	if _, err := slow.Body.WriteTo(buf); err != ErrTooSlow {
		t.Errorf("after %v: got %v, want %v", stripTime, err, ErrTooSlow)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// Waiting for an encode ends with the context.
func TestGetGivesUp(t *testing.T) {
	s := newStream(Options{})
	mustDraw(t, s, newPainter(1, 100, 80).frame)
	mustGet(t, s, Request{})
	z := s.sizes[0]
	z.turn <- struct{}{} // somebody encodes for ever
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

// A new encoding takes effect with the next request, and subscriptions live on.
func TestReconfigure(t *testing.T) {
	s := newStream(Options{})
	mustDraw(t, s, newPainter(1, 100, 80).frame)
	u := s.Subscribe()
	defer u.Close()
	u.Next()
	before, jpg := mustGet(t, s, Request{})
	s.Configure(Options{Debounce: time.Second}) // not the encoding
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
	mustDraw(t, s, newPainter(2, 120, 90).frame) // another size: never held back
	if p, ok := u.Next(); !ok || p.ETag == "" {
		t.Error("the subscription has not heard of the frame")
	}
}

// A frame of another size replaces the render size; /frame always has an answer.
func TestResize(t *testing.T) {
	s := newStream(Options{Format: "png"})
	for i, size := range []image.Point{{100, 80}, {60, 90}, {300, 20}, {100, 80}} {
		p := newPainter(uint64(i), size.X, size.Y)
		mustDraw(t, s, p.frame, image.Rect(0, 0, 1, 1)) // too little damage: all is new anyway
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

// A panic in an encoder fails the requests that met it, and the size is made anew.
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
