package ink

import (
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"strings"
	"testing"

	"dashboard/internal/testing/golden"
	"dashboard/internal/testing/race"
	"dashboard/internal/testing/testpic"
)

func named(t testing.TB, name string) *Palette {
	t.Helper()
	p, ok := Named(name)
	if !ok {
		t.Fatalf("no palette %s", name)
	}
	return p
}

func TestFlatColors(t *testing.T) {
	tests := []struct {
		name, palette, want string
		color               color.RGBA
	}{
		{"black", "spectra6", "black", color.RGBA{0, 0, 0, 255}},
		{"white", "spectra6", "white", color.RGBA{255, 255, 255, 255}},
		{"half an edge", "spectra6", "white", color.RGBA{128, 128, 128, 255}},
		{"less than half an edge", "spectra6", "black", color.RGBA{127, 127, 127, 255}},
		{"text of a dark theme", "spectra6", "white", color.RGBA{226, 232, 240, 255}},
		{"ground of a dark theme", "spectra6", "black", color.RGBA{15, 20, 30, 255}},
		{"pure red", "spectra6", "red", color.RGBA{255, 0, 0, 255}},
		{"pure green", "spectra6", "green", color.RGBA{0, 255, 0, 255}},
		{"pure blue", "spectra6", "blue", color.RGBA{0, 0, 255, 255}},
		{"pure yellow", "spectra6", "yellow", color.RGBA{255, 255, 0, 255}},
		{"a wall's bad", "spectra6", "red", color.RGBA{224, 82, 82, 255}},
		{"a wall's warning", "spectra6", "yellow", color.RGBA{245, 178, 72, 255}},
		{"a wall's good", "spectra6", "green", color.RGBA{76, 175, 110, 255}},
		{"a wall's accent", "spectra6", "blue", color.RGBA{110, 165, 250, 255}},
		{"most of an edge of red on white", "spectra6", "red", color.RGBA{255, 102, 102, 255}},
		{"little of an edge of red on white", "spectra6", "white", color.RGBA{255, 190, 190, 255}},
		{"orange where there is orange", "inky7", "orange", color.RGBA{255, 140, 0, 255}},
		{"amber where there is red alone", "bwr", "red", color.RGBA{245, 160, 72, 255}},
		{"blue where there is red alone", "bwr", "black", color.RGBA{30, 60, 220, 255}},
		{"light blue where there is red alone", "bwr", "white", color.RGBA{150, 190, 250, 255}},
		{"a dark gray of four", "gray4", "gray 1", color.RGBA{90, 90, 90, 255}},
		{"red without any ink", "gray256", "gray 54", color.RGBA{255, 0, 0, 255}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p := named(t, tc.palette)
			r := newRule(p)
			if got := p.Inks[r.nearest(tc.color)].Name; got != tc.want {
				chroma, hue := chromaHue(tc.color)
				t.Errorf("%v (chroma %.3f, hue %.0f): got %s, want %s", tc.color, chroma, hue, got, tc.want)
			}
		})
	}
}

// The cache and the shortcut for runs do not change the result: it equals the result of the rule for each single pixel.
func TestFlatAsTheRuleSays(t *testing.T) {
	size := image.Pt(200, 120)
	noise := image.NewRGBA(image.Rectangle{Max: size})
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(rnd.Uint32()) | uint8(i%4/3*255)
	}
	for _, name := range Names() {
		p := named(t, name)
		q, rule := New(p, size, Diffuse), newRule(p)
		for _, frame := range []*image.RGBA{testpic.Dashboard(200, 120), noise} {
			dst := q.NewPicture()
			q.Quantize(dst, frame, nil)
			for i, got := range dst.Pix {
				c := color.RGBA{frame.Pix[4*i], frame.Pix[4*i+1], frame.Pix[4*i+2], 255}
				if want := rule.nearest(c); got != want {
					t.Fatalf("%s: pixel %d of %v: got %d, want %d", name, i, c, got, want)
				}
			}
		}
	}
}

