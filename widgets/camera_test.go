package widgets

import (
	"bytes"
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/provider"
	"dashboard/render"
	"dashboard/render/picture"
	"dashboard/theme/look"
)

// seen publishes a picture of a camera.
func seen(d *data, c *provider.Cell) {
	c.Promise(5 * time.Second)
	c.Publish(cameraPicture(d.t, d.size), t0)
}

func cameraPicture(t testing.TB, size image.Point) *picture.Picture {
	t.Helper()
	m := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			i := m.PixOffset(x, y)
			m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = uint8(60+x*120/size.X), uint8(190-y*90/size.Y), uint8(80+y*100/size.Y), 255
		}
	}
	return &picture.Picture{Frames: []picture.Frame{{Img: m}}, Rect: m.Rect, Opaque: true}
}

// cameraOf is the camera on a wall.
func cameraOf(d *data) *fadingImage { return only[*frame](d).inner.(*fadingImage) }

const door = "{widget: camera, url: 'http://camera.lan/door'}"

// A first picture appears out of the surface, the next are there at once; one that is old tells how old, until there is another.
func TestCamera(t *testing.T) {
	size := image.Pt(320, 180)
	modernBubble(t, "background_color: black\nwidgets: ["+door+"]\n", scene{size: size}, look.Calm(true), func(d *data) {
		middle := func() uint8 { return d.r.Frame().RGBAAt(160, 90).G }
		d.step(0)
		surface := middle()
		seen(d, cameraOf(d).value.Cell)
		if d.step(0); middle() != surface {
			t.Errorf("got %d at first, want the surface's %d", middle(), surface)
		}
		d.step(fadeTime / 2)
		half := middle()
		d.step(fadeTime)
		full := middle()
		if half <= surface+20 || full <= half+20 {
			t.Errorf("got %d, %d, %d: it does not fade in", surface, half, full)
		}
		if damage, _ := d.step(time.Second); len(damage) > 0 {
			t.Errorf("a picture that stands still damages %v", damage)
		}
		d.step(16 * time.Second)
		w := cameraOf(d)
		if !w.stale || string(w.badge.words.raw) == "" || middle() != full {
			t.Errorf("after 16 s: stale %v, %q", w.stale, w.badge.words.raw)
		}
		d.step(10 * time.Minute)
		if got := string(w.badge.words.raw); !strings.Contains(got, "10 min") {
			t.Errorf("after ten minutes: got %q", got)
		}
		w.value.Cell.Publish(cameraPicture(t, size), t0.Add(10*time.Minute))
		if d.step(10 * time.Minute); w.stale || w.veil != 0 {
			t.Errorf("another picture: stale %v, veil %d", w.stale, w.veil)
		}
	})
}

