package widgets_test

import (
	"image"
	"image/color"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// TestSparklineColors checks that the curve of a card has the accent color of the card. Beyond a limit, the curve has the color of the
// limit. A mark shows the limit. If the numbers are negative, the area stays below the curve.
func TestSparklineColors(t *testing.T) {
	red, blue := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}
	file := "widgets: [{widget: card, margin: 0, value: !data .p.n, sparkline: 1h, accent: '#0000ff', thresholds: [{above: -12, color: '#ff0000'}]}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(400, 300)}, look.Calm(true), func(d *walltest.Data) {
		for i, n := range []float64{-18, -18, -18, -18, -18, -9} {
			after := time.Duration(i) * 10 * time.Minute
			d.ByName["p"].Publish(map[string]any{"n": n}, walltest.T0.Add(after))
			d.Step(after + time.Second)
		}
		m := d.R.Frame()
		surface := m.RGBAAt(200, 200-72)
		count := map[color.RGBA]int{}
		for y := 200; y < 300; y++ {
			for x := range 400 {
				count[m.RGBAAt(x, y)]++
			}
		}
		if count[blue] < 100 || count[red] < 60 {
			t.Errorf("%d pixels have the accent, and %d the color of the limit", count[blue], count[red])
		}
		for y := 216; y < 260; y++ {
			if got := m.RGBAAt(100, y); got != surface && got != red {
				t.Errorf("the pixel at %d above the curve is %v, want %v", y, got, surface)
				break
			}
		}
	})
}
