package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	webcolors "image/color/palette"
	"image/draw"
	"math/rand/v2"
	"testing"

	xdraw "golang.org/x/image/draw"
)

// photo is a smooth colored pattern with a sharp disc. If `alpha` is true, it also has a transparent corner.
func photo(w, h int, alpha bool) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{uint8(x * 255 / w), uint8(y * 255 / h), uint8((x + y) * 255 / (w + h)), 255}
			if dx, dy := x-w/2, y-h/2; dx*dx+dy*dy < w*h/16 {
				c = color.NRGBA{250, 250, 20, 255}
			}
			if alpha {
				c.A = uint8(255 * min(x, y) / max(w, h))
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

// TestFilterEqualsCatmullRom compares filter() with Catmull-Rom of golang.org/x/image at the same size. If pixels are averaged first, the
// kernels differ a little, so these cases have a greater tolerance. `mean` bounds the mean error of all channels, and `worst` bounds the
// error of one channel.
func TestFilterEqualsCatmullRom(t *testing.T) {
	tests := []struct {
		name      string
		from, to  image.Point
		alpha     bool
		mean      float64
		worst     int
		describes string
	}{
		{"enlarge", image.Pt(40, 30), image.Pt(133, 97), false, 0.25, 1, "x/image truncates"},
		{"enlarge with alpha", image.Pt(40, 30), image.Pt(133, 97), true, 0.25, 1, "x/image truncates"},
		{"shrink below the averaging", image.Pt(320, 240), image.Pt(200, 131), false, 0.25, 1, "x/image truncates"},
		{"one side grows", image.Pt(320, 40), image.Pt(200, 131), true, 0.25, 1, "x/image truncates"},
		{"shrink by 5", image.Pt(1000, 700), image.Pt(200, 140), false, 0.6, 24, "two pixels averaged first"},
		{"shrink by 33, odd rest", image.Pt(1000, 701), image.Pt(30, 21), true, 1.2, 24, "16 pixels averaged first"},
		{"to one pixel", image.Pt(99, 70), image.Pt(1, 1), false, 6, 9, "three averages a side"},
		{"from one pixel", image.Pt(1, 1), image.Pt(9, 5), false, 0, 0, "flat"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := photo(tt.from.X, tt.from.Y, tt.alpha)
			got := scale(src, tt.to, image.Rectangle{Max: tt.to}, true)
			want := image.NewRGBA(image.Rectangle{Max: tt.to})
			xdraw.CatmullRom.Scale(want, want.Rect, src, src.Rect, xdraw.Src, nil)
			mean, worst := difference(got, want)
			t.Logf("mean %.4f, worst %d (%s)", mean, worst, tt.describes)
			if mean > tt.mean || worst > tt.worst {
				t.Errorf("got mean %.4f, worst %d, want at most %.2f, %d", mean, worst, tt.mean, tt.worst)
			}
		})
	}
}

// Scale paints the same pixels as a decoder into a part of a larger picture. This also holds for a source whose bounds do not begin at
// 0,0. The pixels around the part do not change.
func TestScaleIntoPart(t *testing.T) {
	rgba := func(m *image.NRGBA) *image.RGBA {
		out := image.NewRGBA(m.Rect)
		draw.Draw(out, out.Rect, m, m.Rect.Min, draw.Src)
		return out
	}
	src := rgba(photo(40, 30, true))
	want := scale(src, image.Pt(66, 20), image.Rect(0, 0, 66, 20), true)
	src.Rect = src.Rect.Add(image.Pt(-7, 9))
	whole, at := rgba(photo(100, 50, false)), image.Rect(3, 11, 69, 31)
	expected := rgba(photo(100, 50, false))
	draw.Draw(expected, at, want, image.Point{}, draw.Src)
	Scale(whole.SubImage(at).(*image.RGBA), src)
	if _, worst := difference(whole, expected); worst != 0 {
		t.Errorf("the colors differ by up to %d", worst)
	}
}

func difference(a, b *image.RGBA) (mean float64, worst int) {
	sum := 0
	for i := range a.Pix {
		d := max(int(a.Pix[i])-int(b.Pix[i]), int(b.Pix[i])-int(a.Pix[i]))
		sum += d
		worst = max(worst, d)
	}
	return float64(sum) / float64(len(a.Pix)), worst
}

// TestWindowEqualsCut: if only a part of the picture is scaled, its pixels equal the same part of the whole scaled picture.
func TestWindowEqualsCut(t *testing.T) {
	src := photo(300, 200, true)
	for _, virt := range []image.Point{{700, 450}, {50, 30}, {300, 200}} {
		for _, smooth := range []bool{true, false} {
			whole := scale(src, virt, image.Rectangle{Max: virt}, smooth)
			win := image.Rect(virt.X/3, virt.Y/5, virt.X/2, virt.Y-3)
			got := scale(src, virt, win, smooth)
			for y := range win.Dy() {
				for x := range win.Dx() {
					if g, w := got.RGBAAt(x, y), whole.RGBAAt(x+win.Min.X, y+win.Min.Y); g != w {
						t.Fatalf("%v smooth %v at %d,%d: got %v, want %v", virt, smooth, x, y, g, w)
					}
				}
			}
		}
	}
}

