package widgets

import (
	"flag"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dashboard/control"
	"dashboard/control/page"
	"dashboard/control/touch"
	"dashboard/widgets/walltest"
)

var update = flag.Lookup("update")

// TestTouchMap draws maps of a wall in both orientations. In a map, a letter for every tenth pixel stands for the action of a touch at
// this pixel.
func TestTouchMap(t *testing.T) {
	for name, size := range map[string]image.Point{"wide": {640, 400}, "upright": {360, 640}} {
		t.Run(name, func(t *testing.T) {
			walltest.TouchedWall(t, walltest.TouchWall, size, func(d *walltest.Data, _ *page.Pages) {
				d.Step(0)
				got := touchMap(d, size)
				path := filepath.Join("testdata", "touch", name+".txt")
				if update != nil && update.Value.String() == "true" {
					if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil || got != string(want) {
					t.Errorf("%v, got:\n%s\nwant:\n%s", err, got, want)
				}
			})
		})
	}
}

func touchMap(d *walltest.Data, size image.Point) string {
	letters, order := map[string]byte{}, []string{}
	var s strings.Builder
	for y := 5; y < size.Y; y += 10 {
		for x := 5; x < size.X; x += 10 {
			w, ok := d.TapAt(image.Pt(x, y))
			if !ok {
				s.WriteByte('.')
				continue
			}
			said := fmt.Sprintf("%s: %s", w.By.From, actionWords(w))
			if letters[said] == 0 {
				letters[said] = byte('A' + len(order))
				order = append(order, said)
			}
			s.WriteByte(letters[said])
		}
		s.WriteByte('\n')
	}
	for _, said := range order {
		fmt.Fprintf(&s, "%c %s\n", letters[said], said)
	}
	return s.String()
}

func actionWords(a control.Action) string {
	switch a.Verb {
	case "":
		return "nothing"
	case "timer":
		return fmt.Sprintf("timer %s %v", a.Args.Text("name"), a.Args.Time("duration"))
	case "action":
		return "toggle " + a.Args.Text("entity")
	case "page":
		return "page " + a.Args.Text("page")
	case "brightness":
		return fmt.Sprint("brightness ", a.Args.Float("brightness"))
	}
	return "theme " + a.Args.Text("mode") + " power " + a.Args.Text("state") + " dismiss " + a.Args.Text("id")
}

// TestSwipeInterrupted checks that a page that is selected during a drag is shown after the drag.
func TestSwipeInterrupted(t *testing.T) {
	walltest.TouchedWall(t, walltest.SwipeWall, image.Pt(200, 100), func(d *walltest.Data, all *page.Pages) {
		from := image.Pt(150, 50)
		d.Step(0)
		d.Finger(touch.Drag, touch.Left, from, image.Pt(100, 50), 0)
		d.Step(time.Millisecond)
		if _, err := all.Show("blue", 0, walltest.T0.Add(time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		d.Step(2 * time.Millisecond)
		d.Step(2 * time.Second)
		d.Finger(touch.Cancel, touch.Left, from, image.Pt(100, 50), 2*time.Second)
		d.Step(2 * time.Second)
		d.Step(4 * time.Second)
		if c := d.R.Frame().RGBAAt(100, 50); c.B < 200 {
			t.Errorf("got %v, want blue", c)
		}
	})
}

// TestSwipeReduced checks that nothing moves with the finger if the pages have no transition. The page turns when the finger leaves the
// screen.
func TestSwipeReduced(t *testing.T) {
	walltest.TouchedWall(t, strings.Replace(walltest.SwipeWall, "{kind: slide, duration: 600ms}", "none", 1), image.Pt(200, 100), func(d *walltest.Data, all *page.Pages) {
		from, at := image.Pt(150, 50), image.Pt(100, 50)
		d.Step(0)
		d.Finger(touch.Drag, touch.Left, from, at, 0)
		d.Step(0)
		if c := d.R.Frame().RGBAAt(197, 50); c.R < 200 {
			t.Errorf("dragged: got %v", c)
		}
		d.Finger(touch.Swipe, touch.Left, from, at, 0)
		d.Step(0)
		if c := d.R.Frame().RGBAAt(100, 50); c.G < 200 {
			t.Errorf("swiped: got %v", c)
		}
	})
}

// TestDragAllocatesNothing checks that the frames of a drag allocate no memory.
func TestDragAllocatesNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	walltest.TouchedWall(t, walltest.SwipeWall, image.Pt(200, 100), func(d *walltest.Data, _ *page.Pages) {
		d.Step(0)
		x, at := 0, time.Duration(0)
		drag := func() {
			x, at = x%90+1, at+time.Millisecond
			d.Tree.Touch(touch.Gesture{Kind: touch.Drag, To: touch.Left, From: image.Pt(150, 50), At: image.Pt(150-x, 50)}, walltest.T0.Add(at))
			d.R.Step(walltest.T0.Add(at))
		}
		drag()
		if n := testing.AllocsPerRun(50, drag); n != 0 {
			t.Errorf("got %v allocations a frame", n)
		}
	})
}
