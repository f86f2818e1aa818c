package widgets

import (
	"image"
	"image/color"
	"strings"
	"testing"
	"time"

	"dashboard/provider"
	"dashboard/render"
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
			r := strip(t, testEnv(), "{widget: dateclock, "+tc.params+"}")
			if _, next := r.Step(after(tc.now)); !next.Equal(after(tc.want)) {
				t.Errorf("next pass: got %v, want %v", next, after(tc.want))
			}
		})
	}
}

func TestDateClockShowsItsZone(t *testing.T) {
	w := buildOne[*dateClock](t, testEnv(), "{widget: dateclock, timezone: Asia/Kolkata, date_format: '%Z'}", image.Pt(100, 50))
	w.Update(render.NewTick(t0, w.size))
	if got := string(w.buf); got != "IST" {
		t.Errorf("got %q, want IST", got)
	}
}

func TestDateClockFollowsAClockThatWasSet(t *testing.T) {
	r := strip(t, testEnv(), "{widget: dateclock}")
	r.Step(t0)
	for _, at := range []time.Duration{-time.Hour, 5 * time.Hour, 0} {
		if damage, _ := r.Step(after(at)); len(damage) == 0 {
			t.Errorf("clock set to %v: nothing repainted", after(at))
		}
	}
	if damage, _ := r.Step(after(59 * time.Second)); len(damage) != 0 {
		t.Errorf("within the minute: got damage %v, want none", damage)
	}
}

func TestImageRuns(t *testing.T) {
	path := gifFile(t, image.Pt(10, 4))
	r := strip(t, testEnv(), flow(map[string]any{"widget": "image", "path": path, "fit": "contain"}))
	for i, want := range []color.RGBA{{200, 0, 0, 255}, {0, 200, 0, 255}, {0, 0, 200, 255}, {200, 0, 0, 255}} {
		at := time.Duration(i) * 100 * time.Millisecond
		damage, next := r.Step(after(at))
		if got := r.Frame().RGBAAt(50, 2); got != want {
			t.Errorf("frame %d: got %v, want %v", i, got, want)
		}
		if i > 0 && (len(damage) != 1 || damage[0] != image.Rect(45, 0, 55, 4)) {
			t.Errorf("frame %d: got damage %v, want the picture", i, damage)
		}
		if want := after(at + 100*time.Millisecond); !next.Equal(want) {
			t.Errorf("frame %d: next pass at %v, want %v", i, next, want)
		}
	}
}

func TestImageFits(t *testing.T) {
	path := gifFile(t, image.Pt(10, 4))
	for _, tc := range []struct {
		params map[string]any
		want   image.Rectangle
	}{
		{map[string]any{}, image.Rect(0, 30, 100, 70)},
		{map[string]any{"fit": "contain"}, image.Rect(0, 30, 100, 70)},
		{map[string]any{"preserve_aspect_ratio": true}, image.Rect(0, 30, 100, 70)},
		{map[string]any{"fit": "cover"}, image.Rect(0, 0, 100, 100)},
		{map[string]any{"fit": "stretch"}, image.Rect(0, 0, 100, 100)},
	} {
		tc.params["widget"], tc.params["image_path"] = "image", path
		w := buildOne[*imageWidget](t, testEnv(), flow(tc.params), image.Pt(100, 100))
		if got := w.film.pic.Rect; got != tc.want {
			t.Errorf("%v: got the picture in %v, want %v", tc.params, got, tc.want)
		}
	}
}

func TestFilmShowsAnother(t *testing.T) {
	path := gifFile(t, image.Pt(10, 4))
	pic := buildOne[*imageWidget](t, testEnv(), flow(map[string]any{"widget": "image", "path": path}), image.Pt(100, 100)).film.pic
	f := &film{}
	tick := render.NewTick(t0, image.Pt(100, 100))
	f.show(tick, pic)
	if damage, _ := tick.Reported(); len(damage) != 1 || damage[0] != pic.Rect {
		t.Errorf("got damage %v, want %v", damage, pic.Rect)
	}
	f.update(tick)
	f.frame = 2
	f.show(tick, pic)
	if f.frame != 2 {
		t.Error("the same picture began anew")
	}
	f.show(tick, nil)
	f.update(tick)
	f.paint(render.NewCanvas(image.NewRGBA(image.Rect(0, 0, 9, 9)))) // nothing, and no panic
}

