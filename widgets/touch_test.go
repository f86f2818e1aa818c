package widgets

import (
	"flag"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/control/timer"
	"dashboard/control/touch"
	"dashboard/theme/look"
)

// touchWall has something to touch in every container there is.
const touchWall = `
widgets:
  - widget: layout
    areas: ["stack list", "timer pages", "cards classic"]
    portrait: {areas: [stack, list, timer, pages, cards, classic]}
    children:
      - widget: stack
        area: stack
        children:
          - {widget: empty, name: behind, on_tap: {page: a}}
          - {widget: icon, name: over, icon: mdi:star, place: center, size: 50%, on_tap: {page: b}}
          - {widget: icon, name: idle, icon: mdi:star, place: top left, size: 30%}
      - {widget: list, area: list, title: L, items: [{text: hall, entity: light.hall, on_tap: toggle}, {text: nothing}, {text: door, on_tap: {power: toggle}}]}
      - {widget: timer, area: timer, name: tea, duration: 4m, presets: [1m, 10m]}
      - widget: pages
        area: pages
        name: turn
        children:
          - {widget: card, name: a, value: 1, on_tap: {page: b}}
          - {widget: empty, name: b, on_tap: {page: a}}
      - widget: card
        area: cards
        name: outer
        on_tap: {theme: night}
        children:
          - {widget: progress, name: bar, value: 3, on_tap: {brightness: 40%}}
          - {widget: progress, name: gone, value: 3, when: {value: 0}, on_tap: {brightness: 40%}}
      - widget: grid
        area: classic
        rows: 1
        columns: 2
        children:
          - {widget: label, text: x, position: below, children: [{widget: empty, name: in label, on_tap: {dismiss: all}}]}
          - widget: pill
            children: [{widget: empty, name: pill, on_tap: {page: a}}, {widget: empty, name: badge, on_tap: {page: b}}]
`

func touchedWall(t *testing.T, yaml string, size image.Point, f func(d *data, all *page.Pages)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e := testEnv()
		e.Look, e.Picture = look.Calm(true), size
		e.Notices = &Notices{Kind: "card", Limit: 3}
		all := page.New(func() {})
		e.Pages, e.Timers = all.Begin(), timer.New(func() {}).Begin()
		d := newDataIn(t, e, "background_color: black"+yaml, size)
		all.Commit(e.Pages)
		f(d, all)
	})
}

// tapAt is a tap on a wall.
func (d *data) tapAt(p image.Point) (Wish, bool) {
	return d.tree.Touch(touch.Gesture{Kind: touch.Tap, From: p, At: p, Count: 1}, t0)
}

var update = flag.Lookup("update")

