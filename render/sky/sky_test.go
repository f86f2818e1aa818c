package sky

import (
	"image"
	"image/color"
	"math"
	"testing"
)

// plain() paints the same sky as Paint, one pixel at a time.
func plain(g *Gradient, dst *image.RGBA, clip, all image.Rectangle) {
	for y := clip.Min.Y; y < clip.Max.Y; y++ {
		for x := clip.Min.X; x < clip.Max.X; x++ {
			if !image.Pt(x, y).In(all) || !image.Pt(x, y).In(dst.Rect) {
				continue
			}
			c, up := g.at(y-all.Min.Y, all.Dy()), uint32(bayer[y&7][x&7])*4
			dst.SetRGBA(x, y, color.RGBA{uint8((c[0] + up) >> 8), uint8((c[1] + up) >> 8), uint8((c[2] + up) >> 8), 255})
		}
	}
}

// TestPaintIsPlain compares the fast version with the plain version, in clips at odd places.
func TestPaintIsPlain(t *testing.T) {
	var g Gradient
	g.Set(4, 0.3, Light{})
	all := image.Rect(3, 2, 203, 122)
	for _, clip := range []image.Rectangle{
		all, image.Rect(0, 0, 300, 300), image.Rect(5, 9, 6, 10), image.Rect(11, 3, 18, 90), image.Rect(101, 40, 190, 41), image.Rect(50, 50, 50, 60), image.Rect(-9, -9, 2, 2),
	} {
		got, want := image.NewRGBA(image.Rect(0, 0, 220, 140)), image.NewRGBA(image.Rect(0, 0, 220, 140))
		g.Paint(got, clip, all)
		plain(&g, want, clip, all)
		for i := range got.Pix {
			if got.Pix[i] != want.Pix[i] {
				t.Fatalf("clip %v: pixel %d is %d, want %d", clip, i/4, got.Pix[i], want.Pix[i])
			}
		}
	}
}

// TestPaintInParts: if the sky is painted in adjacent clips, the dither pattern continues across their edges.
func TestPaintInParts(t *testing.T) {
	var g Gradient
	g.Set(-3, 0, Light{})
	all := image.Rect(0, 0, 100, 60)
	whole, parts := image.NewRGBA(all), image.NewRGBA(all)
	g.Paint(whole, all, all)
	for x := 0; x < 100; x += 13 {
		for y := 0; y < 60; y += 7 {
			g.Paint(parts, image.Rect(x, y, x+13, y+7), all)
		}
	}
	for i := range whole.Pix {
		if whole.Pix[i] != parts.Pix[i] {
			t.Fatalf("pixel %d: %d in one, %d in parts", i/4, whole.Pix[i], parts.Pix[i])
		}
	}
}

func luminance(c color.RGBA) float64 {
	f := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*f(c.R) + 0.7152*f(c.G) + 0.0722*f(c.B)
}

// TestLight: for every height of the sun and any share of clouds, the sky stays within the range of
// luminance for the texts. The tolerance is one level of a channel.
func TestLight(t *testing.T) {
	for _, l := range []Light{{}, {Most: 0.03}, {Least: 0.75}, {Least: 0.9}, {Most: 0.005}} {
		for height := -90.0; height <= 90; height += 3.7 {
			for clouds := 0.0; clouds <= 1; clouds += 0.25 {
				var g Gradient
				g.Set(height, clouds, l)
				all := image.Rect(0, 0, 8, 64)
				m := image.NewRGBA(all)
				g.Paint(m, all, all)
				for i := 0; i < len(m.Pix); i += 4 {
					y := luminance(color.RGBA{m.Pix[i], m.Pix[i+1], m.Pix[i+2], 255})
					if l.Most > 0 && y > l.Most+0.003 || y < l.Least-0.012 {
						t.Fatalf("%+v at %.0f°, clouds %.2f: luminance %.4f", l, height, clouds, y)
					}
				}
			}
		}
	}
}

// TestSet: a second call of Set with the same height of the sun reports no change. A small movement
// of the sun changes each color by a few levels.
func TestSet(t *testing.T) {
	var g Gradient
	if !g.Set(3, 0, Light{}) || g.Set(3, 0, Light{}) {
		t.Error("a change is not told from none")
	}
	for height := -30.0; height < 70; height += 0.25 { // a step of one minute: at the equator, the sun moves this far in a minute
		before := g
		g.Set(height, 0, Light{})
		for i := range g.rows {
			for k := range g.rows[i] {
				if d := int(g.rows[i][k]/deep) - int(before.rows[i][k]/deep); height > -29 && (d > 8 || d < -8) {
					t.Fatalf("at %.2f° row %d jumps by %d levels", height, i, d)
				}
			}
		}
	}
}

func TestPaintAllocatesNothing(t *testing.T) {
	var g Gradient
	m := image.NewRGBA(image.Rect(0, 0, 640, 360))
	if n := testing.AllocsPerRun(5, func() { g.Set(10, 0.5, Light{Most: 0.04}); g.Paint(m, m.Rect, m.Rect) }); n != 0 {
		t.Errorf("got %v allocations", n)
	}
}

// BenchmarkSky computes the colors of a sky and paints it at 1080p.
func BenchmarkSky(b *testing.B) {
	var g Gradient
	m := image.NewRGBA(image.Rect(0, 0, 1920, 1080))
	for i := 0; b.Loop(); i++ {
		g.Set(float64(i%90), 0.4, Light{Most: 0.04})
		g.Paint(m, m.Rect, m.Rect)
	}
}
