package arrange

import (
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

const weighing = `
widgets:
  - widget: layout
    margin: 0
    gap: 0
    KEY
    areas: [a b, c b]
    children:
      - {widget: card, area: a, value: !data .p.a, thresholds: [{above: 10, color: bad}]}
      - {widget: card, area: b, value: !data .p.b, thresholds: [{above: 10, color: bad}]}
      - {widget: card, area: c, value: 1}
`

// weighs() calls f with a wall of three cards and with the function `values`. This function sets the values of two cards and returns the
// rectangles of all three cards.
func weighs(t *testing.T, key string, f func(d *walltest.Data, values func(a, b float64, at time.Duration) [3]image.Rectangle)) {
	t.Helper()
	c := look.Calm(true).Colors["bad"]
	bad := fmt.Sprintf("'#%02x%02x%02x'", c.R, c.G, c.B)
	file := strings.NewReplacer("KEY", key, "color: bad", "color: "+bad).Replace(weighing)
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(300, 300)}, look.Calm(true), func(d *walltest.Data) {
		w := walltest.Only[*kit.Frame](d).Inner.(*layout)
		f(d, func(a, b float64, at time.Duration) (rects [3]image.Rectangle) {
			d.ByName["p"].Publish(map[string]any{"a": a, "b": b}, walltest.T0.Add(at))
			d.Step(at)
			for i, k := range w.children {
				rects[i] = k.Rect
			}
			return rects
		})
	})
}

// TestImportance checks that an urgent widget gets up to twice the room. The layout changes at most once in ten minutes. Without the key
// `importance`, the layout does not change.
func TestImportance(t *testing.T) {
	even := [3]image.Rectangle{image.Rect(0, 0, 150, 150), image.Rect(150, 0, 300, 300), image.Rect(0, 150, 150, 300)}
	weighs(t, "importance: true", func(d *walltest.Data, values func(a, b float64, at time.Duration) [3]image.Rectangle) {
		if got := values(1, 1, 0); got != even {
			t.Errorf("nothing is urgent: %v", got)
		}
		large := [3]image.Rectangle{image.Rect(0, 0, 200, 200), image.Rect(200, 0, 300, 300), image.Rect(0, 200, 200, 300)}
		if got := values(11, 1, time.Minute); got != large {
			t.Errorf("a is urgent: %v, want %v", got, large)
		}
		if got := values(1, 11, 5*time.Minute); got != large {
			t.Errorf("four minutes later: %v", got)
		}
		if got := values(1, 11, 11*time.Minute); got != [3]image.Rectangle{image.Rect(0, 0, 100, 150), image.Rect(100, 0, 300, 300), image.Rect(0, 150, 100, 300)} {
			t.Errorf("b is urgent: %v", got)
		}
		if n := testing.AllocsPerRun(9, func() { d.R.Step(walltest.T0.Add(12 * time.Minute)) }); n != 0 && !walltest.RaceEnabled {
			t.Errorf("got %v allocations", n)
		}
		if got := values(1, 1, 30*time.Minute); got != even {
			t.Errorf("nothing is urgent again: %v", got)
		}
		if n := testing.AllocsPerRun(9, func() { d.R.Step(walltest.T0.Add(50 * time.Minute)) }); n != 0 && !walltest.RaceEnabled {
			t.Errorf("got %v allocations with nothing to do", n)
		}
	})
	weighs(t, "divider: false", func(_ *walltest.Data, values func(a, b float64, at time.Duration) [3]image.Rectangle) {
		if got := values(11, 1, 0); got != even {
			t.Errorf("without the key: %v", got)
		}
	})
}

// TestUrgencyOnPaper checks a black-and-white theme, in which good and bad values have the same color. A good value must not count as
// urgent.
func TestUrgencyOnPaper(t *testing.T) {
	ink, _ := look.Named("eink", false)
	c := ink.Colors["good"]
	file := fmt.Sprintf("widgets: [{widget: card, value: !data .p, thresholds: [{above: 10, color: '#%02x%02x%02x'}]}]", c.R, c.G, c.B)
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(300, 300)}, ink, func(d *walltest.Data) {
		d.ByName["p"].Publish(11.0, walltest.T0)
		d.Step(0)
		if got := kit.UrgencyOf(walltest.Only[*kit.Frame](d), walltest.T0); got != 0 {
			t.Errorf("a good value has the urgency %v", got)
		}
	})
}
