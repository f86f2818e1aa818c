package path

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
)

func TestFillAsVector(t *testing.T) {
	line := func(pen Pen, points []Point, smooth bool) func(*Path) {
		return func(p *Path) {
			var l Path
			if smooth {
				l.Smooth(points)
			} else {
				l.Line(points)
			}
			p.Stroke(&l, pen)
		}
	}
	wide := zigzag(60, 300, 200)
	for name, draw := range map[string]func(*Path){
		"triangle":  func(p *Path) { p.Line([]Point{{10.3, 5.1}, {90, 80.7}, {4.2, 60}}) },
		"circle":    func(p *Path) { p.Circle(80, 80, 61.3) },
		"ring":      func(p *Path) { p.Ring(100, 100, 70, 90, 0, 2*math.Pi) },
		"sector":    func(p *Path) { p.Ring(100, 100, 50, 90, -2, 1.2) },
		"round":     func(p *Path) { p.RoundRect(10.5, 20.25, 150, 90, 17) },
		"shallow":   func(p *Path) { p.Line([]Point{{0, 10}, {299, 10.4}, {299, 12.7}, {0, 12.1}}) },
		"border":    func(p *Path) { p.Rect(0, 0, 300, 200) },
		"curve":     func(p *Path) { p.MoveTo(5, 190); p.CubeTo(100, -80, 200, 300, 295, 10); p.LineTo(295, 190) },
		"polyline":  line(Pen{Width: 3, Cap: Round}, wide, false),
		"thick":     line(Pen{Width: 17}, zigzag(9, 300, 200), false),
		"smooth":    line(Pen{Width: 4, Cap: Round}, wide, true),
		"dashed":    line(Pen{Width: 2, Dash: []float64{6, 3}}, wide, false),
		"nothing":   func(p *Path) {},
		"one point": func(p *Path) { p.MoveTo(3, 3) },
	} {
		t.Run(name, func(t *testing.T) {
			var p Path
			draw(&p)
			compare(t, &p, image.Pt(300, 200))
		})
	}
}

// TestRandomAsVector fills random polygons, whose lines cross each other, and compares the result with x/image/vector.
func TestRandomAsVector(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 400 {
		var p Path
		size := image.Pt(1+rnd.IntN(70), 1+rnd.IntN(50))
		for i := range 3 + rnd.IntN(8) {
			x, y := rnd.Float64()*float64(size.X), rnd.Float64()*float64(size.Y)
			if i == 0 {
				p.MoveTo(x, y)
			} else {
				p.LineTo(x, y)
			}
		}
		compare(t, &p, size)
	}
}

// TestClipped: the pixels inside a box do not depend on the parts of the path outside the box.
func TestClipped(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	var r Raster
	var whole, part Shape
	for range 300 {
		var p Path
		for i := range 3 + rnd.IntN(6) {
			x, y := rnd.Float64()*400-150, rnd.Float64()*300-100
			if i == 0 {
				p.MoveTo(x, y)
			} else {
				p.LineTo(x, y)
			}
		}
		box := image.Rect(20, 10, 20+1+rnd.IntN(60), 10+1+rnd.IntN(50))
		r.Fill(&whole, &p, image.Rect(-200, -200, 400, 400))
		r.Fill(&part, &p, box)
		got, want := dense(&part, box.Max), dense(&whole, box.Max)
		for y := box.Min.Y; y < box.Max.Y; y++ {
			for x := box.Min.X; x < box.Max.X; x++ {
				if d := int(got.RGBAAt(x, y).A) - int(want.RGBAAt(x, y).A); d < -3 || d > 3 {
					t.Fatalf("box %v, pixel %d,%d: got %d, want %d", box, x, y, got.RGBAAt(x, y).A, want.RGBAAt(x, y).A)
				}
			}
		}
		if !part.Bounds().In(box) {
			t.Fatalf("the shape reaches %v, beyond %v", part.Bounds(), box)
		}
	}
}