// TestTitleOfPicture: the round corners are the picture's, and cut nothing off the title line above it.
func TestTitleOfPicture(t *testing.T) {
	size, title := image.Pt(800, 600), 40
	head := func(radius string) (pixels []byte) {
		wall := "background_color: black\nwidgets: [{widget: row, children: [{widget: camera, title: llll, url: 'http://h/'" + radius + "}]}]\n"
		modernBubble(t, wall, scene{size: size}, look.Calm(true), func(d *data) {
			d.step(0)
			for y := range title {
				row := d.r.Frame().Pix[d.r.Frame().PixOffset(0, y):]
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
		wantErrors(t, "widgets: ["+widget+"]", want)
	}
}

func TestCameraGolden(t *testing.T) {
	size := image.Pt(320, 180)
	feed := func(d *data) { seen(d, cameraOf(d).value.Cell) }
	lost := func(d *data) { cameraOf(d).value.Cell.Fail(errDown, t0) }
	modernSheet(t, "modern-camera", []scene{
		{size: size, widget: door},
		{size: size, widget: door, feed: lost},
		{size: size, widget: door, feed: feed, after: time.Second},
		{size: size, widget: door, feed: feed, after: 12 * time.Minute},
		{size: image.Pt(96, 64), picture: image.Pt(320, 240), widget: door, feed: feed, after: 3 * time.Hour},
	})
}

// A camera whose pictures come again and again, and one that is old, cost no allocation.
func TestCameraAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	modernBubble(t, "background_color: black\nwidgets: ["+door+"]\n", scene{size: image.Pt(320, 180)}, look.Calm(true), func(d *data) {
		seen(d, cameraOf(d).value.Cell)
		d.step(0)
		now := t0.Add(20 * time.Second)
		for range 70 {
			now = now.Add(time.Minute)
			d.r.Step(now)
		}
		if got := testing.AllocsPerRun(20, func() { now = now.Add(time.Second); d.r.Step(now) }); got != 0 {
			t.Errorf("got %v allocations, want 0", got)
		}
		if got := testing.AllocsPerRun(20, func() { d.r.Repaint(); d.r.Step(now) }); got != 0 {
			t.Errorf("painted whole: got %v allocations, want 0", got)
		}
	})
}

var _ render.Widget = (*fadingImage)(nil)

// An image that is fetched, or whose file is named by a value, fades in; without either it is the classic one.
func TestChangingImage(t *testing.T) {
	size := image.Pt(320, 180)
	for _, widget := range []string{
		"{widget: image, url: 'http://h/a.png', refresh: 1m}", "{widget: image, url: 'http://h/a.png'}",
		"{widget: image, path: a.png, refresh: 10s}", "{widget: image, url: !data '.p.picture', corner_radius: 9}", "{widget: image, path: !data '.p.file', fit: cover}",
	} {
		modernBubble(t, "background_color: black\nwidgets: ["+widget+"]\n", scene{size: size}, look.Calm(true), func(d *data) {
			w := only[*fadingImage](d)
			w.value.Cell.Publish(cameraPicture(t, size), t0)
			if d.step(0); w.veil != 255 {
				t.Errorf("%s: veil %d at first", widget, w.veil)
			}
			d.step(time.Second)
			if got := d.r.Frame().RGBAAt(160, 90); got.G < 100 || w.veil != 0 {
				t.Errorf("%s: got %v", widget, got)
			}
		})
	}
	wantErrors(t, "widgets: [{widget: image, path: a.png, url: 'http://h/'}]", "one of the two")
}

// A text that may not run ends with an ellipsis inside its room.
func TestTickerStandsWithEllipsis(t *testing.T) {
	e := testEnv()
	e.Reduced = true
	w := build(t, e, "widgets: [{widget: ticker, text: 'A text that is far too long for its room, and may not run'}]", image.Pt(200, 40))
	render.New(w, image.Pt(200, 40)).Step(t0)
	x := w.child.(*guard).inner.(*frame).inner.(*ticker)
	if got := string(x.buf); !strings.HasSuffix(got, ellipsis) || x.line.Width() > x.size.X || len(got) < 10 {
		t.Errorf("got %q, %d px in %d", got, x.line.Width(), x.size.X)
	}
}

// A value of four figures beside a bar is whole on a narrow card.
func TestProgressOfFourFigures(t *testing.T) {
	w := build(t, testEnv(), "widgets: [{widget: progress, value: 3450, max: 5000, unit: W, card: true}]", image.Pt(300, 90))
	render.New(w, image.Pt(300, 90)).Step(t0)
	x := w.child.(*guard).inner.(*frame).inner.(*progress)
	if x.note == nil || x.b.textWidth(x.note.face, x.note.raw) > x.note.box.Dx() {
		t.Errorf("%+v", x.note)
	}
	w = build(t, testEnv(), "widgets: [{widget: progress, value: 66.9, unit: '%', padding: 0}]", image.Pt(300, 40))
	render.New(w, image.Pt(300, 40)).Step(t0)
	x = w.child.(*guard).inner.(*frame).inner.(*progress)
	if left := x.note.box.Max.X - x.b.textWidth(x.note.face, x.note.raw); left < x.bar.rect.Max.X+x.note.face.size/3 {
		t.Errorf("the value begins at %d px, the bar ends at %d", left, x.bar.rect.Max.X)
	}
}