// TestTouchMap draws, for a wall in both orientations, who is touched where: each tenth pixel, a letter for each wish.
func TestTouchMap(t *testing.T) {
	for name, size := range map[string]image.Point{"wide": {640, 400}, "upright": {360, 640}} {
		t.Run(name, func(t *testing.T) {
			touchedWall(t, touchWall, size, func(d *data, _ *page.Pages) {
				d.step(0)
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

func touchMap(d *data, size image.Point) string {
	letters, order := map[string]byte{}, []string{}
	var s strings.Builder
	for y := 5; y < size.Y; y += 10 {
		for x := 5; x < size.X; x += 10 {
			w, ok := d.tapAt(image.Pt(x, y))
			if !ok {
				s.WriteByte('.')
				continue
			}
			said := fmt.Sprintf("%s: %s", w.Widget, wishWords(w))
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

func wishWords(w Wish) string {
	switch {
	case w.Timer != "":
		return fmt.Sprintf("timer %s %v", w.Timer, w.Length)
	case w.Action == nil:
		return "nothing"
	case w.Action.Toggle:
		return "toggle " + w.Entity.ID
	case w.Action.Page != "":
		return "page " + w.Action.Page
	case w.Action.Brightness != nil:
		return fmt.Sprint("brightness ", *w.Action.Brightness)
	}
	return "theme " + w.Action.Theme + " power " + w.Action.Power + " dismiss " + w.Action.Dismiss
}

const swipeWall = `
widgets:
  - widget: pages
    margin: 0
    dwell: 30s
    transition: {kind: slide, duration: 600ms}
    children:
      - {widget: empty, name: red, color: red, on_swipe: {up: {theme: day}}}
      - {widget: empty, name: green, color: lime, on_hold: {power: "off"}}
      - {widget: empty, name: blue, color: blue, on_swipe: {left: {theme: night}}}
`

// A finger on the wall: where it came down, where it is, and what became of it.
func (d *data) finger(k touch.Kind, to touch.Direction, from, at image.Point, now time.Duration) (Wish, bool) {
	return d.tree.Touch(touch.Gesture{Kind: k, To: to, From: from, At: at}, t0.Add(now))
}

// Pages follow the finger, go on from where it lets go, and come back if it was not far enough.
func TestSwipe(t *testing.T) {
	size := image.Pt(200, 100)
	touchedWall(t, swipeWall, size, func(d *data, all *page.Pages) {
		colors := func(after time.Duration) string { // at the left edge, the middle and the right edge
			d.step(after)
			s := ""
			for _, x := range []int{2, 100, 197} {
				c := d.r.Frame().RGBAAt(x, 50)
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
		shown := func() string { return all.List(t0.Add(time.Second))[0].Page }
		is := func(what, got, want string) {
			t.Helper()
			if got != want {
				t.Errorf("%s: got %q, want %q", what, got, want)
			}
		}
		from := image.Pt(150, 50)
		is("at first", colors(0), "rrr")
		d.finger(touch.Drag, touch.Left, from, image.Pt(130, 50), 0)
		is("dragged by 20", colors(10*time.Millisecond), "rrg")
		d.finger(touch.Drag, touch.Left, from, image.Pt(30, 50), 0)
		is("dragged by 120", colors(20*time.Millisecond), "rgg")
		is("a finger that rests", colors(5*time.Second), "rgg")
		is("the page meanwhile", shown(), "red")
		d.finger(touch.Drag, touch.Right, from, image.Pt(170, 50), 5*time.Second)
		is("turned round: the page before", colors(5*time.Second), "brr")
		d.finger(touch.Cancel, touch.Right, from, image.Pt(170, 50), 5*time.Second)
		is("going back", colors(5*time.Second), "brr")
		is("back", colors(6*time.Second), "rrr")
		is("the page after that", shown(), "red")

		d.finger(touch.Drag, touch.Left, from, image.Pt(100, 50), 7*time.Second)
		is("dragged by 50", colors(7*time.Second), "rrg")
		if w, ok := d.finger(touch.Swipe, touch.Left, from, image.Pt(100, 50), 7*time.Second); !ok || w.Action != nil {
			t.Errorf("a swipe over pages: got %+v, %v", w, ok)
		}
		is("the page at once", shown(), "green")
		is("from where it was let go", colors(7*time.Second), "rrg")
		is("in time", colors(7*time.Second+settleTime), "ggg")
		if w, _ := d.finger(touch.Hold, 0, from, from, 0); w.Action == nil || w.Action.Power != "off" {
			t.Errorf("hold: got %+v", w)
		}
		// Without a drag before it, as one that was too quick to be seen.
		d.finger(touch.Swipe, touch.Left, from, image.Pt(100, 50), 8*time.Second)
		d.step(8 * time.Second)
		is("a flick", shown(), "blue")
		is("its end", colors(9*time.Second), "bbb")
		// A widget's own swipe comes before the pages', and nothing moves.
		d.finger(touch.Drag, touch.Left, from, image.Pt(100, 50), 9*time.Second)
		is("an own swipe's drag", colors(9*time.Second), "bbb")
		if w, _ := d.finger(touch.Swipe, touch.Left, from, image.Pt(100, 50), 9*time.Second); w.Action == nil || w.Action.Theme != "night" {
			t.Errorf("an own swipe: got %+v", w)
		}
		is("the page after it", shown(), "blue")
		if w, ok := d.finger(touch.Swipe, touch.Upward, from, image.Pt(150, 0), 9*time.Second); ok {
			t.Errorf("a swipe that nobody takes: got %+v", w)
		}
	})
}

// A page that is turned to by something else while a finger drags has its own way.
func TestSwipeInterrupted(t *testing.T) {
	touchedWall(t, swipeWall, image.Pt(200, 100), func(d *data, all *page.Pages) {
		from := image.Pt(150, 50)
		d.step(0)
		d.finger(touch.Drag, touch.Left, from, image.Pt(100, 50), 0)
		d.step(time.Millisecond)
		if _, err := all.Show("blue", 0, t0.Add(time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		d.step(2 * time.Millisecond)
		d.step(2 * time.Second)
		d.finger(touch.Cancel, touch.Left, from, image.Pt(100, 50), 2*time.Second)
		d.step(2 * time.Second)
		d.step(4 * time.Second)
		if c := d.r.Frame().RGBAAt(100, 50); c.B < 200 {
			t.Errorf("got %v, want blue", c)
		}
	})
}

// Where motion is reduced nothing follows; the page turns when the finger lets go.
func TestSwipeReduced(t *testing.T) {
	touchedWall(t, strings.Replace(swipeWall, "{kind: slide, duration: 600ms}", "none", 1), image.Pt(200, 100), func(d *data, all *page.Pages) {
		from, at := image.Pt(150, 50), image.Pt(100, 50)
		d.step(0)
		d.finger(touch.Drag, touch.Left, from, at, 0)
		d.step(0)
		if c := d.r.Frame().RGBAAt(197, 50); c.R < 200 {
			t.Errorf("dragged: got %v", c)
		}
		d.finger(touch.Swipe, touch.Left, from, at, 0)
		d.step(0)
		if c := d.r.Frame().RGBAAt(100, 50); c.G < 200 {
			t.Errorf("swiped: got %v", c)
		}
	})
}

// Frames of a drag allocate nothing.
func TestDragAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	touchedWall(t, swipeWall, image.Pt(200, 100), func(d *data, _ *page.Pages) {
		d.step(0)
		x, at := 0, time.Duration(0)
		drag := func() {
			x, at = x%90+1, at+time.Millisecond
			d.tree.Touch(touch.Gesture{Kind: touch.Drag, To: touch.Left, From: image.Pt(150, 50), At: image.Pt(150-x, 50)}, t0.Add(at))
			d.r.Step(t0.Add(at))
		}
		drag()
		if n := testing.AllocsPerRun(50, drag); n != 0 {
			t.Errorf("got %v allocations a frame", n)
		}
	})
}

// A tap on a notification has it go, one beside a card too; the wall behind is not meant.
func TestTapOnNotification(t *testing.T) {
	size := image.Pt(640, 400)
	touchedWall(t, touchWall, size, func(d *data, _ *page.Pages) {
		d.tell(notify.Notification{Title: "Door", Text: "Somebody is there"})
		d.tell(notify.Notification{Title: "Post", Text: "A parcel came"})
		d.step(0)
		d.step(2 * time.Second)
		waiting := func() int {
			d.step(2 * time.Second)
			return len(overlayOf(d.tree).shown)
		}
		if w, ok := d.tapAt(size.Div(2)); !ok || w.Action != nil || waiting() != 1 {
			t.Errorf("on it: got %+v, %v, %d left", w, ok, waiting())
		}
		d.step(3 * time.Second)
		if w, ok := d.tapAt(image.Pt(3, 3)); !ok || w.Action != nil || waiting() != 0 {
			t.Errorf("beside it: got %+v, %v, %d left", w, ok, waiting())
		}
		d.step(4 * time.Second)
		d.step(6 * time.Second)
		if w, _ := d.tapAt(image.Pt(100, 60)); w.Action == nil {
			t.Errorf("the wall again: got %+v", w)
		}
	})
}
