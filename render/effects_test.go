package render

import (
	"image"
	"image/draw"
	"testing"
)

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
