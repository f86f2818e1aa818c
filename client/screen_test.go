package client

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"testing"
	"time"

	"dashboard/internal/testing/race"
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

// TestOfflineLayout: for texts of any length, the card lies on the screen, and the texts lie on the card.
func TestOfflineLayout(t *testing.T) {
	for _, size := range []image.Point{{320, 240}, {480, 320}, {800, 480}, {1366, 768}, {1920, 1080}, {480, 800}, {1080, 1920}, {64, 48}} {
		for _, message := range []string{"", "short", "Dashboard server unavailable", string(bytes.Repeat([]byte("long "), 20))} {
			for _, why := range []plight{lost, never, unpainted, token} {
				o := testOptions(size)
				f := newOffline(Offline{Message: message, ClockFormat: "%H:%M:%S"}, why, size, o.URL, o.Text)
				f.frame = goldenTime.Add(-17 * time.Minute)
				f.update(goldenTime, new(damage.List))
				if size.X < 300 {
					continue // the screen is too small to read anything, but nothing fails
				}
				if !f.card.In(image.Rectangle{Max: size}) {
					t.Errorf("%v, %.20q: the card is at %v", size, message, f.card)
				}
				for i, l := range []*line{&f.clock, &f.date, &f.message, &f.note} {
					if !l.hidden && !l.ink().In(f.card) && l.text.Size() > leastText {
						t.Errorf("%v, %.20q, plight %d: line %d at %v is not on the card %v", size, message, why, i, l.ink(), f.card)
					}
				}
			}
		}
	}
}

// TestOfflineAge: the card shows the time and the age of the frame.
func TestOfflineAge(t *testing.T) {
	size := image.Pt(800, 480)
	f := newOffline(Offline{ClockFormat: "%H:%M"}, lost, size, "http://wall.test:5000/x", testOptions(size).Text)
	for age, want := range map[time.Duration]string{
		20 * time.Second: "picture from 12:34", 17 * time.Minute: "picture from 12:17, 17 min old", 5 * time.Hour: "picture from 07:34, 5 h old",
		75 * time.Hour: "picture from 26 March, 09:34, 3 days old",
	} {
		f.frame = goldenTime.Add(-age)
		if got := string(f.appendNote(nil, goldenTime)); got != want {
			t.Errorf("after %v: got %q, want %q", age, got, want)
		}
	}
	f.frame = time.Time{}
	if got := string(f.appendNote(nil, goldenTime)); got != "wall.test:5000" {
		t.Errorf("without a time: got %q", got)
	}
}

// TestTimeNotSet: while the machine's clock is not set, the card shows neither a time nor a date nor the time of the frame. A code is still
// shown. After the clock is set, the card shows the time.
func TestTimeNotSet(t *testing.T) {
	size, set := image.Pt(800, 480), false
	o := testOptions(size)
	o.Offline = &Offline{ClockFormat: "%H:%M"}
	o.TimeSet = func(time.Time) bool { return set }
	f := newFrame(size)
	f.setWhole(grey(size))
	s := newScreen(&o, f)
	if next := s.update(goldenTime, Stale); next.Sub(goldenTime) > time.Second {
		t.Errorf("the next look at the clock is in %v", next.Sub(goldenTime))
	}
	if got := string(s.offline.shows[:s.offline.hours]); got != "–" || !s.offline.date.hidden {
		t.Errorf("got %q, a hidden date %v", s.offline.shows, s.offline.date.hidden)
	}
	s.offline.frame = goldenTime
	if got := string(s.offline.appendNote(nil, goldenTime)); got != "wall.test" {
		t.Errorf("got the note %q", got)
	}
	set = true
	s.update(goldenTime, Stale)
	if got := string(s.offline.shows[:s.offline.hours]); got != "12:34" || s.offline.date.hidden {
		t.Errorf("after the clock was set: got %q, a hidden date %v", s.offline.shows, s.offline.date.hidden)
	}
	code := newNotice(&Notice{Title: "Show Den?", Code: "123 456"}, "%H:%M", size, o.Text)
	code.timeless = true
	code.update(goldenTime, new(damage.List))
	if got := string(code.shows[:code.hours]); got != "123 456" {
		t.Errorf("got the code %q", got)
	}
}