// TestPaintByClips paints a shape through small clips, which may also extend beyond the picture.
func TestPaintByClips(t *testing.T) {
	var r Raster
	var s Shape
	var p Path
	p.Ring(30, 30, 10, 29.5, -1, 4)
	r.Fill(&s, &p, image.Rect(0, 0, 60, 60))
	whole, parts := image.NewRGBA(image.Rect(0, 0, 50, 50)), image.NewRGBA(image.Rect(0, 0, 50, 50))
	at, col := image.Pt(-7, 5), color.RGBA{100, 50, 20, 128}
	s.Paint(whole, whole.Rect, at, col)
	for y := -7; y < 60; y += 7 {
		for x := -7; x < 60; x += 5 {
			s.Paint(parts, image.Rect(x, y, x+5, y+7), at, col)
		}
	}
	if string(whole.Pix) != string(parts.Pix) {
		t.Error("painted by clips differs")
	}
}

func TestPaintRows(t *testing.T) {
	var r Raster
	var s Shape
	var p Path
	p.Rect(1, 2, 5, 6)
	r.Fill(&s, &p, image.Rect(0, 0, 10, 10))
	m := image.NewRGBA(image.Rect(0, 0, 10, 10))
	s.PaintRows(m, m.Rect, image.Point{}, []color.RGBA{{1, 1, 1, 255}, {2, 2, 2, 255}})
	if a, b, c := m.RGBAAt(1, 2).R, m.RGBAAt(4, 3).R, m.RGBAAt(1, 4).A; a != 1 || b != 2 || c != 0 {
		t.Errorf("got %d, %d and %d in the three rows, want 1, 2 and 0", a, b, c)
	}
}

// inFull enables the complete test. The command "make long" sets it.
var inFull = flag.Bool("long", false, "500 random paths of extremes instead of 100")

// TestExtremes: extreme numbers cause no panic, and Fill ends soon.
func TestExtremes(t *testing.T) {
	var r Raster
	var s Shape
	values := []float64{0, 1, -1, 1e9, -1e300, math.Inf(1), math.Inf(-1), math.NaN(), 16384, 0.001}
	rnd := rand.New(rand.NewPCG(9, 9))
	v := func() float64 { return values[rnd.IntN(len(values))] }
	rounds := 100
	if *inFull {
		rounds = 500
	}
	for range rounds {
		var p, l Path
		p.Arc(v(), v(), v(), v(), v())
		p.CubeTo(v(), v(), v(), v(), v(), v())
		p.Close()
		p.RoundRect(v(), v(), v(), v(), v())
		l.Smooth([]Point{{v(), v()}, {v(), v()}, {v(), v()}})
		p.Stroke(&l, Pen{Width: v(), Cap: Cap(rnd.IntN(2))})
		p.Stroke(&l, Pen{Width: v(), Dash: []float64{v(), v()}, Offset: v()})
		r.Fill(&s, &p, image.Rect(0, 0, 40, 30))
		if !s.Bounds().In(image.Rect(0, 0, 40, 30)) {
			t.Fatalf("bounds %v", s.Bounds())
		}
		dense(&s, image.Pt(40, 30))
	}
}

func TestTooManyPoints(t *testing.T) {
	var p Path
	for i := range MaxPoints + 2 {
		p.LineTo(float64(i%100), float64(i%7))
	}
	var r Raster
	var s Shape
	r.Fill(&s, &p, image.Rect(0, 0, 100, 10))
	if !p.Broken() || !s.Bounds().Empty() {
		t.Errorf("broken %v, bounds %v; want a path that fills nothing", p.Broken(), s.Bounds())
	}
	p.Reset()
	p.Rect(0, 0, 5, 5)
	if r.Fill(&s, &p, image.Rect(0, 0, 100, 10)); s.Bounds() != image.Rect(0, 0, 5, 5) {
		t.Errorf("after Reset: got %v", s.Bounds())
	}
}

// TestSmoothStaysBetween: between two points, a smooth curve stays between the Y values of these points.
func TestSmoothStaysBetween(t *testing.T) {
	points := zigzag(30, 300, 100)
	var p Path
	p.Smooth(points)
	for _, v := range p.points {
		f, i := v.float(), 0
		for i < len(points)-2 && points[i+1].X < f.X-1.0/sub {
			i++
		}
		lo, hi := min(points[i].Y, points[i+1].Y), max(points[i].Y, points[i+1].Y)
		if f.Y < lo-0.01 || f.Y > hi+0.01 {
			t.Fatalf("at %v: not between %v and %v", f, points[i], points[i+1])
		}
	}
}

