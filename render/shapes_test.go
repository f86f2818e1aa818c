package render

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"strings"
	"testing"
)

var (
	white = color.RGBA{255, 255, 255, 255}
	glass = color.RGBA{60, 20, 0, 120} // premultiplied
)

// noise fills a picture with opaque pixels that differ everywhere.
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

// worst returns the largest difference of a channel, and where it is.
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
		if d, at := worst(got, want); d > 1 { // draw works in 16 bits and truncates
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

// roundCoverage is the share of pixel (x,y) in a rounded rectangle of size s, by 16x16 samples.
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

// cornerTolerance, of 255: coverage by distance is exact for straight edges only.
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

// byClips paints with f through every tile of the canvas on its own.
func byClips(c Canvas, tile int, f func(Canvas)) {
	all := c.Clip
	for y := all.Min.Y; y < all.Max.Y; y += tile {
		for x := all.Min.X; x < all.Max.X; x += tile {
			part := c
			part.Clip = image.Rect(x, y, x+tile, y+tile).Intersect(all)
			f(part)
		}
	}
}

func TestClipsAddUp(t *testing.T) {
	size := image.Pt(50, 40)
	cell := image.Rect(3, 4, 47, 38)
	content := noise(cell.Size())
	stencil, shadow := NewStencil(9, cell.Size()), NewShadow(cell.Size(), 2)
	painters := map[string]func(Canvas){
		"round": func(c Canvas) { c.FillRound(image.Rect(0, 0, 30, 30), NewCorner(8, image.Pt(30, 30)), glass) },
		"stencil": func(c Canvas) {
			stencil.Save(c)
			c.Image(image.Point{}, content, true)
			stencil.Restore(c)
		},
		"shadow": func(c Canvas) {
			l := shadow.Begin(c)
			l.Fill(image.Rect(10, 10, 20, 20), white)
			l.Fill(image.Rect(30, -5, 32, 12), white)
			shadow.End(c)
		},
	}
	for name, paint := range painters {
		t.Run(name, func(t *testing.T) {
			whole, parts := noise(size), noise(size)
			paint(NewCanvas(whole).In(cell))
			byClips(NewCanvas(parts).In(cell), 7, paint)
			if d, at := worst(whole, parts); d != 0 {
				t.Errorf("painted by clips differs by %d at %v", d, at)
			}
			outside := noise(size)
			draw.Draw(outside, cell, whole, cell.Min, draw.Src)
			if d, at := worst(outside, whole); d != 0 {
				t.Errorf("touched %v outside the cell", at)
			}
		})
	}
}

func TestStencilKeepsWhatIsOutside(t *testing.T) {
	size := image.Pt(30, 30)
	under := noise(size)
	m := clone(under)
	s := NewStencil(15, size)
	c := NewCanvas(m)
	s.Save(c)
	c.Fill(m.Rect, white)
	s.Restore(c)
	for y := range size.Y {
		for x := range size.X {
			share := roundCoverage(size, 15, x, y)
			want := share*255 + (1-share)*float64(under.RGBAAt(x, y).R)
			if got := float64(m.RGBAAt(x, y).R); got-want > cornerTolerance || want-got > cornerTolerance {
				t.Fatalf("pixel %d,%d: got %v, want %.0f", x, y, got, want)
			}
		}
	}
}

func TestNilStencilDoesNothing(t *testing.T) {
	m := noise(image.Pt(8, 8))
	before := clone(m)
	s := NewStencil(0, image.Pt(8, 8))
	if s != nil {
		t.Fatal("radius 0: got a stencil, want nil")
	}
	s.Save(NewCanvas(m))
	s.Restore(NewCanvas(m))
	if d, _ := worst(m, before); d != 0 {
		t.Error("a nil stencil changed pixels")
	}
}

// plainShadow is what a shadow is by definition: the silhouette weighted over both axes at once.
func plainShadow(layer *image.RGBA, x, y, times int) float64 {
	solidAt := func(x, y int) bool { return layer.RGBAAt(x, y).A > solid }
	if solidAt(x, y) {
		return 0
	}
	var sum float64
	for j, wy := range kernel {
		for i, wx := range kernel {
			if solidAt(x+i-ShadowReach, y+j-ShadowReach) {
				sum += float64(wx*wy) / (256 * 256)
			}
		}
	}
	light := 1.0
	for range times {
		light *= 1 - sum
	}
	return 1 - light
}

func TestShadowAgainstDefinition(t *testing.T) {
	size := image.Pt(40, 30)
	for _, times := range []int{1, 3} {
		m := image.NewRGBA(image.Rectangle{Max: size})
		NewCanvas(m).Fill(m.Rect, white)
		s := NewShadow(size, times)
		paint := func(c Canvas) { c.FillRound(image.Rect(12, 10, 28, 22), NewCorner(4, image.Pt(16, 12)), white) }
		paint(s.Begin(NewCanvas(m)))
		s.End(NewCanvas(m))
		for y := range size.Y {
			for x := range size.X {
				if a := s.layer.RGBAAt(x, y).A; a != 0 {
					continue // the content itself
				}
				want := 255 * (1 - plainShadow(s.layer, x, y, times))
				if got := float64(m.RGBAAt(x, y).R); got-want > 4 || want-got > 4 {
					t.Fatalf("times %d, pixel %d,%d: got %v, want %.1f", times, x, y, got, want)
				}
			}
		}
	}
}

// The layer of a shadow may hold anything where the content was out of view when it changed.
func TestShadowForgetsWhatWasOutOfView(t *testing.T) {
	size := image.Pt(40, 20)
	fresh, stale := NewShadow(size, 3), NewShadow(size, 3)
	for i := range stale.layer.Pix {
		stale.layer.Pix[i] = 255
	}
	draws := func(s *Shadow) *image.RGBA {
		m := image.NewRGBA(image.Rectangle{Max: size})
		c := NewCanvas(m)
		c.Fill(m.Rect, white)
		c.Clip = image.Rect(10, 0, 25, 20)
		s.Begin(c).Fill(image.Rect(26, 4, 30, 9), white)
		s.End(c)
		return m
	}
	if d, at := worst(draws(fresh), draws(stale)); d != 0 {
		t.Errorf("shadow depends on what the layer held before: differs by %d at %v", d, at)
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

func TestMul255(t *testing.T) {
	for a := range 256 {
		for b := range 256 {
			if got, want := int(mul255(uint8(a), uint8(b))), (2*a*b+255)/510; got != want {
				t.Fatalf("%d*%d/255: got %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestPaintAllocatesNothing(t *testing.T) {
	size := image.Pt(64, 48)
	m := image.NewRGBA(image.Rectangle{Max: size})
	c, k := NewCanvas(m), NewCorner(9, size)
	st, sh := NewStencil(9, size), NewShadow(size, 1)
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

func BenchmarkShadow(b *testing.B) {
	size := image.Pt(640, 360)
	m := image.NewRGBA(image.Rectangle{Max: size})
	c, s := NewCanvas(m), NewShadow(size, 3)
	b.ReportAllocs()
	for b.Loop() {
		s.Begin(c).Fill(image.Rect(50, 50, 600, 300), white)
		s.End(c)
	}
}
