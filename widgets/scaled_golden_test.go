package widgets

import (
	"image"
	"image/color"
	"image/draw"
	"testing"
	"time"

	"dashboard/internal/testing/golden"
	"dashboard/render"
	"dashboard/widgets/walltest"
)

var roleSizes = []image.Point{{420, 240}, {200, 150}, {180, 320}}

func TestRoleGoldens(t *testing.T) {
	for name, widget := range walltest.RoleGoldens {
		t.Run(name, func(t *testing.T) { golden.Compare(t, name, roleSheet(t, widget, nil)) })
	}
}

// roleSheet paints a widget in all sizes, by night and by day. If `prepare` is not nil, it is called with each renderer first.
func roleSheet(t *testing.T, widget string, prepare func(r *render.Renderer)) *image.RGBA {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 840, 670))
	draw.Draw(m, m.Rect, image.NewUniform(color.Gray{128}), image.Point{}, draw.Src)
	for i, night := range []bool{true, false} {
		at := image.Pt(10, 10+i*330)
		for _, size := range roleSizes {
			r := walltest.RoleRenderer(t, widget, night, size)
			if prepare != nil {
				prepare(r)
			} else {
				r.Step(walltest.T0)
			}
			draw.Draw(m, r.Frame().Rect.Add(at), r.Frame(), image.Point{}, draw.Src)
			at.X += size.X + 10
		}
	}
	return m
}

// steadyRoles are widgets that must not allocate memory if nothing changes or if only their hands move.
var steadyRoles = map[string]string{
	"gauge":    walltest.RoleGoldens["gauge-limit"],
	"progress": walltest.RoleGoldens["progress-bar"],
	"dial":     "{widget: clock, kind: analogue, seconds: step, date: none}",
	"sweep":    "{widget: clock, kind: analogue, seconds: sweep, face: station}",
	"world":    walltest.RoleGoldens["clock-world"],
	"heatmap":  walltest.RoleGoldens["heatmap-week"],
	"chart":    walltest.RoleGoldens["chart-limit"],
}

func TestRoleFramesAllocateNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	for name, widget := range steadyRoles {
		t.Run(name, func(t *testing.T) {
			r := walltest.RoleRenderer(t, widget, true, image.Pt(420, 240))
			now := walltest.Warm(r)
			if got := testing.AllocsPerRun(20, func() { r.Repaint(); r.Step(now) }); got != 0 {
				t.Errorf("painted whole: got %v allocations, want 0", got)
			}
			if got := testing.AllocsPerRun(40, func() { now = now.Add(time.Second); r.Step(now) }); got != 0 {
				t.Errorf("a second later: got %v allocations, want 0", got)
			}
		})
	}
}
