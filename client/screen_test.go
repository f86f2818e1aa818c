package client

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"math/rand/v2"
	"testing"
	"time"

	"dashboard/render/damage"
)

func TestTrianglePlace(t *testing.T) {
	for _, c := range []struct {
		screen image.Point
		corner Corner
		want   image.Rectangle
	}{
		{image.Pt(1366, 768), BottomRight, image.Rect(1299, 701, 1347, 749)},
		{image.Pt(1920, 1080), BottomRight, image.Rect(1826, 986, 1893, 1053)},
		{image.Pt(800, 480), BottomRight, image.Rect(759, 439, 788, 468)},
		{image.Pt(800, 480), TopLeft, image.Rect(12, 12, 41, 41)},
		{image.Pt(800, 480), TopRight, image.Rect(759, 12, 788, 41)},
		{image.Pt(800, 480), BottomLeft, image.Rect(12, 439, 41, 468)},
	} {
		if got := newTriangle(c.screen, c.corner).at; got != c.want {
			t.Errorf("%v, %s: got %v, want %v", c.screen, cornerNames[c.corner], got, c.want)
		}
	}
	for _, size := range []image.Point{{320, 240}, {7680, 4320}, {1, 1}, {60, 2000}} {
		for corner := range Corner(len(cornerNames)) {
			tri := newTriangle(size, corner)
			if size.X > 30 && !tri.at.In(image.Rectangle{Max: size}) {
				t.Errorf("%v: the triangle at %v is not on the screen", size, tri.at)
			}
		}
	}
}

// TestOfflineLayout holds the lines against the measures of the pictures that the layout is taken from, whose font
// has other digits: places of blocks within 1 px, sizes within a fifteenth.
func TestOfflineLayout(t *testing.T) {
	for _, c := range []struct {
		screen         image.Point
		clock, message image.Point
		gap            int
	}{
		{image.Pt(1366, 768), image.Pt(731, 231), image.Pt(981, 53), 23},
		{image.Pt(1920, 1080), image.Pt(1024, 323), image.Pt(1390, 75), 32},
	} {
		o := testOptions(c.screen)
		f := newOffline(*defaultOffline(), c.screen, o.Text)
		f.update(goldenTime, new(damage.List))
		clock, message := f.clock.ink(), f.message.ink()
		for _, pair := range [][2]int{{clock.Dx(), c.clock.X}, {clock.Dy(), c.clock.Y}, {message.Dx(), c.message.X}, {message.Dy(), c.message.Y}} {
			if diff := pair[0] - pair[1]; 15*max(diff, -diff) > pair[1] {
				t.Errorf("%v: got %d px, want about %d", c.screen, pair[0], pair[1])
			}
		}
		if got := message.Min.Y - clock.Max.Y; got != c.gap {
			t.Errorf("%v: got a gap of %d px, want %d", c.screen, got, c.gap)
		}
		for _, r := range []image.Rectangle{clock, message} {
			if d := r.Min.X + r.Max.X - c.screen.X; d < -1 || d > 1 {
				t.Errorf("%v: %v is not in the middle", c.screen, r)
			}
		}
		if d := clock.Min.Y + message.Max.Y - c.screen.Y; d < -1 || d > 1 {
			t.Errorf("%v: clock %v and message %v are not in the middle", c.screen, clock, message)
		}
	}
}

func TestShrink(t *testing.T) {
	for _, message := range []string{"short", "Dashboard server unavailable", string(bytes.Repeat([]byte("long "), 20)), string(bytes.Repeat([]byte("endless "), 500))} {
		size := image.Pt(800, 480)
		o := testOptions(size)
		f := newOffline(Offline{Message: message}, size, o.Text)
		if got := f.message.text.Width(); got > 720 && f.message.text.Size() > leastLineHeight {
			t.Errorf("%.20q: got a width of %d px at size %d", message, got, f.message.text.Size())
		}
	}
}

