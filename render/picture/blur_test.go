package picture

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
)

// plainBlur is the reference for a box blur: it adds each box pixel by pixel, with floating point numbers.
func plainBlur(m *image.RGBA, radius int) []float64 {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	out := make([]float64, 4*w*h)
	for i, v := range m.Pix {
		out[i] = float64(v)
	}
	pass := func(n, lines, step, line int) {
		from := append([]float64(nil), out...)
		for at := range lines {
			for i := range n {
				for c := range 4 {
					sum := 0.0
					for k := i - radius; k <= i+radius; k++ {
						place := k
						for place < 0 || place >= n {
							if place < 0 {
								place = -1 - place
							} else {
								place = 2*n - 1 - place
							}
						}
						sum += from[at*line+place*step+c]
					}
					out[at*line+i*step+c] = sum / float64(2*radius+1)
				}
			}
		}
	}
	for range 3 {
		pass(w, h, 4, 4*w)
	}
	for range 3 {
		pass(h, w, 4*w, 4)
	}
	return out
}

func noise(size image.Point) *image.RGBA {
	m, r := image.NewRGBA(image.Rectangle{Max: size}), rand.New(rand.NewPCG(1, 2))
	for y := range size.Y {
		for x := range size.X {
			m.Set(x, y, color.NRGBA{uint8(r.UintN(256)), uint8(r.UintN(256)), uint8(r.UintN(256)), uint8(r.UintN(256))})
		}
	}
	return m
}

func blurred(m *image.RGBA, sigma float64) *Picture {
	p := &Picture{Frames: []Frame{{Img: m}}, Rect: m.Rect, Drawing: true}
	p.Blur(sigma)
	return p
}

func TestBlurAgainstThePlainOne(t *testing.T) {
	for _, size := range []image.Point{{37, 23}, {1, 9}, {9, 1}, {5, 4}} {
		for _, sigma := range []float64{0.8, 1, 3, 8, 30} {
			m := noise(size)
			want := plainBlur(m, boxRadius(sigma))
			blurred(m, sigma)
			for i, v := range m.Pix {
				if math.Abs(float64(v)-want[i]) > 1.1 {
					t.Fatalf("%v by %v: byte %d is %d, want %.2f", size, sigma, i, v, want[i])
				}
				if v > m.Pix[i|3] {
					t.Fatalf("%v by %v: byte %d is %d, above its alpha", size, sigma, i, v)
				}
			}
		}
	}
}

func TestBlurOfOnePixel(t *testing.T) {
	const side, sigma = 41, 2.0
	m := image.NewRGBA(image.Rect(0, 0, side, side))
	for y := 18; y < 23; y++ {
		for x := 18; x < 23; x++ {
			m.SetRGBA(x, y, color.RGBA{255, 255, 255, 255})
		}
	}
	blurred(m, sigma)
	sum := 0
	for y := range side {
		for x := range side {
			v := m.RGBAAt(x, y).R
			sum += int(v)
			if v != m.RGBAAt(side-1-x, y).R || v != m.RGBAAt(x, side-1-y).R {
				t.Fatalf("%d,%d is not as its mirror images are", x, y)
			}
			if d := int(v) - int(m.RGBAAt(y, x).R); d < -1 || d > 1 {
				t.Fatalf("%d,%d and %d,%d differ by %d", x, y, y, x, d)
			}
		}
	}
	if whole := 25 * 255; sum < whole*98/100 || sum > whole*102/100 {
		t.Errorf("the sum was %d, is %d", whole, sum)
	}
}

func TestBlurOfAnEdge(t *testing.T) {
	const w = 64
	m := image.NewRGBA(image.Rect(0, 0, w, 3))
	for i := range m.Pix {
		if m.Pix[i] = 255; i/4%w < w/2 && i%4 != 3 {
			m.Pix[i] = 0
		}
	}
	p := blurred(m, 4)
	for x := range w {
		c := m.RGBAAt(x, 1)
		if x > 0 && c.R < m.RGBAAt(x-1, 1).R {
			t.Errorf("column %d is darker than the one before", x)
		}
		if d := int(c.R) + int(m.RGBAAt(w-1-x, 1).R) - 255; d < -1 || d > 1 {
			t.Errorf("columns %d and %d add up to 255%+d", x, w-1-x, d)
		}
		if c.A != 255 {
			t.Errorf("column %d lets something through: %v", x, c)
		}
	}
	if m.RGBAAt(0, 0).R != 0 || m.RGBAAt(w-1, 0).R != 255 || m.RGBAAt(w/2, 1).R > 160 {
		t.Error("the outer edges changed, or the inner one did not")
	}
	if p.Drawing {
		t.Error("a blurred drawing is still one")
	}
}

func TestBlurBounds(t *testing.T) {
	for sigma, want := range map[float64]int{0: 0, -1: 0, math.NaN(): 0, 1: 1, 8: 8, MaxBlur: MaxBlur, math.Inf(1): MaxBlur} {
		if got := boxRadius(sigma); got < want-1 || got > want {
			t.Errorf("radius of %v: %d, want about %d", sigma, got, want)
		}
	}
	m := image.NewRGBA(image.Rect(0, 0, 3, 2))
	for i := range m.Pix {
		m.Pix[i] = 201
	}
	blurred(m, math.Inf(1))
	for i, v := range m.Pix {
		if v != 201 {
			t.Errorf("byte %d of one color became %d", i, v)
		}
	}
	for _, side := range []int{8, 400} {
		m := image.NewRGBA(image.Rect(0, 0, side, side))
		if n := testing.AllocsPerRun(2, func() { blurred(m, 3) }); n > 5 {
			t.Errorf("a side of %d px takes %v allocations", side, n)
		}
	}
}

func BenchmarkBlur(b *testing.B) {
	m := noise(image.Pt(1920, 1080))
	b.SetBytes(int64(len(m.Pix)))
	for b.Loop() {
		blurred(m, 16)
	}
}
