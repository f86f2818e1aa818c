package media

import (
	"image"
	"testing"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

func TestImageFits(t *testing.T) {
	path := walltest.GifFile(t, image.Pt(10, 4))
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
		w := walltest.BuildOne[*imageWidget](t, walltest.TestEnv(), walltest.Flow(tc.params), image.Pt(100, 100))
		if got := w.film.Pic.Rect; got != tc.want {
			t.Errorf("%v: got the picture in %v, want %v", tc.params, got, tc.want)
		}
	}
}

func TestFilmShowsAnother(t *testing.T) {
	path := walltest.GifFile(t, image.Pt(10, 4))
	pic := walltest.BuildOne[*imageWidget](t, walltest.TestEnv(), walltest.Flow(map[string]any{"widget": "image", "path": path}), image.Pt(100, 100)).film.Pic
	f := &kit.Film{}
	tick := render.NewTick(walltest.T0, image.Pt(100, 100))
	f.Show(tick, pic)
	if damage, _ := tick.Reported(); len(damage) != 1 || damage[0] != pic.Rect {
		t.Errorf("got damage %v, want %v", damage, pic.Rect)
	}
	f.Update(tick)
	f.Frame = 2
	f.Show(tick, pic)
	if f.Frame != 2 {
		t.Error("the same picture began anew")
	}
	f.Show(tick, nil)
	f.Update(tick)
	f.Paint(render.NewCanvas(image.NewRGBA(image.Rect(0, 0, 9, 9)))) // must not panic
}
