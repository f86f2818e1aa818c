package render

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"strings"
	"testing"

	"dashboard/render/path"
)

var (
	white = color.RGBA{255, 255, 255, 255}
	glass = color.RGBA{60, 20, 0, 120} // premultiplied
)

// noise fills a picture with opaque pixels of random colors.
func noise(size image.Point) *image.RGBA {
	m := image.NewRGBA(image.Rectangle{Max: size})
	r := rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		m.Pix[i] = uint8(r.Uint32())
		if i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	return m
}

func clone(m *image.RGBA) *image.RGBA {
	c := *m
	c.Pix = append([]uint8(nil), m.Pix...)
	return &c
}

// worst returns the largest difference of a channel, and its place.
func worst(a, b *image.RGBA) (diff int, at image.Point) {
	for i := range a.Pix {
		d := int(a.Pix[i]) - int(b.Pix[i])
		if d = max(d, -d); d > diff {
			diff, at = d, image.Pt(i%a.Stride/4, i/a.Stride)
		}
	}
	return diff, at
}

func TestFillIsOver(t *testing.T) {
	for _, col := range []color.RGBA{white, glass, {}} {
		got := noise(image.Pt(40, 30))
		want := clone(got)
		c := NewCanvas(got).In(image.Rect(5, 5, 35, 25))
		c.Fill(image.Rect(-10, 3, 12, 900), col)
		draw.Draw(want, image.Rect(5, 8, 17, 25), image.NewUniform(col), image.Point{}, draw.Over)
		if d, at := worst(got, want); d > 1 { // image/draw computes with 16 bits and truncates
			t.Errorf("fill %v: differs from draw.Over by %d at %v", col, d, at)
		}
	}
}

func TestSetOverwritesAlpha(t *testing.T) {
	m := noise(image.Pt(9, 9))
	want := clone(m)
	NewCanvas(m).Set(image.Rect(2, 2, 5, 5), glass)
	draw.Draw(want, image.Rect(2, 2, 5, 5), image.NewUniform(glass), image.Point{}, draw.Src)
	if d, at := worst(m, want); d != 0 {
		t.Errorf("set differs from draw.Src by %d at %v", d, at)
	}
}

func TestImageIsOver(t *testing.T) {
	src := noise(image.Pt(20, 20))
	for i := 0; i < len(src.Pix); i += 4 {
		a := src.Pix[i+3] / 2 * uint8(i/4%2)
		src.Pix[i], src.Pix[i+1], src.Pix[i+2], src.Pix[i+3] = a/2, a, 0, a
	}
	for _, tc := range []struct {
		name   string
		opaque bool
		op     draw.Op
	}{{"blended", false, draw.Over}, {"copied", true, draw.Src}} {
		t.Run(tc.name, func(t *testing.T) {
			got := noise(image.Pt(40, 30))
			want := clone(got)
			c := NewCanvas(got).In(image.Rect(5, 5, 18, 20))
			c.Image(image.Pt(-3, 2), src, tc.opaque)
			draw.Draw(want, image.Rect(5, 7, 18, 20), src, image.Pt(3, 0), tc.op)
			if d, at := worst(got, want); d > 1 {
				t.Errorf("differs from draw by %d at %v", d, at)
			}
		})
	}
}

// roundCoverage returns the share of pixel (x,y) that a rounded rectangle of size s covers, computed from 16x16 samples.
func roundCoverage(s image.Point, radius, x, y int) float64 {
	const n = 16
	r, in := float64(radius), 0
	for i := range n * n {
		px, py := float64(x)+(float64(i%n)+0.5)/n, float64(y)+(float64(i/n)+0.5)/n
		dx := max(r-px, px-(float64(s.X)-r), 0)
		dy := max(r-py, py-(float64(s.Y)-r), 0)
		if dx*dx+dy*dy <= r*r {
			in++
		}
	}
	return float64(in) / (n * n)
}

// cornerTolerance is the greatest allowed error in levels of 255. There is an error because
// coverage by distance is exact only for straight edges.
const cornerTolerance = 12

func TestFillRoundAgainstSamples(t *testing.T) {
	for _, tc := range []struct{ w, h, radius int }{{40, 30, 10}, {41, 31, 3}, {20, 20, 10}, {21, 21, 99}, {64, 9, 4}, {10, 10, 1}} {
		t.Run(fmt.Sprint(tc), func(t *testing.T) {
			size := image.Pt(tc.w, tc.h)
			k := NewCorner(tc.radius, size)
			m := image.NewRGBA(image.Rectangle{Max: size})
			NewCanvas(m).FillRound(m.Rect, k, white)
			for y := range tc.h {
				for x := range tc.w {
					want := 255 * roundCoverage(size, k.Radius(), x, y)
					if got := float64(m.RGBAAt(x, y).A); got-want > cornerTolerance || want-got > cornerTolerance {
						t.Fatalf("pixel %d,%d: got %v, want %.0f", x, y, got, want)
					}
				}
			}
		})
	}
}

