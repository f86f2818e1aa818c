package netstream

import (
	"context"
	"image"
	"testing"

	"dashboard/internal/testing/race"
)

// A tick simulates a clock. It alternates between two pictures, which differ only in one rectangle of the frame.
type tick struct {
	frames [2]*image.RGBA
	damage []image.Rectangle
	n      int
}

func newTick(w, h int, r image.Rectangle) *tick {
	p := newPainter(4, w, h)
	for range 40 {
		p.paint(p.rect())
	}
	first := image.NewRGBA(p.frame.Rect)
	copy(first.Pix, p.frame.Pix)
	p.paint(r)
	return &tick{frames: [2]*image.RGBA{first, p.frame}, damage: []image.Rectangle{r}}
}

func (k *tick) draw(s *Stream) {
	k.n++
	_ = s.DrawFrame(k.frames[k.n&1], k.damage)
}

// encode scales and encodes the newest frame for size z, as a request would do, but builds no response. The client's frame is `from`
// versions older than the newest frame. If `from` is not 0, encode also builds the delta.
func encode(tb testing.TB, s *Stream, z *size, from uint64) {
	if err := z.lock(context.Background()); err != nil {
		tb.Fatal(err)
	}
	defer z.unlock()
	if err := s.update(context.Background(), z); err != nil {
		tb.Fatal(err)
	}
	s.whole(z)
	if from > 0 && s.delta(z, z.version-from) == nil {
		tb.Fatal("no delta")
	}
	s.weigh(z)
}

// After the first frames, three steps allocate nothing: comparing a new frame with the old frame, building the new frame's file, and
// building its delta.
func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	for _, o := range formats {
		t.Run(o.testName(), func(t *testing.T) {
			k := newTick(640, 480, image.Rect(100, 200, 180, 230))
			s := newStream(o)
			u := s.Subscribe()
			defer u.Close()
			k.draw(s)
			for _, r := range []Request{{}, {W: 400, H: 300}, {W: 800, H: 600}} {
				mustGet(t, s, r)
			}
			back := uint64(1)
			if o.Format == "bmp" {
				back = 0
			}
			frame := func() {
				k.draw(s)
				for _, z := range s.sizes {
					encode(t, s, z, back)
				}
				<-u.C()
			}
			for range 4 {
				frame()
			}
			if got := testing.AllocsPerRun(20, frame); got != 0 {
				t.Errorf("got %v allocations a frame, want 0", got)
			}
		})
	}
}

// A frame that is held back allocates nothing.
func TestHoldAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	k := newTick(320, 240, image.Rect(10, 20, 80, 60))
	s := newStream(Options{Debounce: 1 << 40})
	for range 3 {
		k.draw(s)
	}
	if got := testing.AllocsPerRun(20, func() { k.draw(s); s.release() }); got != 0 {
		t.Errorf("got %v allocations a frame, want 0", got)
	}
	if err := s.Halt(); err != nil {
		t.Fatal(err)
	}
}

// The benchmarks render 1920x1080 pixels and show 1366x768. The performance targets use the same sizes.
const benchW, benchH, shownW, shownH = 1920, 1080, 1366, 768

// clockRect covers 2 % of the rendered picture.
var clockRect = image.Rect(1200, 300, 1500, 438)

func BenchmarkPublish(b *testing.B) {
	full := image.Rect(0, 0, benchW, benchH)
	for _, c := range []struct {
		name string
		rect image.Rectangle
	}{{"tick", clockRect}, {"whole", full}} {
		b.Run(c.name, func(b *testing.B) {
			k, s := newTick(benchW, benchH, c.rect), newStream(Options{})
			b.ReportAllocs()
			for b.Loop() {
				k.draw(s)
			}
		})
	}
	b.Run("unchanged", func(b *testing.B) {
		k, s := newTick(benchW, benchH, full), newStream(Options{})
		k.draw(s)
		b.ReportAllocs()
		for b.Loop() {
			_ = s.DrawFrame(k.frames[1], k.damage)
		}
	})
	b.Run("hash", func(b *testing.B) {
		k := newTick(benchW, benchH, full)
		rows := newRowSums(full.Max)
		for b.Loop() {
			rows.update(k.frames[0], k.damage)
			rows.sum()
		}
	})
}

// BenchmarkFrame measures all work for one new frame at one size: publishing, scaling, encoding and building the file.
func BenchmarkFrame(b *testing.B) {
	for _, o := range formats {
		for _, c := range []struct {
			name string
			rect image.Rectangle
		}{{"tick", clockRect}, {"eighth", image.Rect(0, 400, benchW, 535)}, {"whole", image.Rect(0, 0, benchW, benchH)}} {
			for _, w := range []int{benchW, shownW} {
				b.Run(o.testName()+"/"+c.name+"/"+map[int]string{benchW: "1080", shownW: "768"}[w], func(b *testing.B) {
					k, s := newTick(benchW, benchH, c.rect), newStream(o)
					k.draw(s)
					mustGet(b, s, Request{W: w, H: map[int]int{benchW: benchH, shownW: shownH}[w]})
					b.ReportAllocs()
					for b.Loop() {
						k.draw(s)
						encode(b, s, s.sizes[0], 0)
					}
				})
			}
		}
	}
}

// BenchmarkGet measures Get without HTTP, for a client that requests a frame which is already encoded.
func BenchmarkGet(b *testing.B) {
	k, s := newTick(benchW, benchH, clockRect), newStream(Options{})
	k.draw(s)
	old, _ := mustGet(b, s, Request{W: shownW, H: shownH})
	k.draw(s)
	for _, c := range []struct {
		name string
		r    Request
	}{
		{"file", Request{W: shownW, H: shownH}},
		{"delta", Request{W: shownW, H: shownH, Delta: true, IfNoneMatch: old.ETag}},
		{"304", Request{W: shownW, H: shownH, IfNoneMatch: "*"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var n int64
			for b.Loop() {
				resp, err := s.Get(b.Context(), c.r)
				if err != nil {
					b.Fatal(err)
				}
				if resp.Body != nil {
					n = resp.Length
					resp.Body.Close()
				}
			}
			b.ReportMetric(float64(n), "bytes/answer")
		})
	}
}

// BenchmarkApplyDelta measures the client's work for a tick of a clock.
func BenchmarkApplyDelta(b *testing.B) {
	k, s := newTick(benchW, benchH, clockRect), newStream(Options{})
	k.draw(s)
	old, file := mustGet(b, s, Request{W: shownW, H: shownH})
	k.draw(s)
	resp, body := mustGet(b, s, Request{W: shownW, H: shownH, Delta: true, IfNoneMatch: old.ETag})
	if resp.Status != 226 {
		b.Fatalf("got %d", resp.Status)
	}
	dst := decode(b, "", file)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ApplyDelta(dst, body); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(100*float64(len(body))/float64(len(file)), "%offile")
}

// BenchmarkTell measures publishing a small frame to a thousand subscriptions, including the text of each event.
func BenchmarkTell(b *testing.B) {
	k, s := newTick(64, 64, image.Rect(0, 0, 8, 8)), newStream(Options{})
	subs := make([]*Subscription, 1000)
	for i := range subs {
		subs[i] = s.Subscribe()
	}
	var text []byte
	b.ReportAllocs()
	for b.Loop() {
		k.draw(s)
		for _, u := range subs {
			<-u.C()
			p, _ := u.Next()
			text = p.AppendEvent(text[:0])
		}
	}
}
