package widgets

import (
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/render"
	"dashboard/theme/look"
)

func tickerWall(t *testing.T, params string, f func(d *data, w *ticker)) {
	modernBubble(t, "widgets: [{widget: ticker, padding: 0, margin: 0, "+params+"}]", scene{size: image.Pt(300, 40)}, look.Calm(true), func(d *data) {
		d.step(0)
		f(d, only[*frame](d).inner.(*ticker))
	})
}

func TestTickerStandsWhereItFits(t *testing.T) {
	tickerWall(t, "text: short", func(d *data, w *ticker) {
		if _, next := d.step(time.Second); w.loop != 0 || !next.IsZero() {
			t.Errorf("got loop %d, next pass %v; want none", w.loop, next)
		}
	})
}

func TestTickerRunsByWholePixels(t *testing.T) {
	tickerWall(t, "speed: 50, items: [{text: Lift out of order until noon}, {text: Story hour at four in the hall}]", func(d *data, w *ticker) {
		if w.loop <= 300 {
			t.Fatalf("got loop %d, want more than its width", w.loop)
		}
		for _, tc := range []struct {
			at   time.Duration
			want int
		}{{20 * time.Millisecond, 1}, {39 * time.Millisecond, 1}, {time.Second, 50}, {time.Duration(w.loop) * 20 * time.Millisecond, 0}} {
			_, next := d.step(tc.at)
			if w.offset != tc.want {
				t.Errorf("after %v: got %d px, want %d", tc.at, w.offset, tc.want)
			}
			if wait := next.Sub(t0.Add(tc.at)); wait > 21*time.Millisecond {
				t.Errorf("after %v: next pass in %v", tc.at, wait)
			}
		}
		d.named["p"].Publish(1, t0)
	})
}

func TestTickerFollowsItsItems(t *testing.T) {
	tickerWall(t, "items: !data .p, item: {text: !data .item.t}", func(d *data, w *ticker) {
		d.named["p"].Publish([]any{map[string]any{"t": "a"}, map[string]any{"t": "b"}}, t0)
		d.step(time.Second)
		if got := string(w.raw); got != "a"+between+"b" {
			t.Errorf("got %q", got)
		}
	})
}

// brightest is the greatest opacity in each column of a picture.
func brightest(m *image.RGBA) []uint8 {
	all := make([]uint8, m.Rect.Dx())
	for i := 3; i < len(m.Pix); i += 4 {
		x := i / 4 % m.Rect.Dx()
		all[x] = max(all[x], m.Pix[i])
	}
	return all
}

// TestTickerFadesAtItsEnds: letters are not cut at an edge but fade there, and the first one stands in full before it runs.
func TestTickerFadesAtItsEnds(t *testing.T) {
	tickerWall(t, "text: '"+strings.Repeat("MMMM", 30)+"'", func(d *data, w *ticker) {
		for _, at := range []time.Duration{0, 5 * time.Second} {
			d.step(at)
			m := image.NewRGBA(image.Rect(0, 0, 300, 40))
			w.Paint(render.NewCanvas(m))
			got := brightest(m)
			fade := 2 * w.face.size
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
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	tickerWall(t, "text: '"+longText+"'", func(d *data, w *ticker) {
		m := render.NewCanvas(image.NewRGBA(image.Rect(0, 0, 300, 40)))
		now := t0
		tick := render.NewTick(now, w.size)
		w.Paint(m)
		if got := testing.AllocsPerRun(50, func() { w.since = w.since.Add(-20 * time.Millisecond); w.Update(tick); w.Paint(m) }); got != 0 {
			t.Errorf("got %v allocations, want 0", got)
		}
	})
}

func TestTickerMistakes(t *testing.T) {
	wantErrors(t, "widgets: [{widget: ticker}]", "a text or items")
	wantErrors(t, "widgets: [{widget: ticker, text: a, items: [{text: b}]}]", "a text or items")
}

func TestTickerGoldens(t *testing.T) {
	modernSheet(t, "ticker", []scene{
		{size: image.Pt(500, 120), widget: "{widget: ticker, text: It fits}"},
		{size: image.Pt(500, 120), after: 12 * time.Second, widget: "{widget: ticker, items: [{text: Lift out of order until noon at the east door}, {text: Story hour at four}]}"},
		{size: image.Pt(300, 40), picture: image.Pt(320, 240), widget: "{widget: ticker, text: '" + longText + "'}"},
	})
}