func TestWordsChange(t *testing.T) {
	b := builder(testEnv())
	size := image.Pt(200, 40)
	w := b.words(&Spec{}, size, Lettering{TextSize: 20}, placement{}, Backdrop{})
	changed := func(f func(render.Tick)) image.Rectangle {
		tick := render.NewTick(t0, size)
		f(tick)
		damage, _ := tick.Reported()
		var all image.Rectangle
		for _, d := range damage {
			all = all.Union(d)
		}
		return all
	}
	first := changed(func(t render.Tick) { w.set(t, "a long text") })
	if first != w.block.Ink() || first.Empty() {
		t.Errorf("first text: got damage %v, want the ink %v", first, w.block.Ink())
	}
	if got := changed(func(t render.Tick) { w.set(t, "short") }); got != first.Union(w.block.Ink()) {
		t.Errorf("next text: got damage %v, want old and new ink", got)
	}
	if got := changed(func(t render.Tick) { w.set(t, "short") }); !got.Empty() {
		t.Errorf("same text: got damage %v, want none", got)
	}
	if got := changed(func(t render.Tick) { w.setColor(t, red) }); got != w.block.Ink() {
		t.Errorf("next color: got damage %v, want the ink", got)
	}
	if got := changed(func(t render.Tick) { w.setColor(t, red) }); !got.Empty() {
		t.Errorf("same color: got damage %v, want none", got)
	}
}

func TestTextScale(t *testing.T) {
	for _, tc := range []struct {
		px, scale float64
		want      int
	}{{50, 1.4, 70}, {25, 1.4, 35}, {12, 1.4, 17}, {1, 0.1, 1}, {0, 3, 0}, {30, 0, 30}} {
		e := testEnv()
		e.TextScale = tc.scale
		if got := builder(e).textSize(tc.px); got != tc.want {
			t.Errorf("%v px by %v: got %d, want %d", tc.px, tc.scale, got, tc.want)
		}
	}
}

func TestScreenIsOpaque(t *testing.T) {
	for _, background := range []string{"transparent", "#ff000080", "red"} {
		m := paintOnce(build(t, testEnv(), widgetFile(background, "{widget: empty}"), image.Pt(8, 8)), image.Pt(8, 8), t0)
		if !m.Opaque() {
			t.Errorf("background %s: the frame is not opaque", background)
		}
	}
	m := paintOnce(build(t, testEnv(), widgetFile("#ff000080", "{widget: empty}"), image.Pt(8, 8)), image.Pt(8, 8), t0)
	if got, want := m.RGBAAt(3, 3), (color.RGBA{128, 0, 0, 255}); got != want {
		t.Errorf("half red: got %v, want it over black, %v", got, want)
	}
}

func TestBackgroundPictureKeepsItsTopLeftCorner(t *testing.T) {
	path := gifFile(t, image.Pt(10, 4))
	w := build(t, testEnv(), "background_image: "+flow(path)+"\nwidgets: [{widget: empty}]", image.Pt(30, 40))
	if got, want := w.picture.pic.Rect, image.Rect(0, 0, 30, 40); got != want {
		t.Errorf("got the picture in %v, want %v", got, want)
	}
}

func TestBanner(t *testing.T) {
	e := testEnv()
	e.Banner = provider.NewCell(nil)
	size := image.Pt(300, 200)
	r := render.New(build(t, e, widgetFile("navy", "{widget: text, text: hello}"), size), size)
	r.Step(t0)
	plain := append([]uint8(nil), r.Frame().Pix...)

	var heights []int
	for _, message := range []string{"widgets.yaml:3:1: wrong", strings.Repeat("many words ", 12), strings.Repeat("many words ", 400)} {
		e.Banner.Publish(message, t0)
		damage, _ := r.Step(t0)
		all := image.Rectangle{}
		for _, d := range damage {
			all = all.Union(d)
		}
		if all.Max != size || all.Min.X != 0 {
			t.Errorf("%.20s…: got damage %v, want a strip at the bottom", message, all)
		}
		ink := inkOf(r.Frame(), image.Rect(0, all.Min.Y+bannerRule, size.X, size.Y))
		if ink.Dx() < 100 || ink.Min.X < bannerPadding || ink.Max.X > size.X-bannerPadding {
			t.Errorf("%.20s…: got ink %v, want it inside the strip", message, ink)
		}
		heights = append(heights, all.Dy())
	}
	if !(heights[0] < heights[1]) || heights[2] > 3*heights[0] {
		t.Errorf("heights: got %v, want them to grow, up to three lines", heights)
	}
	e.Banner.Publish("", t0)
	r.Step(t0)
	if string(r.Frame().Pix) != string(plain) {
		t.Error("the banner left something behind")
	}
}
