package list

import (
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

func tickerWall(t *testing.T, params string, f func(d *walltest.Data, w *ticker)) {
	walltest.ModernBubble(t, "widgets: [{widget: ticker, padding: 0, margin: 0, "+params+"}]", walltest.Scene{Size: image.Pt(300, 40)}, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		f(d, walltest.Only[*kit.Frame](d).Inner.(*ticker))
	})
}

func TestTickerStandsWhereItFits(t *testing.T) {
	tickerWall(t, "text: short", func(d *walltest.Data, w *ticker) {
		if _, next := d.Step(time.Second); w.loop != 0 || !next.IsZero() {
			t.Errorf("got loop %d, next pass %v; want none", w.loop, next)
		}
	})
}

func TestTickerRunsByWholePixels(t *testing.T) {
	tickerWall(t, "speed: 50, items: [{text: Lift out of order until noon}, {text: Story hour at four in the hall}]", func(d *walltest.Data, w *ticker) {
		if w.loop <= 300 {
			t.Fatalf("got loop %d, want more than its width", w.loop)
		}
		for _, tc := range []struct {
			at   time.Duration
			want int
		}{{20 * time.Millisecond, 1}, {39 * time.Millisecond, 1}, {time.Second, 50}, {time.Duration(w.loop) * 20 * time.Millisecond, 0}} {
			_, next := d.Step(tc.at)
			if w.offset != tc.want {
				t.Errorf("after %v: got %d px, want %d", tc.at, w.offset, tc.want)
			}
			if wait := next.Sub(walltest.T0.Add(tc.at)); wait > 21*time.Millisecond {
				t.Errorf("after %v: next pass in %v", tc.at, wait)
			}
		}
		d.ByName["p"].Publish(1, walltest.T0)
	})
}

func TestTickerFollowsItsItems(t *testing.T) {
	tickerWall(t, "items: !data .p, item: {text: !data .item.t}", func(d *walltest.Data, w *ticker) {
		d.ByName["p"].Publish([]any{map[string]any{"t": "a"}, map[string]any{"t": "b"}}, walltest.T0)
		d.Step(time.Second)
		if got := string(w.raw); got != "a"+between+"b" {
			t.Errorf("got %q", got)
		}
	})
}

// brightest() returns the highest opacity in each column of a picture.
func brightest(m *image.RGBA) []uint8 {
	all := make([]uint8, m.Rect.Dx())
	for i := 3; i < len(m.Pix); i += 4 {
		x := i / 4 % m.Rect.Dx()
		all[x] = max(all[x], m.Pix[i])
	}
	return all
}

// TestTickerFadesAtItsEnds checks that letters fade at the edges of a ticker and are not cut. Before the text scrolls, its first letter
// is fully visible.
func TestTickerFadesAtItsEnds(t *testing.T) {
	tickerWall(t, "text: '"+strings.Repeat("MMMM", 30)+"'", func(d *walltest.Data, w *ticker) {
		for _, at := range []time.Duration{0, 5 * time.Second} {
			d.Step(at)
			m := image.NewRGBA(image.Rect(0, 0, 300, 40))
			w.Paint(render.NewCanvas(m))
			got := brightest(m)
			fade := 2 * w.face.Size
			if most := slices.Max(got[fade : 300-fade]); most < 250 {
				t.Errorf("after %v: the middle is of opacity %d", at, most)
			}
			left := slices.Max(got[:fade/8])
			if at == 0 && left < 200 || at > 0 && left > 60 {
				t.Errorf("after %v: the first columns are of opacity %d", at, left)
			}
			if right := slices.Max(got[300-fade/8:]); right > 60 {
				t.Errorf("after %v: the last columns are of opacity %d", at, right)
			}
		}
	})
}

func TestTickerAllocatesNothingPerFrame(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	tickerWall(t, "text: '"+walltest.LongText+"'", func(d *walltest.Data, w *ticker) {
		m := render.NewCanvas(image.NewRGBA(image.Rect(0, 0, 300, 40)))
		now := walltest.T0
		tick := render.NewTick(now, w.size)
		w.Paint(m)
		if got := testing.AllocsPerRun(50, func() { w.since = w.since.Add(-20 * time.Millisecond); w.Update(tick); w.Paint(m) }); got != 0 {
			t.Errorf("got %v allocations, want 0", got)
		}
	})
}

func TestTickerMistakes(t *testing.T) {
	walltest.WantErrors(t, "widgets: [{widget: ticker}]", "a text or items")
	walltest.WantErrors(t, "widgets: [{widget: ticker, text: a, items: [{text: b}]}]", "a text or items")
}

func TestTickerGoldens(t *testing.T) {
	walltest.ModernSheet(t, "ticker", []walltest.Scene{
		{Size: image.Pt(500, 120), Widget: "{widget: ticker, text: It fits}"},
		{Size: image.Pt(500, 120), After: 12 * time.Second, Widget: "{widget: ticker, items: [{text: Lift out of order until noon at the east door}, {text: Story hour at four}]}"},
		{Size: image.Pt(300, 40), Picture: image.Pt(320, 240), Widget: "{widget: ticker, text: '" + walltest.LongText + "'}"},
	})
}
