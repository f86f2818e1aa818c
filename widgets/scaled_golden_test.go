package widgets

import (
	"image"
	"image/color"
	"image/draw"
	"testing"
	"time"

	"dashboard/internal/golden"
	"dashboard/render"
	"dashboard/theme/look"
)

// roleGoldens are widgets drawn by the theme's roles; each is shown by night above and by day below, in a wide, a small
// and an upright cell.
var roleGoldens = map[string]string{
	"gauge-arc":     "{widget: gauge, title: Oven, value: 184, unit: °C, max: 300, ticks: 7}",
	"gauge-limit":   "{widget: gauge, title: Oven, value: 264, unit: °C, max: 300, thresholds: [{above: 250, color: '#f4807a'}]}",
	"gauge-needle":  "{widget: gauge, title: Wind, value: 31, unit: km/h, needle: true, ticks: 11}",
	"gauge-ring":    "{widget: gauge, kind: ring, title: Memory, value: 31, unit: '%'}",
	"gauge-bar":     "{widget: gauge, kind: bar, title: Cellar, value: 68, unit: '%', thresholds: [{above: 65, color: '#f5b84b'}]}",
	"gauge-none":    "{widget: gauge, title: Oven, unit: °C}",
	"progress-bar":  "{widget: progress, title: Backup, value: 64, unit: '%'}",
	"progress-ring": "{widget: progress, kind: ring, value: 64, unit: '%'}",
	"progress-step": "{widget: progress, kind: steps, steps: 8, value: 3, max: 8}",
}

var roleSizes = []image.Point{{420, 240}, {200, 150}, {180, 320}}

func TestRoleGoldens(t *testing.T) {
	for name, widget := range roleGoldens {
		t.Run(name, func(t *testing.T) { golden.Compare(t, name, roleSheet(t, widget, nil)) })
	}
}

// roleSheet paints a widget by night and by day in all sizes. prepare, which may be nil, runs the renderer.
func roleSheet(t *testing.T, widget string, prepare func(r *render.Renderer)) *image.RGBA {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 840, 670))
	draw.Draw(m, m.Rect, image.NewUniform(color.Gray{128}), image.Point{}, draw.Src)
	for i, night := range []bool{true, false} {
		at := image.Pt(10, 10+i*330)
		for _, size := range roleSizes {
			r := roleRenderer(t, widget, night, size)
			if prepare != nil {
				prepare(r)
			} else {
				r.Step(t0)
			}
			draw.Draw(m, r.Frame().Rect.Add(at), r.Frame(), image.Point{}, draw.Src)
			at.X += size.X + 10
		}
	}
	return m
}

// roleRenderer builds a widget on the theme's background, as a part of a picture of 1280x720 px.
func roleRenderer(t testing.TB, widget string, night bool, size image.Point) *render.Renderer {
	t.Helper()
	e := testEnv()
	e.Look, e.Picture = look.Calm(night), image.Pt(1280, 720)
	background := "#0b0f16"
	if !night {
		background = "#efece6"
	}
	return render.New(build(t, e, widgetFile(background, widget), size), size)
}

// steadyRoles are widgets that must cost no allocation where nothing changed, or only their hands moved.
var steadyRoles = map[string]string{
	"gauge":    roleGoldens["gauge-limit"],
	"progress": roleGoldens["progress-bar"],
}

func TestRoleFramesAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	for name, widget := range steadyRoles {
		t.Run(name, func(t *testing.T) {
			r := roleRenderer(t, widget, true, image.Pt(420, 240))
			now := warm(r)
			if got := testing.AllocsPerRun(20, func() { r.Repaint(); r.Step(now) }); got != 0 {
				t.Errorf("painted whole: got %v allocations, want 0", got)
			}
			if got := testing.AllocsPerRun(50, func() { now = now.Add(time.Second); r.Step(now) }); got != 0 {
				t.Errorf("a second later: got %v allocations, want 0", got)
			}
		})
	}
}