// wall returns a picture with letters, a photo on the right, and a card over the photo.
func wall(w, h int) (frame *image.RGBA, regions Regions) {
	frame = testpic.Dashboard(w, h)
	photo := image.Rect(w/2, 0, w, h)
	draw.Draw(frame, photo, testpic.Photo(w-w/2, h), image.Point{}, draw.Src)
	card := image.Rect(w*6/10, h/2, w*9/10, h*8/10)
	draw.Draw(frame, card, testpic.Dashboard(card.Dx(), card.Dy()), image.Point{}, draw.Src)
	regions.Add(Region{Rect: photo, Photo: true})
	regions.Add(Region{Rect: card})
	return frame, regions
}

func TestPhotosStayInTheirRectangle(t *testing.T) {
	frame, regions := wall(200, 120)
	photo, card := regions.List()[0].Rect, regions.List()[1].Rect
	for _, name := range []string{"bw", "gray4", "spectra6"} {
		for _, how := range []Dither{Diffuse, Ordered} {
			q := New(named(t, name), frame.Rect.Size(), how)
			flat, mixed, alone := q.NewPicture(), q.NewPicture(), q.NewPicture()
			q.Quantize(flat, frame, nil)
			q.Quantize(mixed, frame, regions.List())
			blank := image.NewRGBA(frame.Rect)
			draw.Draw(blank, photo, frame, photo.Min, draw.Src)
			q.Quantize(alone, blank, regions.List())
			differ := 0
			for y := range 120 {
				for x := range 200 {
					at := image.Pt(x, y)
					got := mixed.ColorIndexAt(x, y)
					if at.In(photo) && !at.In(card) {
						if got != flat.ColorIndexAt(x, y) {
							differ++
						}
						if want := alone.ColorIndexAt(x, y); got != want {
							t.Fatalf("%s: the photo at %v depends on what is beside it: %d and %d", name, at, got, want)
						}
					} else if want := flat.ColorIndexAt(x, y); got != want {
						t.Fatalf("%s: %v is no photo: got %d, want %d", name, at, got, want)
					}
				}
			}
			if differ < 1000 {
				t.Errorf("%s: %d pixels of the photo are dithered", name, differ)
			}
		}
	}
}

// Seen from far away, a dithered photo has the same brightness as the original, within the range of the inks.
func TestPhotosKeepTheirTone(t *testing.T) {
	const side, most = 24, unit / 24
	for _, name := range Names() {
		for _, how := range []Dither{Diffuse, Ordered} {
			p := named(t, name)
			if how == Diffuse && len(p.Inks) == 2 || how == Ordered && !p.Gray() {
				continue // Atkinson's weights drop a quarter of each error, and the pattern of Ordered is exact only for gray inks
			}
			q := New(p, image.Pt(side, side), how)
			frame, dst := image.NewRGBA(image.Rect(0, 0, side, side)), q.NewPicture()
			for _, v := range []uint8{40, 90, 128, 180, 220} {
				draw.Draw(frame, frame.Rect, image.NewUniform(color.RGBA{v, v, v, 255}), image.Point{}, draw.Src)
				q.Quantize(dst, frame, []Region{{Rect: frame.Rect, Photo: true}})
				var sum light
				for _, i := range dst.Pix {
					for c := range sum {
						sum[c] += q.photo.inks[i][c]
					}
				}
				want := q.photo.toned([]uint8{v, v, v})
				for c := range sum {
					if got := sum[c] / side / side; abs(int(got-want[c])) > most {
						t.Errorf("%s, way %d, gray %d, channel %d: got %d, want %d", name, how, v, c, got, want[c])
					}
				}
			}
		}
	}
}