func TestCircleIsRound(t *testing.T) {
	var p Path
	p.Circle(200, 200, 150)
	for _, v := range p.points {
		f := v.float()
		if d := math.Hypot(f.X-200, f.Y-200); math.Abs(d-150) > 0.01 {
			t.Fatalf("%v is %v from the middle", f, d)
		}
	}
	if n := len(p.points); n < 100 || n > 600 {
		t.Errorf("%d points", n)
	}
}

// TestStrokeArea: the area of a stroke is its length times its width. The dashes of a dashed stroke cover their share of this area.
func TestStrokeArea(t *testing.T) {
	for _, tc := range []struct {
		pen  Pen
		want float64
	}{
		{Pen{Width: 4}, 800}, {Pen{Width: 4, Cap: Round}, 800 + math.Pi*4},
		{Pen{Width: 4, Dash: []float64{15, 5}}, 600}, {Pen{Width: 4, Dash: []float64{10}}, 400},
		{Pen{Width: 4, Dash: []float64{15, 5}, Offset: 10}, 600}, {Pen{}, 0},
	} {
		var l, p Path
		l.MoveTo(20, 20)
		l.LineTo(20+120, 20+160)
		p.Stroke(&l, tc.pen)
		var r Raster
		var s Shape
		r.Fill(&s, &p, image.Rect(0, 0, 200, 200))
		sum := 0.0
		m := dense(&s, image.Pt(200, 200))
		for i := 3; i < len(m.Pix); i += 4 {
			sum += float64(m.Pix[i]) / 255
		}
		if math.Abs(sum-tc.want) > 4 {
			t.Errorf("%+v: covers %.1f px, want %.1f", tc.pen, sum, tc.want)
		}
	}
}

func TestWarmAllocatesNothing(t *testing.T) {
	points := zigzag(100, 600, 300)
	m := image.NewRGBA(image.Rect(0, 0, 600, 300))
	var r Raster
	var s Shape
	var l, p Path
	got := testing.AllocsPerRun(10, func() {
		l.Reset()
		l.Smooth(points)
		p.Reset()
		p.Stroke(&l, Pen{Width: 3, Cap: Round})
		p.Stroke(&l, Pen{Width: 1, Dash: dots})
		p.Circle(100, 100, 50)
		r.Fill(&s, &p, m.Rect)
		s.Paint(m, m.Rect, image.Point{}, white)
	})
	if got != 0 {
		t.Errorf("got %v allocations, want 0", got)
	}
}

var dots = []float64{3, 3}

func Example() {
	var line, outline Path
	var raster Raster
	var shape Shape
	line.Arc(8, 8, 6, math.Pi, 2*math.Pi) // the upper half of a gauge
	outline.Stroke(&line, Pen{Width: 2.5, Cap: Round})
	raster.Fill(&shape, &outline, image.Rect(0, 0, 16, 11))

	m := image.NewRGBA(image.Rect(0, 0, 16, 11))
	shape.Paint(m, m.Rect, image.Point{}, white)
	for y := range 11 {
		for x := range 16 {
			fmt.Print(string(".:+*#"[(int(m.RGBAAt(x, y).A)*4+127)/255]))
		}
		fmt.Println()
	}
	// Output:
	// .......::.......
	// ....:*####*:....
	// ...*########*...
	// ..*###+::+###*..
	// .:##*......*##:.
	// .*##........##*.
	// .##+........+##.
	// :##:........:##:
	// :##:........:##:
	// .::..........::.
	// ................
}

func FuzzFill(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Fuzz(func(t *testing.T, b []byte) {
		var p, q Path
		for ; len(b) >= 5; b = b[5:] {
			x, y := float64(int16(b[1])<<8|int16(b[2]))/32, float64(int16(b[3])<<8|int16(b[4]))/32
			switch b[0] % 5 {
			case 0:
				p.MoveTo(x, y)
			case 1:
				p.LineTo(x, y)
			case 2:
				p.Arc(x, y, float64(b[1]), float64(b[2]), float64(b[3]))
			case 3:
				p.QuadTo(y, x, x, y)
			case 4:
				p.Close()
			}
		}
		q.Stroke(&p, Pen{Width: 3, Cap: Round})
		var r Raster
		var s Shape
		for _, path := range []*Path{&p, &q} {
			r.Fill(&s, path, image.Rect(-20, -20, 90, 70))
			dense(&s, image.Pt(60, 60))
		}
	})
}
