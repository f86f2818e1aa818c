package media

import (
	"image"
	"image/color"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"dashboard/internal/testing/thorough"
	"dashboard/provider/photos"
	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// brightPhotos returns n photos with snow, darkness, noise, stripes and gradients in turn.
func brightPhotos(size image.Point, n int) (all []*photos.Photo) {
	r := rand.New(rand.NewPCG(3, 5))
	level := func(v float64) uint8 { return uint8(min(max(v, 0), 255)) }
	for i := range n {
		p := walltest.APhoto(size, walltest.Dawn, walltest.Dusk)
		from, to, hue := r.Float64()*255, r.Float64()*255, r.Float64()
		for y := range size.Y {
			for x := range size.X {
				v := 255.0
				switch at := float64(x+y) / float64(size.X+size.Y); i % 5 {
				case 0:
					v = 240 + r.Float64()*15
				case 1:
					v = r.Float64() * 60
				case 2:
					v = r.Float64() * 255
				case 3:
					v = from + (to-from)*float64((x/(1+i%7))%2)
				case 4:
					v = from + (to-from)*at
				}
				p.Picture.Frames[0].Img.SetRGBA(x, y, color.RGBA{level(v), level(v * (0.6 + 0.4*hue)), level(v * (1 - 0.4*hue)), 255})
			}
		}
		all = append(all, p)
	}
	return all
}

// contrastBelow returns the contrast to white that at least 95 % of the pixels below the caption have.
func contrastBelow(d *walltest.Data, w *photosWidget, after time.Duration) float64 {
	w.white = color.RGBA{} // do not paint the text
	d.R.Repaint()
	d.Step(after)
	return contrastIn(d, w.caption.Ink, color.NRGBA{255, 255, 255, 255})
}

// contrastIn returns the contrast to the text color that at least 95 % of the pixels in a part of the picture have.
func contrastIn(d *walltest.Data, r image.Rectangle, text color.NRGBA) float64 {
	var got []float64
	for y := r.Min.Y; y < r.Max.Y; y += 1 + r.Dy()/30 { // check only some rows of a large area
		for x := r.Min.X; x < r.Max.X; x++ {
			c := d.R.Frame().RGBAAt(x, y)
			got = append(got, look.Contrast(text, color.NRGBA{c.R, c.G, c.B, 255}))
		}
	}
	slices.Sort(got)
	return got[len(got)*5/100]
}

// TestCaptionContrast checks that 95 % of the pixels below a caption have a contrast of at least 4.5:1 to the caption. It uses 200
// photos: without motion, with motion, over a light card, and during fades. A dark photo is not darkened if it fills the widget.
func TestCaptionContrast(t *testing.T) {
	thorough.Only(t)
	size := image.Pt(240, 150)
	for _, tc := range []struct {
		wall string
		room image.Point // difference between the sizes of the photos and of the widget
	}{{"fit: cover", image.Point{}}, {"fit: contain", image.Pt(-200, 0)}, {"ken_burns: true, dwell: 5s", image.Pt(14, 9)}} {
		text := "widgets: [{widget: photos, caption: name, " + tc.wall + ", path: " + walltest.Flow(t.TempDir()) + "}]"
		walltest.ModernBubble(t, text, walltest.Scene{Size: size}, look.Calm(tc.room.X >= 0), func(d *walltest.Data) {
			d.Step(0)
			w, after := photosIn(d), time.Second
			for i, p := range brightPhotos(size.Add(tc.room), 200) {
				w.cell.Publish(p, walltest.T0.Add(after))
				for _, wait := range []time.Duration{0, 500 * time.Millisecond, time.Second, 5 * time.Second} {
					if got := contrastBelow(d, w, after+wait); got < 4.5 {
						t.Errorf("%s, photo %d after %v: the contrast is %.2f", tc.wall, i, wait, got)
					}
				}
				if dark := i%5 == 1 && tc.room.X >= 0; dark && w.scrim.opacity(255) != 0 {
					t.Errorf("%s, photo %d is dark: the scrim has the opacity %d", tc.wall, i, w.scrim.opacity(255))
				}
				after += 6 * time.Second
			}
		})
	}
}

// TestShadeContrast checks the key `shade`. In each eighth of the darkened area, 95 % of the pixels have a contrast of at least 4.5:1 to
// the theme's texts. It uses 200 photos by day and by night. A dark photo is darkened only slightly.
func TestShadeContrast(t *testing.T) {
	thorough.Only(t)
	size := image.Pt(240, 150)
	file := "widgets: [{widget: photos, shade: 40%, path: " + walltest.Flow(t.TempDir()) + "}]"
	for _, night := range []bool{false, true} {
		l, _ := look.Named("photo", night)
		walltest.ModernBubble(t, file, walltest.Scene{Size: size}, l, func(d *walltest.Data) {
			d.Step(0)
			w, after := photosIn(d), time.Second
			for i, p := range brightPhotos(size, 200) {
				w.cell.Publish(p, walltest.T0.Add(after))
				for _, wait := range []time.Duration{500 * time.Millisecond, time.Second} {
					d.Step(after + wait)
					for part := range shadeParts {
						r := image.Rect(size.X*part/shadeParts, size.Y*6/10, size.X*(part+1)/shadeParts, size.Y)
						if got := contrastIn(d, r, l.Colors["muted"]); got < 4.5 { // all other text colors are lighter
							t.Errorf("night %v, photo %d after %v: the contrast in %v is %.2f", night, i, wait, r, got)
						}
					}
				}
				if dark := i%5 == 1; dark && w.scrim.opacity(255) > 40 {
					t.Errorf("photo %d is dark: the scrim has the opacity %d", i, w.scrim.opacity(255))
				}
				after += 6 * time.Second
			}
		})
	}
}

// TestCaptionAllocates checks that no memory is allocated by the frames of a fade with a caption, or by the measurement of a photo.
func TestCaptionAllocates(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	size := image.Pt(240, 150)
	walltest.ModernBubble(t, "widgets: [{widget: photos, caption: name, path: "+walltest.Flow(t.TempDir())+"}]", walltest.Scene{Size: size}, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		w, all := photosIn(d), brightPhotos(size, 2)
		for i, p := range all {
			w.cell.Publish(p, walltest.T0)
			d.Step(time.Duration(i+1) * time.Second)
		}
		now := walltest.T0.Add(2 * time.Second)
		if n := testing.AllocsPerRun(20, func() { now = now.Add(10 * time.Millisecond); d.R.Step(now) }); n != 0 {
			t.Errorf("a frame of the fade: got %v allocations, want 0", n)
		}
		if n := testing.AllocsPerRun(5, func() { w.need(all[0]) }); n != 0 {
			t.Errorf("a measurement: got %v allocations, want 0", n)
		}
	})
}
