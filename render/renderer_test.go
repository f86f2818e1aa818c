package render

import (
	"image"
	"image/color"
	"testing"
	"time"
	"unsafe"
)

var t0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// square is an opaque background with a block that moves a pixel per second.
type square struct {
	size image.Point
	at   int
}

func (s *square) rect() image.Rectangle { return image.Rect(s.at, 2, s.at+4, 6) }

func (s *square) Update(t Tick) {
	at := int(t.Now().Sub(t0).Seconds()) % (s.size.X - 4)
	if at != s.at {
		t.Damage(s.rect())
		s.at = at
		t.Damage(s.rect())
	}
	t.Wake(t0.Add(t.Now().Sub(t0).Truncate(time.Second) + time.Second))
}

func (s *square) Paint(c Canvas) {
	c.Fill(image.Rectangle{Max: s.size}, color.RGBA{10, 20, 30, 255})
	c.Fill(s.rect(), white)
}

func at(sec int) time.Time { return t0.Add(time.Duration(sec) * time.Second) }

func TestStepPaintsWhatChanged(t *testing.T) {
	size := image.Pt(32, 12)
	r := New(&square{size: size}, size)
	damage, next := r.Step(t0)
	if len(damage) != 1 || damage[0] != r.Frame().Rect {
		t.Errorf("first frame: got damage %v, want all of it", damage)
	}
	if want := at(1); !next.Equal(want) {
		t.Errorf("next: got %v, want %v", next, want)
	}
	if damage, _ = r.Step(t0); len(damage) != 0 {
		t.Errorf("nothing changed: got damage %v, want none", damage)
	}
	for sec := 1; sec < 60; sec++ {
		before := clone(r.Frame())
		damage, _ := r.Step(at(sec))
		whole := New(&square{size: size}, size)
		whole.Step(at(sec))
		if d, p := worst(r.Frame(), whole.Frame()); d != 0 {
			t.Fatalf("second %d: differs from a whole frame by %d at %v", sec, d, p)
		}
		if p, ok := changedOutside(before, r.Frame(), damage); ok {
			t.Fatalf("second %d: %v changed outside of %v", sec, p, damage)
		}
	}
}

// changedOutside returns a pixel that differs between a and b but lies in no rectangle of `damage`.
func changedOutside(a, b *image.RGBA, damage []image.Rectangle) (image.Point, bool) {
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			p, held := image.Pt(x, y), false
			for _, r := range damage {
				held = held || p.In(r)
			}
			if !held && a.RGBAAt(x, y) != b.RGBAAt(x, y) {
				return p, true
			}
		}
	}
	return image.Point{}, false
}

func TestStepAllocatesNothing(t *testing.T) {
	size := image.Pt(64, 12)
	r := New(&square{size: size}, size)
	sec := 0
	if got := testing.AllocsPerRun(50, func() { sec++; r.Step(at(sec)) }); got != 0 {
		t.Errorf("got %v allocations, want 0", got)
	}
}

func TestSetRootPaintsAll(t *testing.T) {
	size := image.Pt(32, 12)
	r := New(&square{size: size}, size)
	r.Step(t0)
	r.SetRoot(&square{size: size})
	if damage, _ := r.Step(t0); len(damage) != 1 || damage[0] != r.Frame().Rect {
		t.Errorf("new tree: got damage %v, want all of it", damage)
	}
	r.Repaint()
	if damage, _ := r.Step(t0); len(damage) != 1 {
		t.Errorf("repaint: got damage %v, want all of it", damage)
	}
}

