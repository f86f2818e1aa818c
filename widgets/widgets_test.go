package widgets

import (
	"image"
	"image/color"
	"testing"
	"time"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

func TestDateClockWakesAtTheNextChange(t *testing.T) {
	for _, tc := range []struct {
		name, params string
		now, want    time.Duration
	}{
		{"minutes", "", 17*time.Second + 5, time.Minute},
		{"on the minute", "", time.Minute, 2 * time.Minute},
		{"seconds", "time_format: '%H:%M:%S'", 17*time.Second + 5, 18 * time.Second},
		{"seconds in the date", "date_format: '%T'", 1500 * time.Millisecond, 2 * time.Second},
		{"zone off by half an hour", "timezone: Asia/Kolkata", 17 * time.Second, time.Minute},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := walltest.Strip(t, walltest.TestEnv(), "{widget: dateclock, "+tc.params+"}")
			if _, next := r.Step(walltest.After(tc.now)); !next.Equal(walltest.After(tc.want)) {
				t.Errorf("next pass: got %v, want %v", next, walltest.After(tc.want))
			}
		})
	}
}

func TestDateClockFollowsAClockThatWasSet(t *testing.T) {
	r := walltest.Strip(t, walltest.TestEnv(), "{widget: dateclock}")
	r.Step(walltest.T0)
	for _, at := range []time.Duration{-time.Hour, 5 * time.Hour, 0} {
		if damage, _ := r.Step(walltest.After(at)); len(damage) == 0 {
			t.Errorf("clock set to %v: nothing repainted", walltest.After(at))
		}
	}
	if damage, _ := r.Step(walltest.After(59 * time.Second)); len(damage) != 0 {
		t.Errorf("within the minute: got damage %v, want none", damage)
	}
}

func TestImageRuns(t *testing.T) {
	path := walltest.GifFile(t, image.Pt(10, 4))
	r := walltest.Strip(t, walltest.TestEnv(), walltest.Flow(map[string]any{"widget": "image", "path": path, "fit": "contain"}))
	for i, want := range []color.RGBA{{200, 0, 0, 255}, {0, 200, 0, 255}, {0, 0, 200, 255}, {200, 0, 0, 255}} {
		at := time.Duration(i) * 100 * time.Millisecond
		damage, next := r.Step(walltest.After(at))
		if got := r.Frame().RGBAAt(50, 2); got != want {
			t.Errorf("frame %d: got %v, want %v", i, got, want)
		}
		if i > 0 && (len(damage) != 1 || damage[0] != image.Rect(45, 0, 55, 4)) {
			t.Errorf("frame %d: got damage %v, want the picture", i, damage)
		}
		if want := walltest.After(at + 100*time.Millisecond); !next.Equal(want) {
			t.Errorf("frame %d: next pass at %v, want %v", i, next, want)
		}
	}
}

func TestWordsChange(t *testing.T) {
	b := walltest.Builder(walltest.TestEnv())
	size := image.Pt(200, 40)
	w := b.Words(&kit.Spec{}, size, kit.Lettering{TextSize: 20}, kit.Placement{}, kit.Backdrop{})
	changed := func(f func(render.Tick)) image.Rectangle {
		tick := render.NewTick(walltest.T0, size)
		f(tick)
		damage, _ := tick.Reported()
		var all image.Rectangle
		for _, d := range damage {
			all = all.Union(d)
		}
		return all
	}
	first := changed(func(t render.Tick) { w.Set(t, "a long text") })
	if first != w.Block.Ink() || first.Empty() {
		t.Errorf("first text: got damage %v, want the ink %v", first, w.Block.Ink())
	}
	if got := changed(func(t render.Tick) { w.Set(t, "short") }); got != first.Union(w.Block.Ink()) {
		t.Errorf("next text: got damage %v, want old and new ink", got)
	}
	if got := changed(func(t render.Tick) { w.Set(t, "short") }); !got.Empty() {
		t.Errorf("same text: got damage %v, want none", got)
	}
	if got := changed(func(t render.Tick) { w.SetColor(t, walltest.Red) }); got != w.Block.Ink() {
		t.Errorf("next color: got damage %v, want the ink", got)
	}
	if got := changed(func(t render.Tick) { w.SetColor(t, walltest.Red) }); !got.Empty() {
		t.Errorf("same color: got damage %v, want none", got)
	}
}

func TestTextScale(t *testing.T) {
	for _, tc := range []struct {
		px, scale float64
		want      int
	}{{50, 1.4, 70}, {25, 1.4, 35}, {12, 1.4, 17}, {1, 0.1, 1}, {0, 3, 0}, {30, 0, 30}} {
		e := walltest.TestEnv()
		e.TextScale = tc.scale
		if got := walltest.Builder(e).TextSize(tc.px); got != tc.want {
			t.Errorf("%v px by %v: got %d, want %d", tc.px, tc.scale, got, tc.want)
		}
	}
}

func TestScreenIsOpaque(t *testing.T) {
	for _, background := range []string{"transparent", "#ff000080", "red"} {
		m := walltest.PaintOnce(walltest.Build(t, walltest.TestEnv(), walltest.WidgetFile(background, "{widget: empty}"), image.Pt(8, 8)), image.Pt(8, 8), walltest.T0)
		if !m.Opaque() {
			t.Errorf("background %s: the frame is not opaque", background)
		}
	}
	m := walltest.PaintOnce(walltest.Build(t, walltest.TestEnv(), walltest.WidgetFile("#ff000080", "{widget: empty}"), image.Pt(8, 8)), image.Pt(8, 8), walltest.T0)
	if got, want := m.RGBAAt(3, 3), (color.RGBA{128, 0, 0, 255}); got != want {
		t.Errorf("half red: got %v, want it over black, %v", got, want)
	}
}

func TestBackgroundPictureKeepsItsTopLeftCorner(t *testing.T) {
	path := walltest.GifFile(t, image.Pt(10, 4))
	w := walltest.Build(t, walltest.TestEnv(), "background_image: "+walltest.Flow(path)+"\nwidgets: [{widget: empty}]", image.Pt(30, 40))
	if got, want := w.Picture.Pic.Rect, image.Rect(0, 0, 30, 40); got != want {
		t.Errorf("got the picture in %v, want %v", got, want)
	}
}