func TestPremultiply(t *testing.T) {
	for _, tc := range []struct {
		in   color.NRGBA
		want color.RGBA
	}{
		{color.NRGBA{10, 20, 30, 255}, color.RGBA{10, 20, 30, 255}},
		{color.NRGBA{255, 128, 0, 128}, color.RGBA{128, 64, 0, 128}},
		{color.NRGBA{255, 255, 255, 0}, color.RGBA{}},
	} {
		if got := Premultiply(tc.in); got != tc.want {
			t.Errorf("premultiply %v: got %v, want %v", tc.in, got, tc.want)
		}
	}
}

func TestPaintAllocatesNothing(t *testing.T) {
	size := image.Pt(64, 48)
	m := image.NewRGBA(image.Rectangle{Max: size})
	c, k := NewCanvas(m), NewCorner(9, size)
	st, sh := NewStencil(9, size), NewShadow(size, Box(5), 1)
	got := testing.AllocsPerRun(10, func() {
		st.Save(c)
		l := sh.Begin(c)
		l.FillRound(m.Rect, k, glass)
		sh.End(c)
		c.Image(image.Point{}, m, true)
		st.Restore(c)
	})
	if got != 0 {
		t.Errorf("got %v allocations, want 0", got)
	}
}

// ascii shows coverage as characters.
func ascii(m *image.RGBA) string {
	var b strings.Builder
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			b.WriteByte(".:+*#"[(int(m.RGBAAt(x, y).A)*4+127)/255])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func ExampleCanvas_FillRound() {
	m := image.NewRGBA(image.Rect(0, 0, 18, 10))
	c := NewCanvas(m)
	card := image.Rect(1, 1, 17, 9)
	c.FillRound(card, NewCorner(4, card.Size()), color.RGBA{255, 255, 255, 255})
	fmt.Print(ascii(m))
	// Output:
	// ..................
	// ..:*##########*:..
	// .:##############:.
	// .*##############*.
	// .################.
	// .################.
	// .*##############*.
	// .:##############:.
	// ..:*##########*:..
	// ..................
}

func BenchmarkFillRound(b *testing.B) {
	m := image.NewRGBA(image.Rect(0, 0, 640, 360))
	c, k := NewCanvas(m), NewCorner(20, m.Rect.Size())
	b.SetBytes(int64(len(m.Pix)))
	b.ReportAllocs()
	for b.Loop() {
		c.FillRound(m.Rect, k, white)
	}
}

// TestMaskAndShape checks that a mask and a shape are painted at the given place, and only inside the clip.
func TestMaskAndShape(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 20, 20))
	c := NewCanvas(m).In(image.Rect(5, 5, 15, 15))
	mask := image.NewAlpha(image.Rect(-1, -1, 2, 2))
	for i := range mask.Pix {
		mask.Pix[i] = 255
	}
	c.Mask(mask, image.Pt(0, 3), white) // the left column of the mask is cut off

	var p path.Path
	var r path.Raster
	var s path.Shape
	p.Rect(0, 0, 4, 2)
	r.Fill(&s, &p, image.Rect(0, 0, 4, 2))
	c.Shape(&s, image.Pt(7, 0), white) // the right column of the shape is cut off
	c.ShapeRows(&s, image.Pt(0, 9), []color.RGBA{white, white})
	for _, tc := range []struct {
		at   image.Point
		want uint8
	}{
		{image.Pt(4, 8), 0}, {image.Pt(5, 7), 255}, {image.Pt(6, 9), 255}, {image.Pt(7, 8), 0}, {image.Pt(5, 10), 0},
		{image.Pt(12, 5), 255}, {image.Pt(14, 6), 255}, {image.Pt(15, 5), 0}, {image.Pt(11, 5), 0}, {image.Pt(12, 7), 0},
		{image.Pt(5, 14), 255}, {image.Pt(5, 15), 0},
	} {
		if got := m.RGBAAt(tc.at.X, tc.at.Y).A; got != tc.want {
			t.Errorf("%v: got %d, want %d", tc.at, got, tc.want)
		}
	}
}