func TestTickReports(t *testing.T) {
	cell := image.Rect(10, 10, 30, 30)
	for _, tc := range []struct {
		name string
		tick func(Tick) Tick
		want []image.Rectangle
		wake bool
	}{
		{"own", func(t Tick) Tick { return t }, []image.Rectangle{image.Rect(0, 0, 5, 5)}, true},
		{"child", func(t Tick) Tick { return t.In(cell) }, []image.Rectangle{image.Rect(10, 10, 15, 15)}, true},
		{"cut to the cell", func(t Tick) Tick { return t.In(image.Rect(-3, 10, 1, 11)) }, []image.Rectangle{image.Rect(0, 10, 1, 11)}, true},
		{"grown", func(t Tick) Tick { return t.Grow(2).In(cell) }, []image.Rectangle{image.Rect(8, 8, 17, 17)}, true},
		{"hidden", func(t Tick) Tick { return t.Hidden().In(cell) }, nil, false},
		{"out of view", func(t Tick) Tick { return t.In(cell.Add(image.Pt(100, 0))) }, nil, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			top := NewTick(t0, image.Pt(40, 40))
			tick := tc.tick(top)
			tick.Damage(image.Rect(-1, 0, 5, 5))
			tick.Wake(at(3))
			tick.Wake(at(2))
			tick.Wake(at(9))
			got, next := top.Reported()
			if len(got) != len(tc.want) || len(got) > 0 && got[0] != tc.want[0] {
				t.Errorf("damage: got %v, want %v", got, tc.want)
			}
			if tc.wake != next.Equal(at(2)) {
				t.Errorf("wake: got %v, want one %v", next, tc.wake)
			}
		})
	}
}

// TestTickIsSmall checks that a tick has at most two words, because each widget passes copies of its tick. It also checks that a tick of
// one widget stays valid while other ticks are made.
func TestTickIsSmall(t *testing.T) {
	if got, most := unsafe.Sizeof(Tick{}), 2*unsafe.Sizeof(uintptr(0)); got > most {
		t.Errorf("a tick has %d bytes, want at most %d", got, most)
	}
	top := NewTick(t0, image.Pt(1000, 10))
	var ticks []Tick
	for x := range 100 {
		ticks = append(ticks, top.In(image.Rect(10*x, 0, 10*x+10, 10)))
		top.Hidden().In(image.Rect(0, 0, 5, 5)).DamageAll()
	}
	for x, child := range ticks {
		child.Damage(image.Rect(0, 0, 1, 1))
		if want := image.Pt(10*x, 0); !top.Damaged(image.Rectangle{Min: want, Max: want.Add(image.Pt(1, 1))}) {
			t.Errorf("the child %d did not report the damage at %v", x, want)
		}
	}
}

// TestPassed checks that Passed requests the first time after the given one, unless an earlier time is requested or the time has passed.
func TestPassed(t *testing.T) {
	for _, tc := range []struct {
		name string
		wake time.Time // requested before, or zero
		want time.Time
	}{
		{"first request", time.Time{}, at(5).Add(1)},
		{"later than an earlier request", at(3), at(3)},
		{"equal to an earlier request", at(5), at(5)},
		{"before an earlier request", at(9), at(5).Add(1)},
	} {
		top := NewTick(t0, image.Pt(40, 40))
		if !tc.wake.IsZero() {
			top.Wake(tc.wake)
		}
		soon, later, past := at(1), at(5), t0.Add(-1)
		if top.Hidden().Passed(&soon) || top.Passed(&later) || !top.Passed(&past) {
			t.Errorf("%s: only the last of the three times has passed", tc.name)
		}
		if _, got := top.Reported(); !got.Equal(tc.want) {
			t.Errorf("%s: got %v, want %v", tc.name, got, tc.want)
		}
	}
}

func BenchmarkStep(b *testing.B) {
	size := image.Pt(1920, 1080)
	r := New(&square{size: size}, size)
	b.ReportAllocs()
	for sec := 0; b.Loop(); sec++ {
		r.Step(at(sec))
	}
}

// With a blur, hidden content can change visible pixels. Damage of hidden content counts only if it is within the reach of the blur.
func TestDamageOutOfViewBleeds(t *testing.T) {
	for _, tc := range []struct {
		from int // x of the child in px. The visible part ends at x = 100
		want bool
	}{{95, true}, {103, true}, {107, true}, {108, false}} {
		tick := NewTick(time.Unix(0, 0), image.Pt(100, 50))
		tick.In(image.Rect(90, 0, 190, 50)).Grow(8).In(image.Rect(tc.from-90, 0, tc.from-80, 10)).DamageAll()
		damage, _ := tick.Reported()
		got := false
		for _, d := range damage {
			got = got || d.Overlaps(image.Rect(0, 0, 100, 50))
		}
		if got != tc.want {
			t.Errorf("a child from %d px on: damage in view is %v, want %v", tc.from, got, tc.want)
		}
		tick.Hidden().Grow(8).DamageAll()
		if again, _ := tick.Reported(); len(again) != len(damage) {
			t.Errorf("what is hidden reports %v", again)
		}
	}
}