func TestDim(t *testing.T) {
	for dim, want := range map[float64]uint8{0: 200, 0.25: 150, 0.75: 50, 1: 0} {
		size := image.Pt(100, 80)
		o := testOptions(size)
		o.Offline = &Offline{ClockFormat: " ", Dim: dim}
		f := newFrame(size)
		f.setWhole(grey(size))
		s := newScreen(&o, f)
		s.update(goldenTime, Stale)
		s.paint()
		if got := s.picture().RGBAAt(0, 0); far(got.R, want) > 1 || got.A != 255 {
			t.Errorf("dim %v: got %v, want %d", dim, got, want)
		}
	}
}

func TestClock(t *testing.T) {
	at := time.Date(2026, 3, 29, 12, 34, 20, 5e8, time.UTC)
	for format, want := range map[string]struct {
		text string
		next time.Duration
	}{
		"%H:%M":       {"12:34", 39500 * time.Millisecond},
		"%I:%M:%S %p": {"12:34:20 PM", 500 * time.Millisecond},
		"%A %-d. %B":  {"Sunday 29. March", 39500 * time.Millisecond},
		"":            {"", 39500 * time.Millisecond},
		"%s":          {"1774787660", 500 * time.Millisecond},
	} {
		f := newOffline(Offline{ClockFormat: format}, image.Pt(800, 480), testOptions(image.Pt(800, 480)).Text)
		next := f.update(at, new(damage.List))
		if string(f.shows) != want.text || next.Sub(at) != want.next {
			t.Errorf("%q: got %q for %v, want %q for %v", format, f.shows, next.Sub(at), want.text, want.next)
		}
	}
}

func TestPanel(t *testing.T) {
	for name, c := range map[string]struct {
		l    latency
		want []string
	}{
		"all": {goldenDelay, []string{"notice", "download", "display", "total"}},
		"first frame": {latency{published: goldenTime, asked: goldenTime, downloaded: goldenTime, decoded: goldenTime},
			[]string{"download", "display", "total"}},
		"unknown": {latency{noticed: goldenTime, asked: goldenTime}, []string{unknownLatency}},
	} {
		p := newPanel(image.Pt(800, 480), testOptions(image.Pt(800, 480)).Text)
		p.update(&c.l, new(damage.List))
		if p.n != len(c.want) || p.at.Empty() {
			t.Errorf("%s: got %d lines at %v, want %v", name, p.n, p.at, c.want)
		}
		for i := range p.rows[:p.n] {
			if ink := p.rows[i].name.ink(); ink.Empty() || !ink.In(p.at) || !p.rows[i].value.ink().In(p.at) {
				t.Errorf("%s: line %d reaches out of the panel", name, i)
			}
		}
	}
}

func TestPublishedAt(t *testing.T) {
	for s, want := range map[string]time.Time{
		"1795235313.778669": time.UnixMicro(1795235313778669),
		"1795235313":        time.Unix(1795235313, 0),
		"":                  {}, "now": {}, "-5": {}, "0": {}, "NaN": {}, "Inf": {}, "1e300": {},
	} {
		if got := parseUnix(s); !got.Equal(want) {
			t.Errorf("%q: got %v, want %v", s, got, want)
		}
	}
}

