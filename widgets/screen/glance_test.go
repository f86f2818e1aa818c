package screen_test

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/control/touch"
	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

const glanceWall = `
glance: {show: [clock, outside], when: !data .p.away, after: 2s, stay: 5s}
widgets:
  - widget: layout
    areas: ["clock list", "outside list"]
    children:
      - {widget: clock, area: clock, seconds: raised}
      - {widget: card, area: outside, title: Outside, icon: mdi:home-thermometer, value: 14.2, unit: °C}
      - {widget: list, area: list, items: [{text: One, value: 1}, {text: Two, value: 2}]}
`

// glancing() runs f with a wall that has a glance.
func glancing(t *testing.T, reduced bool, f func(d *walltest.Data)) {
	t.Helper()
	walltest.ModernBubble(t, glanceWall, walltest.Scene{Size: image.Pt(640, 360), Reduced: reduced}, look.Calm(true), f)
}

// TestGlance checks that the glance is shown after no person has been near for the configured time, and is hidden as soon as a person is
// near. A touch shows the whole wall for some time and has no other effect.
func TestGlance(t *testing.T) {
	glancing(t, true, func(d *walltest.Data) {
		away := func(v bool, at time.Duration) { d.ByName["p"].Publish(map[string]any{"away": v}, walltest.T0.Add(at)) }
		away(false, 0)
		d.Step(0)
		whole := clonePicture(d.R.Frame())
		away(true, 1*time.Second)
		d.Step(time.Second)
		if !samePicture(whole, d.R.Frame(), 0) {
			t.Error("the plan came before its time")
		}
		if _, next := d.Step(2 * time.Second); next.After(walltest.T0.Add(3 * time.Second)) {
			t.Errorf("the next pass is at %v", next)
		}
		d.Step(3 * time.Second)
		if samePicture(whole, d.R.Frame(), 20) {
			t.Fatal("the plan did not come")
		}
		s := d.Tree
		if w, _, ok := s.Touch(touch.Gesture{Kind: touch.Tap, From: image.Pt(100, 300)}, walltest.T0.Add(4*time.Second)); ok {
			t.Errorf("the touch asks for %v", w)
		}
		d.Step(4 * time.Second)
		if !samePicture(whole, d.R.Frame(), 20) {
			t.Error("a touch does not show the wall")
		}
		d.Step(8 * time.Second)
		if !samePicture(whole, d.R.Frame(), 20) {
			t.Error("the wall went too early")
		}
		d.Step(9 * time.Second)
		if samePicture(whole, d.R.Frame(), 20) {
			t.Error("the plan did not come back after the touch")
		}
		away(false, 10*time.Second)
		d.Step(10 * time.Second)
		if !samePicture(whole, d.R.Frame(), 20) {
			t.Error("the whole wall did not come back")
		}
	})
}

// TestGlanceTakesTheWholeTouch checks that a finger that ends the glance has no other effect, even if it is lifted when the wall is already
// visible. The next tap acts.
func TestGlanceTakesTheWholeTouch(t *testing.T) {
	wall := strings.Replace(glanceWall, "title: Outside,", "title: Outside, on_tap: {page: next}, on_hold: {page: previous}, on_swipe: {left: {page: auto}},", 1)
	at := image.Pt(100, 300)
	for name, rest := range map[string][]touch.Kind{
		"tap": {touch.Tap, touch.Alone}, "hold": {touch.Hold, touch.Up}, "swipe": {touch.Drag, touch.Swipe}, "far": nil,
	} {
		walltest.ModernBubble(t, wall, walltest.Scene{Size: image.Pt(640, 360), Reduced: true}, look.Calm(true), func(d *walltest.Data) {
			now := time.Duration(0)
			act := func(k touch.Kind) bool {
				now += 100 * time.Millisecond
				_, _, ok := d.Tree.Touch(touch.Gesture{Kind: k, From: at, At: at.Sub(image.Pt(90, 0)), To: touch.Left, Count: 1}, walltest.T0.Add(now))
				d.Step(now)
				return ok
			}
			d.ByName["p"].Publish(map[string]any{"away": true}, walltest.T0)
			d.Step(0)
			now = 3 * time.Second
			d.Step(now)
			first := touch.Down
			if rest == nil { // a remote tap has no other gestures
				first = touch.Tap
			}
			for _, k := range append([]touch.Kind{first}, rest...) {
				if act(k) {
					t.Errorf("%s: the gesture %v asks for an action", name, k)
				}
			}
			if !act(touch.Tap) {
				t.Errorf("%s: the next tap asks for nothing", name)
			}
		})
	}
}

