package widgets

import (
	"fmt"
	"image"
	"testing"
	"time"

	"dashboard/render"
	"dashboard/widgets/walltest"
)

// steadyTrees returns widgets that must not allocate memory while a frame is drawn, as YAML by kind.
func steadyTrees(t testing.TB) map[string]string {
	film := walltest.Flow(walltest.GifFile(t, image.Pt(20, 10)))
	return map[string]string{
		"text":         "{widget: text, text: 'many words that do not fit', wrap: true, background_color: red, corner_radius: 9}",
		"dateclock":    "{widget: dateclock, time_format: '%H:%M:%S'}",
		"image":        "{widget: image, corner_radius: 20, path: " + film + "}",
		"empty":        "{widget: empty, color: '#ff000080', corner_radius: 9}",
		"label":        "{widget: label, text: Outside, children: [{widget: text, text: '12'}]}",
		"pill":         "{widget: pill, circular_mask: true, children: [{widget: image, path: " + film + "}, {widget: text, text: Anna}]}",
		"flip":         "{widget: flip, interval: 2, transition: 1, " + walltest.ThreeAreas + "}",
		"scheduleflip": "{widget: scheduleflip, schedule: {'12:34': r, '12:35': b}, " + walltest.ThreeAreas + "}",
		"grid": "{widget: grid, rows: 2, columns: 2, padding: 4, corner_radius: 20, drop_shadow: true, widget_background_color: '#ffffff30', children: [" +
			"{widget: dateclock, time_format: '%T'}, {widget: text, text: 8}, {widget: image, path: " + film + "}]}",
	}
}

func TestFramesAllocateNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	size := image.Pt(320, 180)
	for name, widget := range steadyTrees(t) {
		t.Run(name, func(t *testing.T) {
			root := walltest.Build(t, walltest.TestEnv(), walltest.WidgetFile("navy", widget), size)
			r := render.New(root, size)
			now := walltest.Warm(r)
			if got := testing.AllocsPerRun(20, func() { r.Step(now) }); got != 0 {
				t.Errorf("unchanged: got %v allocations, want 0", got)
			}
			if got := testing.AllocsPerRun(20, func() { r.Repaint(); r.Step(now) }); got != 0 {
				t.Errorf("painted whole: got %v allocations, want 0", got)
			}
			if got := testing.AllocsPerRun(60, func() { now = now.Add(time.Second); r.Step(now) }); got != 0 {
				t.Errorf("ticking: got %v allocations, want 0", got)
			}
		})
	}
}

// wall() returns a typical wall: a clock and eleven other cells. `format` is the clock's time format.
func wall(b *testing.B, params, format string, size image.Point) *render.Renderer {
	b.Helper()
	cells := "{widget: dateclock, time_format: '" + format + "'}"
	for i := range 11 {
		cells += fmt.Sprintf(", {widget: label, text: Room %d, children: [{widget: text, align: center, text: '%d.4 °C'}]}", i, 15+i)
	}
	root := walltest.Build(b, walltest.TestEnv(), walltest.WidgetFile("#2e3440", "{widget: grid, rows: 3, columns: 4, padding: 10, widget_corner_radius: 20, widget_background_color: '#3b4252', "+
		params+" children: ["+cells+"]}"), size)
	return render.New(root, size)
}

func BenchmarkClockTick(b *testing.B) {
	for name, params := range map[string]string{"plain": "", "shadow": "drop_shadow: true,"} {
		b.Run(name, func(b *testing.B) {
			r := wall(b, params, "%H:%M:%S", image.Pt(1920, 1080))
			now := walltest.Warm(r)
			b.ReportAllocs()
			for b.Loop() {
				now = now.Add(time.Second)
				r.Step(now)
			}
		})
	}
}

func BenchmarkWholeFrame(b *testing.B) {
	for name, params := range map[string]string{"plain": "", "shadow": "drop_shadow: true,"} {
		b.Run(name, func(b *testing.B) {
			r := wall(b, params, "%H:%M", image.Pt(1920, 1080))
			now := walltest.Warm(r)
			b.ReportAllocs()
			for b.Loop() {
				r.Repaint()
				r.Step(now)
			}
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		wall(b, "", "%H:%M", image.Pt(1920, 1080))
	}
}