// TestFlatStaysFlat: a picture of one color keeps this color at any ratio, because the weights add up to exactly 1.
func TestFlatStaysFlat(t *testing.T) {
	for _, c := range []color.RGBA{{255, 255, 255, 255}, {1, 127, 254, 255}, {3, 2, 1, 9}, {}} {
		src := image.NewRGBA(image.Rect(5, 7, 104, 74))
		draw.Draw(src, src.Rect, image.NewUniform(c), image.Point{}, draw.Src)
		for _, virt := range []image.Point{{400, 300}, {98, 66}, {31, 17}, {3, 200}, {1, 1}} {
			got := scale(src, virt, image.Rectangle{Max: virt}, true)
			for i := 0; i < len(got.Pix); i += 4 {
				if g := (color.RGBA{got.Pix[i], got.Pix[i+1], got.Pix[i+2], got.Pix[i+3]}); g != c {
					t.Fatalf("%v: got %v, want %v", virt, g, c)
				}
			}
		}
	}
}

// TestColorsStayBelowAlpha: the kernel overshoots at edges, but no premultiplied color may exceed its alpha.
func TestColorsStayBelowAlpha(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	src := image.NewNRGBA(image.Rect(0, 0, 37, 29))
	for i := range src.Pix {
		src.Pix[i] = uint8(r.IntN(2) * 255)
	}
	for _, virt := range []image.Point{{100, 90}, {20, 11}} {
		got := scale(src, virt, image.Rectangle{Max: virt}, true)
		for i := 0; i < len(got.Pix); i += 4 {
			if p := got.Pix[i : i+4]; max(p[0], p[1], p[2]) > p[3] {
				t.Fatalf("%v: got %v, a color above its alpha", virt, p)
			}
		}
	}
}

// TestScaleTakesEveryImage: the row reader converts any color model.
func TestScaleTakesEveryImage(t *testing.T) {
	r := image.Rect(3, 4, 43, 34)
	gray := image.NewGray(r)
	ycc := image.NewYCbCr(r, image.YCbCrSubsampleRatio420)
	pal := image.NewPaletted(r, color.Palette{color.Black, color.White, color.Transparent})
	for i := range gray.Pix {
		gray.Pix[i] = uint8(i)
	}
	for i := range ycc.Y {
		ycc.Y[i] = uint8(i)
	}
	for i := range pal.Pix {
		pal.Pix[i] = uint8(i % 3)
	}
	for _, src := range []image.Image{gray, ycc, pal, image.NewCMYK(r), image.NewNRGBA64(r), image.NewGray16(r)} {
		t.Run(fmt.Sprintf("%T", src), func(t *testing.T) {
			plain := image.NewRGBA(image.Rect(0, 0, 40, 30))
			draw.Draw(plain, plain.Rect, src, r.Min, draw.Src)
			virt := image.Pt(11, 8)
			got, want := scale(src, virt, image.Rectangle{Max: virt}, true), scale(plain, virt, image.Rectangle{Max: virt}, true)
			if _, worst := difference(got, want); worst != 0 {
				t.Errorf("got a difference of %d, want none", worst)
			}
		})
	}
}

func BenchmarkScale(b *testing.B) {
	src := image.NewYCbCr(image.Rect(0, 0, 4000, 3000), image.YCbCrSubsampleRatio420)
	for _, virt := range []image.Point{{1440, 1080}, {640, 480}} {
		b.Run(fmt.Sprint(virt.X), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				scale(src, virt, image.Rectangle{Max: virt}, true)
			}
		})
	}
}

// TestUnsmoothed compares unsmoothed with draw.NearestNeighbor of golang.org/x/image, for all kinds of pictures that are decoded.
func TestUnsmoothed(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	box := image.Rect(3, 2, 40, 31)
	sources := []image.Image{
		image.NewRGBA(box), image.NewNRGBA(box), image.NewGray(box), image.NewNRGBA64(box), image.NewRGBA64(box), image.NewGray16(box),
		image.NewCMYK(box), image.NewPaletted(box, webcolors.WebSafe), image.NewYCbCr(box, image.YCbCrSubsampleRatio444),
		image.NewYCbCr(box, image.YCbCrSubsampleRatio422), image.NewYCbCr(box, image.YCbCrSubsampleRatio420),
		image.NewYCbCr(box, image.YCbCrSubsampleRatio440), image.NewNYCbCrA(box, image.YCbCrSubsampleRatio420),
	}
	for _, src := range sources {
		randomize(r, src)
		for range 20 {
			virt := image.Pt(1+r.IntN(90), 1+r.IntN(90))
			at := image.Pt(r.IntN(virt.X), r.IntN(virt.Y))
			win := image.Rectangle{Min: at, Max: at.Add(image.Pt(1+r.IntN(virt.X-at.X), 1+r.IntN(virt.Y-at.Y)))}
			got, want := image.NewRGBA(image.Rectangle{Max: win.Size()}), image.NewRGBA(image.Rectangle{Max: win.Size()})
			unsmoothed(got, src, virt, win.Min)
			xdraw.NearestNeighbor.Scale(want, image.Rectangle{Max: virt}.Sub(win.Min), src, box, xdraw.Src, nil)
			if !bytes.Equal(got.Pix, want.Pix) {
				t.Fatalf("%T to %v, part %v: the pixels differ", src, virt, win)
			}
		}
	}
}

// randomize fills the bytes of a picture. RGBA pictures get valid premultiplied colors.
func randomize(r *rand.Rand, m image.Image) {
	fill := func(p []byte) {
		for i := range p {
			p[i] = uint8(r.Uint32())
		}
	}
	switch m := m.(type) {
	case *image.YCbCr:
		fill(m.Y)
		fill(m.Cb)
		fill(m.Cr)
	case *image.NYCbCrA:
		fill(m.Y)
		fill(m.Cb)
		fill(m.Cr)
		fill(m.A)
	case draw.Image:
		for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
			for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
				v := r.Uint64()
				m.Set(x, y, color.NRGBA64{uint16(v), uint16(v >> 16), uint16(v >> 32), uint16(v >> 48)})
			}
		}
	}
}