func TestCaptionsInPhotosAreInks(t *testing.T) {
	frame := testpic.Photo(120, 80)
	box := image.Rect(20, 20, 100, 60)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			v := uint8(255 * (x / 8 % 2))
			frame.SetRGBA(x, y, color.RGBA{v, v, v, 255})
		}
	}
	for _, how := range []Dither{Diffuse, Ordered} {
		q := New(named(t, "spectra6"), frame.Rect.Size(), how)
		dst := q.NewPicture()
		q.Quantize(dst, frame, []Region{{Rect: frame.Rect, Photo: true}})
		for y := box.Min.Y; y < box.Max.Y; y++ {
			for x := box.Min.X; x < box.Max.X; x++ {
				if got, want := dst.ColorIndexAt(x, y), uint8(x/8%2); got != want {
					t.Fatalf("%d,%d: got ink %d, want %d", x, y, got, want)
				}
			}
		}
	}
}

// With a pattern, no pixel depends on another pixel, so a display can refresh only a part.
func TestOrderedIsLocal(t *testing.T) {
	a, b := testpic.Photo(100, 60), testpic.Photo(100, 60)
	draw.Draw(b, image.Rect(10, 10, 20, 20), image.NewUniform(color.RGBA{90, 30, 160, 255}), image.Point{}, draw.Src)
	q := New(named(t, "bw"), a.Rect.Size(), Ordered)
	one, two := q.NewPicture(), q.NewPicture()
	q.Quantize(one, a, []Region{{Rect: a.Rect, Photo: true}})
	q.Quantize(two, b, []Region{{Rect: a.Rect, Photo: true}})
	for i := range one.Pix {
		if at := image.Pt(i%100, i/100); one.Pix[i] != two.Pix[i] && !at.In(image.Rect(10, 10, 20, 20)) {
			t.Fatalf("%v changed", at)
		}
	}
}

func TestWrongSizesPanic(t *testing.T) {
	defer func() {
		if v, _ := recover().(string); !strings.Contains(v, "quantizer of (10,10)") {
			t.Errorf("got %v", v)
		}
	}()
	q := New(named(t, "bw"), image.Pt(10, 10), Diffuse)
	q.Quantize(q.NewPicture(), image.NewRGBA(image.Rect(0, 0, 11, 10)), nil)
}

func TestQuantizeAllocatesNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	frame, regions := wall(200, 120)
	for _, name := range []string{"bw", "spectra6"} {
		for _, how := range []Dither{Diffuse, Ordered} {
			q := New(named(t, name), frame.Rect.Size(), how)
			dst, packed := q.NewPicture(), make([]byte, 120*Stride(200, 4))
			if n := testing.AllocsPerRun(5, func() {
				q.Quantize(dst, frame, regions.List())
				Pack(packed, dst, dst.Rect, q.Palette().Bits(), nil)
			}); n != 0 {
				t.Errorf("%s: %v allocations", name, n)
			}
		}
	}
}

func TestGolden(t *testing.T) {
	frame, regions := wall(480, 280)
	for _, name := range Names() {
		for how, suffix := range []string{"", "-ordered"} {
			q := New(named(t, name), frame.Rect.Size(), Dither(how))
			dst := q.NewPicture()
			q.Quantize(dst, frame, regions.List())
			shown := image.NewRGBA(dst.Rect)
			draw.Draw(shown, shown.Rect, dst, image.Point{}, draw.Src)
			golden.Compare(t, name+suffix, shown)
		}
	}
}

func BenchmarkQuantize(b *testing.B) {
	frame, regions := wall(800, 480)
	photo := []Region{{Rect: frame.Rect, Photo: true}}
	for _, bc := range []struct {
		name, palette string
		how           Dither
		regions       []Region
	}{
		{"flat-bw", "bw", Diffuse, nil},
		{"flat-spectra6", "spectra6", Diffuse, nil},
		{"half-spectra6", "spectra6", Diffuse, regions.List()},
		{"photo-bw", "bw", Diffuse, photo},
		{"photo-spectra6", "spectra6", Diffuse, photo},
		{"photo-gray16", "gray16", Diffuse, photo},
		{"ordered-bw", "bw", Ordered, photo},
	} {
		b.Run(bc.name, func(b *testing.B) {
			q := New(named(b, bc.palette), frame.Rect.Size(), bc.how)
			dst := q.NewPicture()
			b.ReportAllocs()
			for b.Loop() {
				q.Quantize(dst, frame, bc.regions)
			}
		})
	}
}
