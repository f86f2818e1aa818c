package media

import (
	"bytes"
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// cameraOf returns the camera widget of a wall.
func cameraOf(d *walltest.Data) *fadingImage {
	return walltest.Only[*kit.Frame](d).Inner.(*fadingImage)
}

// TestCamera checks that the first picture fades in and the next pictures appear immediately. An outdated picture shows its age until the
// next picture arrives.
func TestCamera(t *testing.T) {
	size := image.Pt(320, 180)
	walltest.ModernBubble(t, "background_color: black\nwidgets: ["+walltest.Door+"]\n", walltest.Scene{Size: size}, look.Calm(true), func(d *walltest.Data) {
		middle := func() uint8 { return d.R.Frame().RGBAAt(160, 90).G }
		d.Step(0)
		surface := middle()
		walltest.Seen(d, cameraOf(d).value.Cell)
		if d.Step(0); middle() != surface {
			t.Errorf("got %d at first, want the surface's %d", middle(), surface)
		}
		d.Step(fadeTime / 2)
		half := middle()
		d.Step(fadeTime)
		full := middle()
		if half <= surface+20 || full <= half+20 {
			t.Errorf("got %d, %d, %d: it does not fade in", surface, half, full)
		}
		if damage, _ := d.Step(time.Second); len(damage) > 0 {
			t.Errorf("a picture that stands still damages %v", damage)
		}
		d.Step(16 * time.Second)
		w := cameraOf(d)
		if !w.stale || string(w.badge.words.Raw) == "" || middle() != full {
			t.Errorf("after 16 s: stale %v, %q", w.stale, w.badge.words.Raw)
		}
		d.Step(10 * time.Minute)
		if got := string(w.badge.words.Raw); !strings.Contains(got, "10 min") {
			t.Errorf("after ten minutes: got %q", got)
		}
		w.value.Cell.Publish(walltest.CameraPicture(t, size), walltest.T0.Add(10*time.Minute))
		if d.Step(10 * time.Minute); w.stale || w.veil != 0 {
			t.Errorf("another picture: stale %v, veil %d", w.stale, w.veil)
		}
	})
}

// TestTitleOfPicture checks that the round corners clip the picture, but not the title line above it.
func TestTitleOfPicture(t *testing.T) {
	size, title := image.Pt(800, 600), 40
	head := func(radius string) (pixels []byte) {
		wall := "background_color: black\nwidgets: [{widget: row, children: [{widget: camera, title: llll, url: 'http://h/'" + radius + "}]}]\n"
		walltest.ModernBubble(t, wall, walltest.Scene{Size: size}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			for y := range title {
				row := d.R.Frame().Pix[d.R.Frame().PixOffset(0, y):]
				pixels = append(pixels, row[:4*size.X]...)
			}
		})
		return pixels
	}
	if round, square := head(""), head(", radius: 0"); !bytes.Equal(round, square) || bytes.Equal(square, make([]byte, len(square))) {
		t.Error("the title line is cut by the corners")
	}
}

func TestCameraMistakes(t *testing.T) {
	for widget, want := range map[string]string{
		"{widget: camera}": "a url or an entity",
		"{widget: camera, url: 'http://h/', entity: camera.a}": "a url or an entity",
		"{widget: camera, url: 'ftp://h/'}":                    "neither http nor https",
		"{widget: camera, entity: camera.a}":                   "there is no provider 'homeassistant' of type homeassistant",
	} {
		walltest.WantErrors(t, "widgets: ["+widget+"]", want)
	}
}

func TestCameraGolden(t *testing.T) {
	size := image.Pt(320, 180)
	feed := func(d *walltest.Data) { walltest.Seen(d, cameraOf(d).value.Cell) }
	lost := func(d *walltest.Data) { cameraOf(d).value.Cell.Fail(walltest.ErrDown, walltest.T0) }
	walltest.ModernSheet(t, "modern-camera", []walltest.Scene{
		{Size: size, Widget: walltest.Door},
		{Size: size, Widget: walltest.Door, Feed: lost},
		{Size: size, Widget: walltest.Door, Feed: feed, After: time.Second},
		{Size: size, Widget: walltest.Door, Feed: feed, After: 12 * time.Minute},
		{Size: image.Pt(96, 64), Picture: image.Pt(320, 240), Widget: walltest.Door, Feed: feed, After: 3 * time.Hour},
	})
}

// TestCameraAllocatesNothing checks that a camera allocates no memory while its picture is outdated, even if the whole wall is painted
// again.
func TestCameraAllocatesNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	walltest.ModernBubble(t, "background_color: black\nwidgets: ["+walltest.Door+"]\n", walltest.Scene{Size: image.Pt(320, 180)}, look.Calm(true), func(d *walltest.Data) {
		walltest.Seen(d, cameraOf(d).value.Cell)
		d.Step(0)
		now := walltest.T0.Add(20 * time.Second)
		for range 70 {
			now = now.Add(time.Minute)
			d.R.Step(now)
		}
		if got := testing.AllocsPerRun(20, func() { now = now.Add(time.Second); d.R.Step(now) }); got != 0 {
			t.Errorf("got %v allocations, want 0", got)
		}
		if got := testing.AllocsPerRun(20, func() { d.R.Repaint(); d.R.Step(now) }); got != 0 {
			t.Errorf("painted whole: got %v allocations, want 0", got)
		}
	})
}

var _ render.Widget = (*fadingImage)(nil)

// TestChangingImage checks that an image fades in if it is fetched from a URL, if it has a refresh interval, or if a program returns its
// path.
func TestChangingImage(t *testing.T) {
	size := image.Pt(320, 180)
	for _, widget := range []string{
		"{widget: image, url: 'http://h/a.png', refresh: 1m}", "{widget: image, url: 'http://h/a.png'}",
		"{widget: image, path: a.png, refresh: 10s}", "{widget: image, url: !data '.p.picture', corner_radius: 9}", "{widget: image, path: !data '.p.file', fit: cover}",
	} {
		walltest.ModernBubble(t, "background_color: black\nwidgets: ["+widget+"]\n", walltest.Scene{Size: size}, look.Calm(true), func(d *walltest.Data) {
			w := walltest.Only[*fadingImage](d)
			w.value.Cell.Publish(walltest.CameraPicture(t, size), walltest.T0)
			if d.Step(0); w.veil != 255 {
				t.Errorf("%s: veil %d at first", widget, w.veil)
			}
			d.Step(time.Second)
			if got := d.R.Frame().RGBAAt(160, 90); got.G < 100 || w.veil != 0 {
				t.Errorf("%s: got %v", widget, got)
			}
		})
	}
	walltest.WantErrors(t, "widgets: [{widget: image, path: a.png, url: 'http://h/'}]", "one of the two")
}
