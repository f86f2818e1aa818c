package render

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestClipsAddUp(t *testing.T) {
	size := image.Pt(50, 40)
	cell := image.Rect(3, 4, 47, 38)
	content := noise(cell.Size())
	stencil, shadow := NewStencil(9, cell.Size()), NewShadow(cell.Size(), Gaussian(5), 2)
	card := NewCardShadow(image.Pt(20, 15), 3, 2)
	push, fade := NewTransition(cell.Size(), Push, Up), NewTransition(cell.Size(), Fade, Left)
	for _, l := range []*Layer{push.Last, push.Next, fade.Last, fade.Next} {
		l.Begin(l.Bounds(), image.Point{}).FillRound(image.Rect(2, 5, 30, 33), NewCorner(8, image.Pt(28, 28)), glass)
	}
	painters := map[string]func(Canvas){
		"round": func(c Canvas) { c.FillRound(image.Rect(0, 0, 30, 30), NewCorner(8, image.Pt(30, 30)), glass) },
		"stencil": func(c Canvas) {
			stencil.Save(c)
			c.Image(image.Point{}, content, true)
			stencil.Restore(c)
		},
		"card shadow": func(c Canvas) { c.CardShadow(card, image.Pt(10, 9), glass, image.Rect(12, 12, 20, 20)) },
		"push":        func(c Canvas) { push.Paint(c, 0.3) },
		"fade":        func(c Canvas) { fade.Paint(c, 0.4) },
		"faint layer": func(c Canvas) { fade.Next.Show(c, image.Pt(3, -4), 100) },
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

// byClips splits the clip of a canvas into tiles, and calls f for each tile.
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

// plainShadow computes a shadow from its definition. For each pixel, it adds the weighted pixels of the silhouette in a square around it.
func plainShadow(layer *image.RGBA, blur Blur, x, y, times int) float64 {
	solidAt := func(x, y int) bool { return layer.RGBAAt(x, y).A > solid }
	if solidAt(x, y) {
		return 0
	}
	var sum float64
	for j, wy := range blur.weights {
		for i, wx := range blur.weights {
			if solidAt(x+i-blur.Reach(), y+j-blur.Reach()) {
				sum += float64(wx) * float64(wy) / (blurWhole * blurWhole)
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
	size := image.Pt(70, 60)
	for name, blur := range map[string]Blur{"gaussian": Gaussian(5), "box": Box(5)} {
		for _, times := range []int{1, 3} {
			m := image.NewRGBA(image.Rectangle{Max: size})
			NewCanvas(m).Fill(m.Rect, white)
			s := NewShadow(size, blur, times)
			paint := func(c Canvas) { c.FillRound(image.Rect(18, 20, 48, 42), NewCorner(4, image.Pt(16, 12)), white) }
			paint(s.Begin(NewCanvas(m)))
			s.End(NewCanvas(m))
			for y := range size.Y {
				for x := range size.X {
					if a := s.layer.pic.RGBAAt(x, y).A; a != 0 {
						continue // skip the pixels of the content itself
					}
					want := 255 * (1 - plainShadow(s.layer.pic, blur, x, y, times))
					if got := float64(m.RGBAAt(x, y).R); got-want > 4 || want-got > 4 {
						t.Fatalf("%s, times %d, pixel %d,%d: got %v, want %.1f", name, times, x, y, got, want)
					}
				}
			}
		}
	}
}

// A deviation or a radius of 0 px counts as 1 px.
func TestLeastBlur(t *testing.T) {
	for name, blur := range map[string]func(int) Blur{"Gaussian": Gaussian, "Box": Box} {
		if got, want := blur(0).weights, blur(1).weights; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// A Gaussian blur reaches twice its standard deviation, as the shadow of a grid does in the program Grydgets. A box blur reaches its
// radius.
func TestShadowReach(t *testing.T) {
	if a, b := Gaussian(5).Reach(), Box(5).Reach(); a != 10 || b != 5 {
		t.Errorf("got %d and %d, want 10 and 5", a, b)
	}
}

// TestShadowIsKept moves and changes content at random, and draws it with a kept shadow and with a
// new shadow. Both pictures must always be equal.
func TestShadowIsKept(t *testing.T) {
	size := image.Pt(150, 90)
	rnd := rand.New(rand.NewPCG(4, 4))
	kept := NewShadow(size, Gaussian(5), 2)
	card := image.Rect(20, 20, 60, 50)
	for i := range 200 {
		if rnd.IntN(3) == 0 {
			card = image.Rect(rnd.IntN(150), rnd.IntN(90), rnd.IntN(150), rnd.IntN(90))
		}
		clip := image.Rect(rnd.IntN(150), rnd.IntN(90), rnd.IntN(150), rnd.IntN(90))
		draw := func(s *Shadow) *image.RGBA {
			m := noise(size)
			c := NewCanvas(m)
			c.Clip = clip
			s.Begin(c).Fill(card, white)
			s.End(c)
			return m
		}
		if d, at := worst(draw(kept), draw(NewShadow(size, Gaussian(5), 2))); d != 0 {
			t.Fatalf("round %d: differs by %d at %v", i, d, at)
		}
	}
	for i := range kept.known {
		kept.known[i] = true
	}
	c := NewCanvas(noise(size))
	kept.Begin(c).Fill(card, white)
	kept.End(c) // updates the stored silhouette
	for i := range kept.known {
		kept.known[i], kept.shade[i] = true, 7
	}
	kept.Begin(c).Fill(card, white)
	kept.End(c)
	if kept.shade[0] != 7 {
		t.Error("a shadow was made again though its silhouette stayed")
	}
}

// TestCardShadowAgainstDefinition compares a card's shadow with a blur of the rounded rectangle, pixel by pixel.
func TestCardShadowAgainstDefinition(t *testing.T) {
	for _, tc := range []struct {
		size   image.Point
		radius int
		sigma  float64
	}{{image.Pt(80, 60), 12, 4}, {image.Pt(21, 17), 8, 4}, {image.Pt(60, 9), 0, 3}, {image.Pt(1, 1), 5, 2}} {
		s := NewCardShadow(tc.size, tc.radius, tc.sigma)
		all := image.Rectangle{Max: tc.size}.Inset(-s.Reach())
		m := image.NewRGBA(all.Sub(all.Min))
		NewCanvas(m).CardShadow(s, image.Point{}.Sub(all.Min), color.RGBA{A: 255}, image.Rectangle{})
		radius := min(tc.radius, tc.size.X/2, tc.size.Y/2)
		covers := make([]float64, tc.size.X*tc.size.Y)
		for i := range covers {
			covers[i] = roundCoverage(tc.size, radius, i%tc.size.X, i/tc.size.X)
		}
		for y := all.Min.Y; y < all.Max.Y; y += 3 {
			for x := all.Min.X; x < all.Max.X; x += 2 {
				want := 0.0
				for v := max(0, y-s.Reach()); v < min(tc.size.Y, y+s.Reach()+1); v++ {
					for u := max(0, x-s.Reach()); u < min(tc.size.X, x+s.Reach()+1); u++ {
						weight := func(d int) float64 {
							return normal(float64(d)+0.5, tc.sigma) - normal(float64(d)-0.5, tc.sigma)
						}
						want += 255 * covers[v*tc.size.X+u] * weight(u-x) * weight(v-y)
					}
				}
				if got := float64(m.RGBAAt(x-all.Min.X, y-all.Min.Y).A); math.Abs(got-want) > 3 {
					t.Fatalf("%v: pixel %d,%d: got %v, want %.1f", tc, x, y, got, want)
				}
			}
		}
	}
}

func TestCardShadowHidden(t *testing.T) {
	s := NewCardShadow(image.Pt(60, 40), 6, 4)
	m := image.NewRGBA(image.Rect(0, 0, 100, 80))
	hidden := image.Rect(22, 22, 78, 58)
	NewCanvas(m).CardShadow(s, image.Pt(20, 20), color.RGBA{A: 200}, hidden)
	if a, b := m.RGBAAt(50, 40).A, m.RGBAAt(50, 20).A; a != 0 || b == 0 {
		t.Errorf("got %d inside and %d at the edge, want 0 inside only", a, b)
	}
}

// Changed content outside the clip is not painted, so the shadow's layer still has the old content there. The shadow must not depend on
// this old content.
func TestShadowForgetsWhatWasOutOfView(t *testing.T) {
	size := image.Pt(40, 20)
	fresh, stale := NewShadow(size, Gaussian(5), 3), NewShadow(size, Gaussian(5), 3)
	for i := range stale.layer.pic.Pix {
		stale.layer.pic.Pix[i] = 255
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
	c, s := NewCanvas(m), NewShadow(size, Gaussian(5), 3)
	b.ReportAllocs()
	for b.Loop() {
		s.Begin(c).Fill(image.Rect(50, 50, 600, 300), white)
		s.End(c)
	}
}

// BenchmarkCardShadows measures one frame of a moving wall with four cards.
func BenchmarkCardShadows(b *testing.B) {
	m := image.NewRGBA(image.Rect(0, 0, 1920, 1080))
	c, s := NewCanvas(m), NewCardShadow(image.Pt(400, 300), 12, 8)
	b.ReportAllocs()
	for b.Loop() {
		for i := range 4 {
			p := image.Pt(60+450*i, 200)
			c.CardShadow(s, p, color.RGBA{A: 120}, image.Rectangle{p, p.Add(image.Pt(400, 300))})
		}
	}
}
