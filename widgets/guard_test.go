package widgets

import (
	"image"
	"image/color"
	"testing"
	"time"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/speech"
	"dashboard/widgets/screen"
	"dashboard/widgets/walltest"
)

// bomb is a widget that panics on demand. If it does not panic, it fills its cell with white.
type bomb struct {
	size          image.Point
	update, paint bool
	updates       int
}

func (b *bomb) Update(render.Tick) {
	b.updates++
	if b.update {
		panic("update")
	}
}

func (b *bomb) Paint(c render.Canvas) {
	c.Fill(image.Rectangle{Max: b.size}, color.RGBA{255, 255, 255, 255})
	if b.paint {
		panic("paint")
	}
}

// bombed() builds a bomb next to a clock with seconds.
func bombed(t *testing.T) (*bomb, *render.Renderer, *[]string) {
	t.Helper()
	var crashes []string
	e := walltest.TestEnv()
	e.Crashed = func(widget, pos string, v any) { crashes = append(crashes, widget+" at "+pos+": "+v.(string)) }
	e.Wake = func() { crashes = append(crashes, "wake") }
	it := &bomb{}
	b := walltest.Builder(e, kit.Define("bomb", "", 0, 0, func(_ *kit.Builder, _ *kit.Spec, _ *struct{}, size image.Point) render.Widget {
		it.size = size
		return it
	}))
	s, r := walltest.Parse(t, "widgets:\n- widget: grid\n  rows: 1\n  columns: 2\n  children:\n  - widget: bomb\n    name: kitchen\n  - widget: dateclock\n    time_format: '%S'\n")
	size := image.Pt(240, 60)
	root := screen.Build(b, s, size)
	if r.Failed() {
		t.Fatal(r)
	}
	return it, render.New(root, size), &crashes
}

// left() returns the color of a pixel in the cell of the bomb.
func left(r *render.Renderer) color.RGBA { return r.Frame().RGBAAt(2, 2) }

func TestPanicInUpdateIsContained(t *testing.T) {
	it, r, crashes := bombed(t)
	r.Step(walltest.T0)
	if left(r) != (color.RGBA{255, 255, 255, 255}) {
		t.Fatalf("before: got %v, want white", left(r))
	}
	it.update = true
	damage, next := r.Step(walltest.After(time.Second))
	if left(r) != kit.PanelColor {
		t.Errorf("after the panic: got %v, want the panel", left(r))
	}
	if ink := walltest.InkOf(r.Frame(), image.Rect(2, 2, 118, 58)); ink.Dx() < 50 || ink.Dy() < 10 {
		t.Errorf("panel's text: got ink %v, want readable text", ink)
	}
	if len(damage) == 0 || !next.Equal(walltest.After(2*time.Second)) {
		t.Errorf("got damage %v and next %v, want some, and the clock's next second", damage, next)
	}
	if want := "kitchen at widgets.yaml:6:5: update"; len(*crashes) != 1 || (*crashes)[0] != want {
		t.Errorf("crashes: got %v, want [%s]", *crashes, want)
	}
	before := append([]uint8(nil), r.Frame().Pix...)
	n := it.updates
	damage, _ = r.Step(walltest.After(3 * time.Second))
	if it.updates != n || len(damage) == 0 {
		t.Errorf("while it rests: %d updates and damage %v, want none, and the clock's", it.updates-n, damage)
	}
	for _, d := range damage {
		if d.Min.X < 120 {
			t.Errorf("while it rests: got damage %v, want only the clock's", d)
		}
	}
	if string(before) == string(r.Frame().Pix) {
		t.Error("the clock beside it stands still")
	}
	it.update = false
	r.Step(walltest.After(time.Second + kit.CrashPause))
	if left(r) != (color.RGBA{255, 255, 255, 255}) {
		t.Errorf("tried again: got %v, want white", left(r))
	}
}

func TestPanicInPaintIsContained(t *testing.T) {
	it, r, crashes := bombed(t)
	r.Step(walltest.T0)
	it.paint = true
	r.Repaint()
	r.Step(walltest.After(time.Second))
	if left(r) != kit.PanelColor {
		t.Errorf("got %v, want the panel", left(r))
	}
	if len(*crashes) != 2 || (*crashes)[0] != "kitchen at widgets.yaml:6:5: paint" || (*crashes)[1] != "wake" {
		t.Errorf("got %v, want one crash and a wake", *crashes)
	}
	damage, _ := r.Step(walltest.After(time.Second))
	if len(damage) != 1 || damage[0] != image.Rect(0, 0, 120, 60) {
		t.Errorf("next pass: got damage %v, want the whole cell", damage)
	}
	if damage, _ = r.Step(walltest.After(time.Second)); len(damage) != 0 {
		t.Errorf("pass after: got damage %v, want none", damage)
	}
	it.paint = false
	r.Step(walltest.After(time.Minute))
	if left(r) != (color.RGBA{255, 255, 255, 255}) {
		t.Errorf("tried again: got %v, want white", left(r))
	}
}

func TestClockSetBackDoesNotProlongTheRest(t *testing.T) {
	it, r, _ := bombed(t)
	it.update = true
	r.Step(walltest.T0)
	it.update = false
	r.Step(walltest.T0.Add(-time.Hour))
	if left(r) != (color.RGBA{255, 255, 255, 255}) {
		t.Errorf("got %v, want white", left(r))
	}
}

func TestGuardAllocatesNothing(t *testing.T) {
	it, r, _ := bombed(t)
	now := walltest.T0
	for range 60 { // until every digit has been drawn
		now = now.Add(time.Second)
		r.Step(now)
	}
	if got := testing.AllocsPerRun(20, func() { now = now.Add(time.Second); r.Repaint(); r.Step(now) }); got != 0 && !walltest.RaceEnabled {
		t.Errorf("whole widget: got %v allocations, want 0", got)
	}
	it.update = true
	r.Step(now)
	if got := testing.AllocsPerRun(20, func() { r.Repaint(); r.Step(now) }); got != 0 && !walltest.RaceEnabled {
		t.Errorf("broken widget: got %v allocations, want 0", got)
	}
}

// mute is a widget that panics while it describes itself, after it has opened a heading and a notice.
type mute struct{ render.Widget }

func (mute) Speak(s *speech.Speech) {
	s.Enter("inner", "Inner", "")
	s.EnterNotice("one")
	panic("speak")
}

// TestPanicWhileSpeaking checks the description after a widget that panicked. The part that follows this widget has the heading level at
// which the widget started.
func TestPanicWhileSpeaking(t *testing.T) {
	s := &speech.Speech{}
	s.Begin(walltest.TestLocale(t, "en-GB"), time.UTC, walltest.T0, false)
	e := walltest.TestEnv()
	e.Crashed = func(string, string, any) {}
	b := walltest.Builder(e, kit.Define("mute", "", 0, 0, func(*kit.Builder, *kit.Spec, *struct{}, image.Point) render.Widget {
		return mute{kit.Blank{}}
	}))
	spec, _ := walltest.Parse(t, "widgets: [{widget: mute}]\n")
	in := s.Enter("page", "Outer", "")
	screen.Build(b, spec, image.Pt(100, 100)).Speak(s)
	s.Say(speech.Heading, "After")
	s.Leave(in)
	parts := s.Parts()
	first, last := parts[0], parts[len(parts)-1]
	if last.Level != first.Level+1 || last.Widget != "page" || last.Notice != "" {
		t.Errorf("after %+v: got %+v", first, last)
	}
}