// TestPaintParts shows that painting what changed gives what painting everything gives, and that the damage covers it,
// over random sequences of frames, warnings, clock ticks and figures.
func TestPaintParts(t *testing.T) {
	seeds := uint64(12)
	if raceEnabled {
		seeds = 3 // there is one goroutine and nothing to find
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 7))
		size := image.Pt(120+rng.IntN(200), 90+rng.IntN(120))
		o := testOptions(size)
		o.Latency, o.Corner = seed%2 == 0, Corner(rng.IntN(len(cornerNames)))
		if seed%3 == 0 {
			o.Offline = defaultOffline()
			o.Offline.ClockFormat = "%H:%M:%S"
		}
		f := newFrame(size)
		s := newScreen(&o, f)
		s.paint()
		s.done()
		now, warns, picture := goldenTime, false, stripes(size)
		for step := range 60 {
			switch rng.IntN(4) {
			case 0:
				warns = !warns
			case 1:
				now = now.Add(time.Duration(rng.IntN(100)) * time.Second)
			case 2:
				at := image.Pt(rng.IntN(size.X), rng.IntN(size.Y))
				draw.Draw(picture, image.Rectangle{at, at.Add(image.Pt(30, 20))}, image.NewUniform(red), image.Point{}, draw.Src)
				f.setWhole(picture)
			case 3:
				l := goldenDelay
				l.decoded = l.decoded.Add(time.Duration(rng.IntN(1e9)))
				f.setLatency(l)
			}
			before := &image.RGBA{Pix: bytes.Clone(s.picture().Pix), Stride: s.picture().Stride, Rect: s.frame.pix.Rect}
			s.update(now, state(warns))
			damage := s.paint()
			checkDamage(t, before, s.picture(), damage)
			s.done()
			after := bytes.Clone(s.picture().Pix)
			s.lost(s.frame.pix.Rect)
			s.paint()
			s.done()
			if !bytes.Equal(after, s.picture().Pix) {
				t.Fatalf("seed %d, step %d: painting parts differs from painting all", seed, step)
			}
		}
	}
}

// TestUntold shows that damage which the display did not take stays.
func TestUntold(t *testing.T) {
	size := image.Pt(100, 80)
	o := testOptions(size)
	f := newFrame(size)
	s := newScreen(&o, f)
	if got := s.paint(); len(got) != 1 || got[0] != s.frame.pix.Rect {
		t.Errorf("got damage %v at first, want all", got)
	}
	if got := s.paint(); len(got) != 1 || got[0] != s.frame.pix.Rect {
		t.Errorf("got damage %v after a failure, want all", got)
	}
	s.done()
	if got := s.paint(); len(got) != 0 {
		t.Errorf("got damage %v with nothing new, want none", got)
	}
}

func TestPaintAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	for i := range 8 {
		warns, panel, off := i&1 != 0, i&2 != 0, []*Offline{nil, defaultOffline()}[i/4]
		t.Run(fmt.Sprintf("warns=%v,panel=%v,offline=%v", warns, panel, off != nil), func(t *testing.T) {
			size := image.Pt(800, 480)
			o := testOptions(size)
			o.Offline, o.Latency = off, panel
			f := newFrame(size)
			s := newScreen(&o, f)
			now := goldenTime
			step := func() {
				now = now.Add(time.Minute)
				f.mu.Lock()
				f.fresh.Add(image.Rect(100, 100, 300, 200))
				f.mu.Unlock()
				l := goldenDelay
				l.decoded = l.decoded.Add(time.Duration(now.Minute()) * time.Millisecond)
				f.setLatency(l)
				s.update(now, state(warns))
				s.paint()
				if err := s.give(o.Display); err != nil {
					t.Fatal(err)
				}
				s.done()
			}
			for range 70 {
				step() // every digit has been seen
			}
			if n := testing.AllocsPerRun(30, step); n != 0 {
				t.Errorf("got %v allocations for a frame, want 0", n)
			}
			if covered := warns || panel; (s.mixed != nil) != covered {
				t.Errorf("got a second picture: %v, want %v", s.mixed != nil, covered)
			}
		})
	}
}

func BenchmarkPaint(b *testing.B) {
	size := image.Pt(1366, 768)
	for name, part := range map[string]image.Rectangle{"all": {Max: size}, "clock": image.Rect(57, 64, 276, 156)} {
		for _, off := range []*Offline{nil, defaultOffline()} {
			b.Run(fmt.Sprintf("%s,offline=%v", name, off != nil), func(b *testing.B) {
				o := testOptions(size)
				o.Offline = off
				f := newFrame(size)
				s := newScreen(&o, f)
				s.update(goldenTime, Stale)
				b.ReportAllocs()
				for b.Loop() {
					s.lost(part)
					s.paint()
					s.done()
				}
			})
		}
	}
}
