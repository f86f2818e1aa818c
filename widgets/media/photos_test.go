package media

import (
	"fmt"
	"image"
	"image/color"
	"testing"
	"time"

	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

func photosIn(d *walltest.Data) *photosWidget {
	return walltest.Only[*kit.Frame](d).Inner.(*photosWidget)
}

func TestPhotosGoldens(t *testing.T) {
	size := image.Pt(320, 200)
	dir := walltest.Flow(t.TempDir())
	show := func(d *walltest.Data) {
		photosIn(d).cell.Publish(walltest.APhoto(size, walltest.Dawn, walltest.Dusk), walltest.T0)
	}
	snow := func(d *walltest.Data) {
		photosIn(d).cell.Publish(walltest.APhoto(size, walltest.Dusk, color.RGBA{250, 251, 255, 255}), walltest.T0)
	}
	walltest.ModernSheet(t, "photos", []walltest.Scene{
		{Size: size, Widget: "{widget: photos, path: " + dir + "}"},
		{Size: size, Widget: "{widget: photos, caption: date, path: " + dir + "}", Feed: show, After: 2 * time.Second},
		{Size: size, Widget: "{widget: photos, caption: name, path: " + dir + "}", Feed: snow},
		{Size: size, Picture: image.Pt(320, 240), Widget: "{widget: photos, caption: place, path: " + dir + "}", Feed: show, After: 2 * time.Second},
	})
}

func TestPhotosFadeAndStand(t *testing.T) {
	size := image.Pt(64, 40)
	walltest.ModernBubble(t, "widgets: [{widget: photos, path: "+walltest.Flow(t.TempDir())+"}]", walltest.Scene{Size: size}, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		w := photosIn(d)
		w.cell.Publish(walltest.APhoto(size, walltest.Dawn, walltest.Dawn), walltest.T0)
		d.Step(time.Second)
		if got := d.R.Frame().RGBAAt(9, 9); got != walltest.Dawn {
			t.Errorf("got %v, want the first photo at once", got)
		}
		d.Step(3 * time.Second)
		w.cell.Publish(walltest.APhoto(size, walltest.Dusk, walltest.Dusk), walltest.T0)
		d.Step(4 * time.Second)
		_, next := d.Step(4500 * time.Millisecond)
		if got := d.R.Frame().RGBAAt(9, 9); got.R <= walltest.Dusk.R || got.R >= walltest.Dawn.R {
			t.Errorf("half-way: got %v, want between both", got)
		}
		if next.After(walltest.T0.Add(4500 * time.Millisecond)) {
			t.Errorf("half-way: wakes at %v, want at once", next)
		}
		now := walltest.T0.Add(4600 * time.Millisecond)
		if !walltest.RaceEnabled {
			if n := testing.AllocsPerRun(20, func() { now = now.Add(10 * time.Millisecond); d.R.Step(now) }); n != 0 {
				t.Errorf("a frame of the fade: got %v allocations, want 0", n)
			}
		}
		d.Step(6 * time.Second)
		if damage, next := d.Step(7 * time.Second); len(damage) != 0 || !next.IsZero() || d.R.Frame().RGBAAt(9, 9) != walltest.Dusk {
			t.Errorf("it stands: got damage %v, wakes at %v", damage, next)
		}
	})
}

