package arrange

import (
	"image"
	"image/color"
	"testing"
	"time"

	"dashboard/control/page"
	"dashboard/control/touch"
	"dashboard/widgets/walltest"
)

// TestSwipe checks that pages follow the finger. When the finger leaves the screen, they continue to the next page, or move back after a
// short drag.
func TestSwipe(t *testing.T) {
	size := image.Pt(200, 100)
	walltest.TouchedWall(t, walltest.SwipeWall, size, func(d *walltest.Data, all *page.Pages) {
		colors := func(after time.Duration) string { // returns the colors at the left edge, in the middle, and at the right edge
			d.Step(after)
			s := ""
			for _, x := range []int{2, 100, 197} {
				c := d.R.Frame().RGBAAt(x, 50)
				switch {
				case c.R > 200:
					s += "r"
				case c.G > 200:
					s += "g"
				case c.B > 200:
					s += "b"
				}
			}
			return s
		}
		shown := func() string { return all.List(walltest.T0.Add(time.Second))[0].Page }
		is := func(what, got, want string) {
			t.Helper()
			if got != want {
				t.Errorf("%s: got %q, want %q", what, got, want)
			}
		}
		from := image.Pt(150, 50)
		is("at first", colors(0), "rrr")
		d.Finger(touch.Drag, touch.Left, from, image.Pt(130, 50), 0)
		is("dragged by 20", colors(10*time.Millisecond), "rrg")
		d.Finger(touch.Drag, touch.Left, from, image.Pt(30, 50), 0)
		is("dragged by 120", colors(20*time.Millisecond), "rgg")
		is("a finger that rests", colors(5*time.Second), "rgg")
		is("the page meanwhile", shown(), "red")
		d.Finger(touch.Drag, touch.Right, from, image.Pt(170, 50), 5*time.Second)
		is("turned round: the page before", colors(5*time.Second), "brr")
		d.Finger(touch.Cancel, touch.Right, from, image.Pt(170, 50), 5*time.Second)
		is("going back", colors(5*time.Second), "brr")
		is("back", colors(6*time.Second), "rrr")
		is("the page after that", shown(), "red")

		d.Finger(touch.Drag, touch.Left, from, image.Pt(100, 50), 7*time.Second)
		is("dragged by 50", colors(7*time.Second), "rrg")
		if w, ok := d.Finger(touch.Swipe, touch.Left, from, image.Pt(100, 50), 7*time.Second); !ok || w.Verb != "" {
			t.Errorf("a swipe over pages: got %+v, %v", w, ok)
		}
		is("the page at once", shown(), "green")
		is("from where it was let go", colors(7*time.Second), "rrg")
		is("in time", colors(7*time.Second+settleTime), "ggg")
		if w, _ := d.Finger(touch.Hold, 0, from, from, 0); w.Verb != "power" || w.Args.Text("state") != "off" {
			t.Errorf("hold: got %+v", w)
		}
		// This swipe is so fast that no drag gesture comes before it.
		d.Finger(touch.Swipe, touch.Left, from, image.Pt(100, 50), 8*time.Second)
		d.Step(8 * time.Second)
		is("a flick", shown(), "blue")
		is("its end", colors(9*time.Second), "bbb")
		// A swipe action of the widget takes precedence over the pages, which then do not move.
		d.Finger(touch.Drag, touch.Left, from, image.Pt(100, 50), 9*time.Second)
		is("an own swipe's drag", colors(9*time.Second), "bbb")
		if w, _ := d.Finger(touch.Swipe, touch.Left, from, image.Pt(100, 50), 9*time.Second); w.Verb != "theme" || w.Args.Text("mode") != "night" {
			t.Errorf("an own swipe: got %+v", w)
		}
		is("the page after it", shown(), "blue")
		if w, ok := d.Finger(touch.Swipe, touch.Upward, from, image.Pt(150, 0), 9*time.Second); ok {
			t.Errorf("a swipe that nobody takes: got %+v", w)
		}
	})
}

// TestDragGoesBack checks a canceled drag. After half of the time for moving back, the page must be almost in its original place.
func TestDragGoesBack(t *testing.T) {
	walltest.TouchedWall(t, walltest.SwipeWall, image.Pt(200, 100), func(d *walltest.Data, _ *page.Pages) {
		from, to := image.Pt(150, 50), image.Pt(30, 50)
		middle := func(after time.Duration) color.RGBA {
			d.Step(after)
			return d.R.Frame().RGBAAt(100, 50)
		}
		first := middle(0)
		d.Finger(touch.Drag, touch.Left, from, to, 0)
		if got := middle(10 * time.Millisecond); got == first {
			t.Errorf("dragged by 120: got %v in the middle, want the next page", got)
		}
		d.Finger(touch.Cancel, touch.Left, from, to, time.Second)
		middle(time.Second)
		if got := middle(time.Second + settleTime/2); got != first {
			t.Errorf("going back: got %v in the middle, want the page before, %v", got, first)
		}
	})
}
