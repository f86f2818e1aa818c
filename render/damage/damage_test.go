package damage

import (
	"fmt"
	"image"
	"testing"

	"pgregory.net/rapid"
)

const side = 24 // side of the square for the brute-force tests, in px

type field [side][side]bool

func (f *field) fill(r image.Rectangle) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			f[y][x] = true
		}
	}
}

func (f *field) count() (n int) {
	for _, row := range f {
		for _, set := range row {
			if set {
				n++
			}
		}
	}
	return n
}

func drawRect(t *rapid.T) image.Rectangle {
	x := rapid.IntRange(0, side).Draw(t, "x")
	y := rapid.IntRange(0, side).Draw(t, "y")
	return image.Rect(x, y, rapid.IntRange(x, side).Draw(t, "x1"), rapid.IntRange(y, side).Draw(t, "y1"))
}

// TestCoversEveryPixel adds rectangles to a list and marks their pixels in an array. After each step, it compares the list with the
// array.
func TestCoversEveryPixel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l List
		var want field
		var all image.Rectangle
		for range rapid.IntRange(0, 60).Draw(t, "n") {
			r := drawRect(t)
			l.Add(r)
			want.fill(r)
			if !r.Empty() {
				all = all.Union(r)
			}
			checkCovers(t, &l, &want)
			checkTidy(t, &l)
			if l.Bounds() != all {
				t.Fatalf("bounds: got %v, want %v", l.Bounds(), all)
			}
		}
		if l.Empty() != all.Empty() {
			t.Fatalf("empty: got %v, want %v", l.Empty(), all.Empty())
		}
	})
}

func checkCovers(t *rapid.T, l *List, want *field) {
	var got field
	for _, r := range l.Rects() {
		got.fill(r)
	}
	for y := range want {
		for x := range want[y] {
			if want[y][x] && !got[y][x] {
				t.Fatalf("pixel %d,%d is not covered by %v", x, y, l.Rects())
			}
		}
	}
}

func checkTidy(t *rapid.T, l *List) {
	rs := l.Rects()
	if len(rs) > Capacity {
		t.Fatalf("got %d rectangles, want at most %d", len(rs), Capacity)
	}
	for i, a := range rs {
		if a.Empty() {
			t.Fatalf("rectangle %d is empty", i)
		}
		for j, b := range rs {
			if i != j && extra(a, b) <= 0 {
				t.Fatalf("%v and %v should have become one", a, b)
			}
		}
	}
}

// TestFewIsExact: if no merge is needed, the list covers only pixels that were added.
func TestFewIsExact(t *testing.T) {
	var l List
	var want, got field
	for i := range Capacity {
		r := image.Rect(i%4*6, i/4*6, i%4*6+3, i/4*6+3)
		l.Add(r)
		want.fill(r)
	}
	for _, r := range l.Rects() {
		got.fill(r)
	}
	if len(l.Rects()) != Capacity || got != want {
		t.Fatalf("got %d rectangles with %d pixels, want %d with %d", len(l.Rects()), got.count(), Capacity, want.count())
	}
}

func TestAdd(t *testing.T) {
	row := func(n int) (rs []image.Rectangle) { // n single pixels, one every eleven pixels
		for i := range n {
			rs = append(rs, image.Rect(i*11, 0, i*11+1, 1))
		}
		return rs
	}
	tests := []struct {
		name string
		add  []image.Rectangle
		want []image.Rectangle
	}{
		{"nothing", nil, nil},
		{"empty", []image.Rectangle{image.Rect(3, 3, 3, 9), {}}, nil},
		{"inverted is empty", []image.Rectangle{{Min: image.Pt(9, 9), Max: image.Pt(1, 1)}}, nil},
		{"inside", []image.Rectangle{image.Rect(0, 0, 9, 9), image.Rect(1, 1, 2, 2)}, []image.Rectangle{image.Rect(0, 0, 9, 9)}},
		{"around", []image.Rectangle{image.Rect(1, 1, 2, 2), image.Rect(0, 0, 9, 9)}, []image.Rectangle{image.Rect(0, 0, 9, 9)}},
		{"side by side", []image.Rectangle{image.Rect(0, 0, 4, 9), image.Rect(4, 0, 9, 9)}, []image.Rectangle{image.Rect(0, 0, 9, 9)}},
		{"chain closes", []image.Rectangle{image.Rect(0, 0, 3, 1), image.Rect(6, 0, 9, 1), image.Rect(3, 0, 6, 1)}, []image.Rectangle{image.Rect(0, 0, 9, 1)}},
		{"apart", []image.Rectangle{image.Rect(0, 0, 1, 1), image.Rect(8, 8, 9, 9)}, []image.Rectangle{image.Rect(0, 0, 1, 1), image.Rect(8, 8, 9, 9)}},
		{"the nearest of 17 is merged", append(row(Capacity), image.Rect(35, 0, 36, 1)),
			append(append(row(3), row(Capacity)[4:]...), image.Rect(33, 0, 36, 1))},
		{"the cheapest pair may not be the new one", append([]image.Rectangle{image.Rect(0, 50, 1, 51), image.Rect(2, 50, 3, 51)}, append(row(14), image.Rect(900, 900, 901, 901))...),
			append(row(14), image.Rect(0, 50, 3, 51), image.Rect(900, 900, 901, 901))},
		{"negative coordinates", []image.Rectangle{image.Rect(-9, -9, -3, -3)}, []image.Rectangle{image.Rect(-9, -9, -3, -3)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var l List
			l.AddAll(tt.add)
			if got, want := set(l.Rects()), set(tt.want); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("got %v, want %v", l.Rects(), tt.want)
			}
		})
	}
}

// set returns the rectangles without their order, because a List does not guarantee an order. fmt prints the keys of a map sorted.
func set(rs []image.Rectangle) map[string]int {
	m := map[string]int{}
	for _, r := range rs {
		m[r.String()]++
	}
	return m
}

func TestReset(t *testing.T) {
	var l List
	l.Add(image.Rect(1, 2, 3, 4))
	l.Reset()
	if !l.Empty() || len(l.Rects()) != 0 || l.Bounds() != (image.Rectangle{}) {
		t.Errorf("got %v, want an empty list", l.Rects())
	}
	l.Add(image.Rect(5, 5, 6, 6))
	if got, want := l.Bounds(), image.Rect(5, 5, 6, 6); got != want {
		t.Errorf("after reset: got %v, want %v", got, want)
	}
}

// TestRectsCannotGrowIntoTheList: appending to the result of Rects must not change the list.
func TestRectsCannotGrowIntoTheList(t *testing.T) {
	var l List
	l.Add(image.Rect(0, 0, 1, 1))
	_ = append(l.Rects(), image.Rect(7, 7, 8, 8))
	if l.rects[1] != (image.Rectangle{}) {
		t.Errorf("got %v behind the end, want nothing", l.rects[1])
	}
}

func TestAddDoesNotAllocate(t *testing.T) {
	var l List
	if n := testing.AllocsPerRun(100, func() { addMany(&l) }); n != 0 {
		t.Errorf("got %v allocations, want 0", n)
	}
}

func BenchmarkAdd(b *testing.B) {
	var l List
	for b.Loop() {
		addMany(&l)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/40, "ns/add")
}

// addMany overfills the list with 40 scattered rectangles.
func addMany(l *List) {
	l.Reset()
	for i := range 40 {
		x, y := i*467%1900, i*251%1000
		l.Add(image.Rect(x, y, x+20+i, y+15))
	}
}
