package client

import (
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"
	"time"

	"dashboard/render/damage"
)

// TestOfflineBlursFrame shows a black and white frame, and then another one that arrives below the card.
func TestOfflineBlursFrame(t *testing.T) {
	size := image.Pt(800, 480)
	o := testOptions(size)
	o.Offline = defaultOffline()
	f := newFrame(size)
	half := func(left, right color.Color) *image.RGBA {
		m := image.NewRGBA(image.Rectangle{Max: size})
		draw.Draw(m, m.Rect, image.NewUniform(right), image.Point{}, draw.Src)
		draw.Draw(m, image.Rect(0, 0, 400, 480), image.NewUniform(left), image.Point{}, draw.Src)
		return m
	}
	f.setWhole(half(color.Black, color.White))
	s := newScreen(&o, f)
	show := func(state State) *image.RGBA {
		s.update(goldenTime, state)
		s.paint()
		s.done()
		return s.picture()
	}
	dimmed := round(255 * (1 - o.Offline.Dim))
	red := func(m *image.RGBA, x int) int { return int(m.RGBAAt(x, 20).R) }
	m := show(Stale)
	if at := red(m, 400); at < dimmed/4 || at > dimmed*3/4 {
		t.Errorf("got %d at the edge, want about half of %d", at, dimmed)
	}
	if left, right := red(m, 100), red(m, 700); left > 3 || right < dimmed-3 {
		t.Errorf("got %d and %d far from the edge, want 0 and %d", left, right, dimmed)
	}
	f.setWhole(half(color.White, color.Black))
	if m = show(Stale); red(m, 100) < dimmed-3 || red(m, 700) > 3 {
		t.Errorf("got %d at the left of the new frame, want %d", red(m, 100), dimmed)
	}
	if show(Connected); s.soft != nil {
		t.Error("the blur stays in memory without a card")
	}
}

func TestOfflineShowsNextAttempt(t *testing.T) {
	o := testOptions(image.Pt(800, 480))
	f := newOffline(*defaultOffline(), lost, o.Size, o.URL, o.Text)
	f.frame = goldenTime.Add(-17 * time.Minute)
	for wait, want := range map[time.Duration]string{
		0: "17 min old", 12 * time.Second: "again in 12 s", 11500 * time.Millisecond: "again in 12 s", 10 * time.Minute: "again in 10 min", -time.Second: "17 min old",
	} {
		f.again = goldenTime.Add(wait)
		next := f.update(goldenTime, new(damage.List))
		if got := string(f.shows); !strings.HasSuffix(got, want) {
			t.Errorf("%v: got %q, want it to end in %q", wait, got, want)
		}
		if seconds := next.Sub(goldenTime) <= time.Second; seconds != (wait > 0) {
			t.Errorf("%v: the next update is after %v", wait, next.Sub(goldenTime))
		}
	}
}
