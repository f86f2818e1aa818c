package widgets

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"testing"
	"time"

	"dashboard/provider/photos"
	"dashboard/render/picture"
	"dashboard/theme/look"
)

// aPhoto is a photo of two colors for a place.
func aPhoto(size image.Point, sky, ground color.RGBA) *photos.Photo {
	m := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(m, m.Rect, image.NewUniform(sky), image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(0, size.Y*3/5, size.X, size.Y), image.NewUniform(ground), image.Point{}, draw.Src)
	return &photos.Photo{
		Picture: &picture.Picture{Frames: []picture.Frame{{Img: m}}, Rect: m.Rect, Opaque: true},
		Name:    "First light", Folder: "Lake", Taken: time.Date(2024, 10, 3, 7, 12, 0, 0, time.UTC),
	}
}

func photosIn(d *data) *photosWidget { return only[*frame](d).inner.(*photosWidget) }

var dawn, dusk = color.RGBA{240, 190, 140, 255}, color.RGBA{60, 80, 120, 255}

func TestPhotosGoldens(t *testing.T) {
	size := image.Pt(320, 200)
	dir := flow(t.TempDir())
	show := func(d *data) { photosIn(d).cell.Publish(aPhoto(size, dawn, dusk), t0) }
	modernSheet(t, "photos", []scene{
		{size: size, widget: "{widget: photos, path: " + dir + "}"},
		{size: size, widget: "{widget: photos, caption: date, path: " + dir + "}", feed: show, after: 2 * time.Second},
		{size: size, widget: "{widget: photos, caption: name, path: " + dir + "}", feed: show},
		{size: size, picture: image.Pt(320, 240), widget: "{widget: photos, caption: place, path: " + dir + "}", feed: show, after: 2 * time.Second},
	})
}

func TestPhotosFadeAndStand(t *testing.T) {
	size := image.Pt(64, 40)
	modernBubble(t, "widgets: [{widget: photos, path: "+flow(t.TempDir())+"}]", scene{size: size}, look.Calm(true), func(d *data) {
		d.step(0)
		w := photosIn(d)
		w.cell.Publish(aPhoto(size, dawn, dawn), t0)
		d.step(time.Second)
		if got := d.r.Frame().RGBAAt(9, 9); got != dawn {
			t.Errorf("got %v, want the first photo at once", got)
		}
		d.step(3 * time.Second)
		w.cell.Publish(aPhoto(size, dusk, dusk), t0)
		d.step(4 * time.Second)
		_, next := d.step(4500 * time.Millisecond)
		if got := d.r.Frame().RGBAAt(9, 9); got.R <= dusk.R || got.R >= dawn.R {
			t.Errorf("half-way: got %v, want between both", got)
		}
		if next.After(t0.Add(4500 * time.Millisecond)) {
			t.Errorf("half-way: wakes at %v, want at once", next)
		}
		now := t0.Add(4600 * time.Millisecond)
		if !raceEnabled {
			if n := testing.AllocsPerRun(20, func() { now = now.Add(10 * time.Millisecond); d.r.Step(now) }); n != 0 {
				t.Errorf("a frame of the fade: got %v allocations, want 0", n)
			}
		}
		d.step(6 * time.Second)
		if damage, next := d.step(7 * time.Second); len(damage) != 0 || !next.IsZero() || d.r.Frame().RGBAAt(9, 9) != dusk {
			t.Errorf("it stands: got damage %v, wakes at %v", damage, next)
		}
	})
}

// TestPhotosMove: with ken_burns a photo moves within its place while it is shown, and stays where it is while the next one fades in; not
// where nothing is to move.
func TestPhotosMove(t *testing.T) {
	size := image.Pt(64, 40)
	for _, still := range []bool{false, true} {
		modernBubble(t, "widgets: [{widget: photos, ken_burns: "+fmt.Sprint(!still)+", dwell: 10s, path: "+flow(t.TempDir())+"}]", scene{size: size}, look.Calm(true), func(d *data) {
			d.step(0)
			w := photosIn(d)
			at := func(after time.Duration) color.RGBA { d.step(after); return d.r.Frame().RGBAAt(5, 27) }
			w.cell.Publish(aPhoto(image.Pt(80, 50), dawn, dusk), t0) // from y 30 on it is dusk
			if got := at(time.Second); got != dawn {
				t.Errorf("still %v: it begins with %v", still, got)
			}
			end := at(13 * time.Second)
			if want := map[bool]color.RGBA{false: dusk, true: dawn}[still]; end != want {
				t.Errorf("still %v: it ends with %v, want %v", still, end, want)
			}
			white := color.RGBA{255, 255, 255, 255}
			w.cell.Publish(aPhoto(image.Pt(80, 50), white, white), t0.Add(13*time.Second))
			d.step(13 * time.Second)
			if got := at(13*time.Second + 20*time.Millisecond); !still && (got.R > dusk.R+40 || got == dusk) {
				t.Errorf("while the next one comes: got %v, want a little more than %v", got, dusk)
			}
		})
	}
}
