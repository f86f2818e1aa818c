package render_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"dashboard/internal/testing/testpic"
	"dashboard/render"
	"dashboard/render/picture"
)

func frostBehind(size image.Point) *image.RGBA { return testpic.Photo(size.X, size.Y) }

// The frost is similar to a full-size blur that is computed with floating point numbers. On a background of one color it is exact.
func TestFrostBlurs(t *testing.T) {
	for _, tc := range []struct {
		size  image.Point
		sigma float64
	}{{image.Pt(400, 250), 22}, {image.Pt(400, 250), 12}, {image.Pt(399, 249), 5}, {image.Pt(61, 40), 1.5}, {image.Pt(30, 9), 60}, {image.Pt(3, 2), 30}, {image.Pt(1, 1), 9}} {
		t.Run(fmt.Sprint(tc.size, tc.sigma), func(t *testing.T) {
			behind := frostBehind(tc.size.Add(image.Pt(20, 20)))
			want := image.NewRGBA(image.Rectangle{Max: tc.size})
			draw.Draw(want, want.Rect, behind, image.Pt(7, 11), draw.Src)
			(&picture.Picture{Frames: []picture.Frame{{Img: want}}, Rect: want.Rect}).Blur(tc.sigma)
			before := image.NewRGBA(behind.Rect)
			copy(before.Pix, behind.Pix)
			render.NewFrost(tc.size, tc.sigma).Paint(render.NewCanvas(behind), image.Pt(7, 11))
			var most int
			var sum float64
			for y := range behind.Rect.Dy() {
				for x := range behind.Rect.Dx() {
					got, is := behind.RGBAAt(x, y), before.RGBAAt(x, y)
					if in := (image.Point{x - 7, y - 11}); in.In(want.Rect) {
						is = want.RGBAAt(in.X, in.Y)
					} else if got != is {
						t.Fatalf("%d,%d outside changed", x, y)
					}
					for _, d := range []int{int(got.R) - int(is.R), int(got.G) - int(is.G), int(got.B) - int(is.B), int(got.A) - int(is.A)} {
						most, sum = max(most, d, -d), sum+float64(d*d)
					}
				}
			}
			rms := math.Sqrt(sum / float64(4*tc.size.X*tc.size.Y))
			t.Logf("largest difference %d, rms %.2f", most, rms)
			if most > 9 || rms > 2.5 {
				t.Errorf("largest difference %d, rms %.2f: want at most 9 and 2.5", most, rms)
			}
		})
	}
	m := image.NewRGBA(image.Rect(0, 0, 50, 30))
	ground := color.RGBA{255, 128, 3, 255}
	draw.Draw(m, m.Rect, image.NewUniform(ground), image.Point{}, draw.Src)
	render.NewFrost(m.Rect.Size(), 20).Paint(render.NewCanvas(m), image.Point{})
	for i := 0; i < len(m.Pix); i += 4 {
		if got := (color.RGBA{m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3]}); got != ground {
			t.Fatalf("one color became %v", got)
		}
	}
}

// A stored background is used until it is marked stale, and the frost is the same for all clips. On
// a transparent layer, Paint shows the stored background.
func TestFrostKept(t *testing.T) {
	size := image.Pt(120, 80)
	first, clean := frostBehind(size), frostBehind(size)
	f := render.NewFrost(size, 12)
	f.Paint(render.NewCanvas(first), image.Point{})
	pieces := image.NewRGBA(first.Rect)
	draw.Draw(pieces, pieces.Rect, image.White, image.Point{}, draw.Src)
	for _, clip := range []image.Rectangle{image.Rect(0, 0, 33, 80), image.Rect(33, 0, 120, 17), image.Rect(33, 17, 120, 80)} {
		c := render.NewCanvas(pieces)
		c.Clip = clip
		f.Paint(c, image.Point{})
	}
	if string(pieces.Pix) != string(first.Pix) {
		t.Error("what is kept is another in pieces")
	}
	f.Stale()
	moving := image.NewRGBA(first.Rect)
	f.Paint(render.NewCanvas(moving), image.Point{})
	if string(moving.Pix) != string(first.Pix) {
		t.Error("on a layer it does not show what it has")
	}
	white := image.NewRGBA(first.Rect)
	draw.Draw(white, white.Rect, image.White, image.Point{}, draw.Src)
	f.Paint(render.NewCanvas(white), image.Point{})
	if white.RGBAAt(60, 40) != (color.RGBA{255, 255, 255, 255}) {
		t.Error("what was stale was not taken again")
	}
	f.Stale() // the first Paint after this sees only half of the background
	c := render.NewCanvas(clean)
	c.Clip.Max.X = 60
	f.Paint(c, image.Point{})
	clean = frostBehind(size)
	f.Paint(render.NewCanvas(clean), image.Point{})
	if string(clean.Pix) != string(first.Pix) {
		t.Error("what was out of view was not taken later")
	}
	if render.NewFrost(image.Pt(4, 4), 0) != nil || render.NewFrost(image.Point{}, 4) != nil {
		t.Error("nothing to blur has a frost")
	}
}

func TestFrostAllocs(t *testing.T) {
	m := frostBehind(image.Pt(400, 250))
	f := render.NewFrost(m.Rect.Size(), 22)
	if n := testing.AllocsPerRun(5, func() { f.Stale(); f.Paint(render.NewCanvas(m), image.Point{}) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkFrost measures a card of 400x250 over a picture: first with a background that Paint reads for every frame, then with the
// stored background.
func BenchmarkFrost(b *testing.B) {
	m := frostBehind(image.Pt(400, 250))
	f := render.NewFrost(m.Rect.Size(), 22)
	b.Run("once", func(b *testing.B) {
		for b.Loop() {
			f.Stale()
			f.Paint(render.NewCanvas(m), image.Point{})
		}
	})
	b.Run("kept", func(b *testing.B) {
		for b.Loop() {
			f.Paint(render.NewCanvas(m), image.Point{})
		}
	})
}