// TestGlanceTransition checks that the change between the wall and the glance takes 0.36 s. The last picture must equal the picture after
// a change without motion.
func TestGlanceTransition(t *testing.T) {
	var want *image.RGBA
	glancing(t, true, func(d *walltest.Data) {
		d.ByName["p"].Publish(map[string]any{"away": true}, walltest.T0)
		d.Step(0)
		d.Step(4 * time.Second)
		want = clonePicture(d.R.Frame())
	})
	glancing(t, false, func(d *walltest.Data) {
		d.ByName["p"].Publish(map[string]any{"away": true}, walltest.T0)
		d.Step(0)
		for at := 2 * time.Second; at < 2*time.Second+360*time.Millisecond; at += 20 * time.Millisecond {
			if _, next := d.R.Step(walltest.T0.Add(at)); next.After(walltest.T0.Add(at)) {
				t.Fatalf("%v: the next frame is at %v", at, next)
			}
			if samePicture(want, d.R.Frame(), 20) {
				t.Fatalf("%v: the plan is there", at)
			}
		}
		d.Step(4 * time.Second)
		if !samePicture(want, d.R.Frame(), 20) {
			t.Error("the change does not end in the plan")
		}
	})
}

// TestGlanceAllocatesNothing checks that frames allocate no memory, during a change and otherwise.
// In this test, a schedule shows the glance every other minute.
func TestGlanceAllocatesNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	var windows []string
	first := walltest.T0.Truncate(time.Minute)
	for i := 2; i < 40; i += 2 {
		from := first.Add(time.Duration(i) * time.Minute)
		windows = append(windows, "'"+from.Format("15:04")+"-"+from.Add(time.Minute).Format("15:04")+"'")
	}
	wall := strings.Replace(glanceWall, "when: !data .p.away, after: 2s", "when: {time: ["+strings.Join(windows, ", ")+"]}", 1)
	still := "{widget: text, area: clock, text: Still}" // a text that does not change with the minute
	wall = strings.Replace(wall, "{widget: clock, area: clock, seconds: raised}", still, 1)
	walltest.ModernBubble(t, wall, walltest.Scene{Size: image.Pt(640, 360)}, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		minute, changes := first.Add(time.Minute), 0
		change := func() {
			minute = minute.Add(time.Minute)
			for at := -40 * time.Millisecond; at < 600*time.Millisecond; at += 20 * time.Millisecond {
				if _, next := d.R.Step(minute.Add(at)); at > 0 && !next.After(minute.Add(at)) {
					changes++
				}
			}
		}
		for range 4 {
			change() // these first changes allocate memory, so they are not measured
		}
		changes = 0
		if n := testing.AllocsPerRun(9, change); n != 0 {
			t.Errorf("got %v allocations for a change of plans", n)
		}
		if changes < 100 {
			t.Errorf("only %d frames moved", changes)
		}
	})
}

func TestGlanceMistakes(t *testing.T) {
	wall := "\nwidgets: [{widget: clock}]"
	walltest.WantErrors(t, "glance: [clock]"+wall, "needs 'when', or a sensor")
	walltest.WantErrors(t, "glance: {show: [next], when: {time: '22:00-06:00'}}"+wall, "there is no widget 'next'; there are clock")
	walltest.WantErrors(t, "glance: {show: [a, b, c, d], when: {time: '22:00-06:00'}}"+wall, "3")
	walltest.WantErrors(t, "glance: clock"+wall, "must be a list of names of widgets")
}

// clonePicture returns a copy of a picture.
func clonePicture(m *image.RGBA) *image.RGBA {
	c := image.NewRGBA(m.Rect)
	copy(c.Pix, m.Pix)
	return c
}

// samePicture reports whether at most n of 1000 pixels differ. For example, the seconds of a clock may differ.
func samePicture(a, b *image.RGBA, n int) bool {
	differ := 0
	for i := 0; i < len(a.Pix); i += 4 {
		if [4]byte(a.Pix[i:i+4]) != [4]byte(b.Pix[i:i+4]) {
			differ++
		}
	}
	return differ*1000 <= n*len(a.Pix)/4
}