// TestPhotosMove checks the key `ken_burns`. With this option, a photo moves within its cell while it is shown, but not while the next
// photo fades in. Without the option, a photo does not move.
func TestPhotosMove(t *testing.T) {
	size := image.Pt(64, 40)
	for _, still := range []bool{false, true} {
		walltest.ModernBubble(t, "widgets: [{widget: photos, ken_burns: "+fmt.Sprint(!still)+", dwell: 10s, path: "+walltest.Flow(t.TempDir())+"}]", walltest.Scene{Size: size}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			w := photosIn(d)
			at := func(after time.Duration) color.RGBA { d.Step(after); return d.R.Frame().RGBAAt(5, 27) }
			w.cell.Publish(walltest.APhoto(image.Pt(80, 50), walltest.Dawn, walltest.Dusk), walltest.T0) // the dark part starts at y 30
			if got := at(time.Second); got != walltest.Dawn {
				t.Errorf("still %v: it begins with %v", still, got)
			}
			end := at(13 * time.Second)
			if want := map[bool]color.RGBA{false: walltest.Dusk, true: walltest.Dawn}[still]; end != want {
				t.Errorf("still %v: it ends with %v, want %v", still, end, want)
			}
			white := color.RGBA{255, 255, 255, 255}
			w.cell.Publish(walltest.APhoto(image.Pt(80, 50), white, white), walltest.T0.Add(13*time.Second))
			d.Step(13 * time.Second)
			if got := at(13*time.Second + 20*time.Millisecond); !still && (got.R > walltest.Dusk.R+40 || got == walltest.Dusk) {
				t.Errorf("while the next one comes: got %v, want a little more than %v", got, walltest.Dusk)
			}
		})
	}
}

// TestCaptionEdge checks a photo that fills the wall. The icon before its caption is aligned with the texts in cards.
func TestCaptionEdge(t *testing.T) {
	size := image.Pt(800, 480)
	walltest.ModernBubble(t, "widgets: [{widget: photos, caption: name, path: "+walltest.Flow(t.TempDir())+"}]", walltest.Scene{Size: size, Picture: size}, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		w := photosIn(d)
		w.cell.Publish(walltest.APhoto(size, walltest.Dawn, walltest.Dawn), walltest.T0)
		d.Step(time.Second)
		sizes := w.b.Look.Sizes
		if got, want := w.sign.Box.Min.X, w.b.Px(sizes.Margin)+w.b.Px(sizes.Padding); got != want || w.caption.Ink.Min.X < w.sign.Box.Max.X {
			t.Errorf("the icon is at %v, want x %d, and the caption at %v", w.sign.Box, want, w.caption.Ink)
		}
	})
}

// photosAt returns the photos widget at a point of w.
func photosAt(w render.Widget, p image.Point) (found *photosWidget) {
	switch w := w.(type) {
	case *photosWidget:
		return w
	case *kit.Guard:
		return photosAt(w.Inner, p)
	case kit.Holder:
		w.Reach(p, func(w render.Widget, p image.Point) bool {
			found = photosAt(w, p)
			return found != nil
		})
	}
	return found
}

// TestPhotoOfEarlierSize checks that a photo stays visible while the photo for a new size is loaded. The size changes because a neighbor of
// the widget is shown.
func TestPhotoOfEarlierSize(t *testing.T) {
	wall := "widgets: [{widget: row, children: [{widget: photos, frame: none, path: " + walltest.Flow(t.TempDir()) + "}, {widget: empty, when: !data .p.on}]}]"
	walltest.ModernBubble(t, wall, walltest.Scene{Size: image.Pt(320, 200)}, look.Calm(true), func(d *walltest.Data) {
		on := func(on bool) func(*walltest.Data) { return walltest.Published(map[string]any{"on": on}) }
		photo := func() *photosWidget { return photosAt(d.Tree.Child, image.Pt(40, 100)) }
		on(false)(d)
		d.Step(0)
		wide := photo()
		wide.cell.Publish(walltest.APhoto(wide.size, walltest.Dawn, walltest.Dawn), walltest.T0)
		d.Step(time.Second)
		on(true)(d)
		d.Step(2 * time.Second)
		w := photo()
		if got := d.R.Frame().RGBAAt(40, 100); got != walltest.Dawn || w.size.X >= wide.size.X || w.now != nil {
			t.Errorf("got %v and the size %v, want the color of the earlier photo", got, w.size)
		}
		w.cell.Publish(walltest.APhoto(w.size, walltest.Dusk, walltest.Dusk), walltest.T0)
		d.Step(5 * time.Second)
		if got := d.R.Frame().RGBAAt(40, 100); got != walltest.Dusk || w.before != nil {
			t.Errorf("got %v and the earlier photo %v, want only the new photo", got, w.before)
		}
	})
}