// TestNeverAnswered: before the first frame, the screen shows the name of the service that it cannot reach. The first frame replaces this
// message.
func TestNeverAnswered(t *testing.T) {
	size := image.Pt(320, 240)
	o := testOptions(size)
	f := newFrame(size)
	s := newScreen(&o, f)
	s.update(goldenTime, Stale)
	s.paint()
	if s.never == nil || s.never.opts.Message != "No connection to wall.test" {
		t.Fatalf("got %+v", s.never)
	}
	f.setWhole(grey(size))
	s.update(goldenTime, Connected)
	s.paint()
	if s.never != nil || s.picture().RGBAAt(160, 120).R != 200 {
		t.Error("the words are still there")
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

// TestFrameBehindTheCardIsBlurred checks that a clock in an old frame is not legible behind the card: a sharp edge of the frame is
// blurred. The next frame after the outage is sharp. In a second outage, the newer frame is behind the card.
func TestFrameBehindTheCardIsBlurred(t *testing.T) {
	size := image.Pt(320, 240)
	o := testOptions(size)
	o.Offline = &Offline{ClockFormat: " ", Dim: 0}
	f := newFrame(size)
	split := func(left, right uint8) *image.RGBA {
		m := image.NewRGBA(image.Rectangle{Max: size})
		draw.Draw(m, m.Rect, image.NewUniform(color.Gray{left}), image.Point{}, draw.Src)
		draw.Draw(m, image.Rect(size.X/2, 0, size.X, size.Y), image.NewUniform(color.Gray{right}), image.Point{}, draw.Src)
		return m
	}
	step := func(m *image.RGBA) (most int) {
		for x := range size.X - 1 {
			d := int(m.RGBAAt(x, 2).R) - int(m.RGBAAt(x+1, 2).R)
			most = max(most, d, -d)
		}
		return most
	}
	s := newScreen(&o, f)
	for _, side := range []uint8{0, 200} {
		f.setWhole(split(side, 200-side))
		s.update(goldenTime, Connected)
		s.paint()
		if got := step(s.picture()); got != 200 {
			t.Errorf("connected: got a step of %d, want the sharp edge", got)
		}
		s.update(goldenTime, Stale)
		s.paint()
		if got := step(s.picture()); got > 20 {
			t.Errorf("offline: got a step of %d, want a blurred edge", got)
		}
		if got := s.picture().RGBAAt(0, 2).R; far(got, side) > 2 {
			t.Errorf("offline: the edge of the screen is %d, want %d", got, side)
		}
	}
	f.setWhole(split(90, 90))
	s.paint()
	if got := s.picture().RGBAAt(0, 2).R; far(got, 90) > 2 {
		t.Errorf("a frame that arrives behind the card: got %d, want 90", got)
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
		f := newOffline(Offline{ClockFormat: format}, lost, image.Pt(800, 480), "http://wall.test", testOptions(image.Pt(800, 480)).Text)
		next := f.update(at, new(damage.List))
		if string(f.shows[:f.hours]) != want.text || next.Sub(at) != want.next {
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

// TestPaintParts: painting the changes gives the same picture as painting everything, and the damage covers all changes. The test uses
// random sequences of frames, warnings, clock ticks and figures.
func TestPaintParts(t *testing.T) {
	seeds := uint64(12)
	if race.Enabled {
		seeds = 3 // fewer seeds, because the race detector finds nothing with one goroutine
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

// TestUntold: damage that the display has rejected is drawn again.
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
	if race.Enabled {
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
				step() // after these steps, every digit was shown at least once
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
