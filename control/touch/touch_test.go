package touch

import (
	"fmt"
	"image"
	"strings"
	"testing"
	"time"
)

// A step is the state of the fingers at a time: milliseconds, number of fingers, and position of the first finger.
type step struct{ at, fingers, x, y int }

// said() returns the gestures that steps cause, as text.
func said(size image.Point, steps ...step) string {
	m := &Machine{Size: size}
	var all []string
	say := func(g Gesture) {
		switch g.Kind {
		case None:
		case Drag:
			all = append(all, fmt.Sprintf("drag %v %d", g.To, g.By()))
		case Swipe:
			all = append(all, "swipe "+g.To.String())
		case Tap:
			all = append(all, fmt.Sprintf("tap %d", g.Count))
		default:
			all = append(all, g.Kind.String())
		}
	}
	for _, s := range steps {
		now := time.Duration(s.at) * time.Millisecond
		if due := m.Due(); due >= 0 && now > due {
			say(m.Late(due))
		}
		say(m.Step(now, s.fingers, image.Pt(s.x, s.y)))
	}
	return strings.Join(all, ", ")
}

func TestMachine(t *testing.T) {
	wide := image.Pt(1280, 720)
	for name, c := range map[string]struct {
		size  image.Point
		steps []step
		want  string
	}{
		"tap":                          {wide, []step{{0, 1, 100, 100}, {200, 0, 0, 0}}, "down, tap 1"},
		"tap with a finger that rolls": {wide, []step{{0, 1, 100, 100}, {50, 1, 108, 92}, {200, 0, 0, 0}}, "down, tap 1"},
		"double tap":                   {wide, []step{{0, 1, 9, 9}, {90, 0, 0, 0}, {250, 1, 20, 20}, {330, 0, 0, 0}, {400, 1, 9, 9}, {450, 0, 0, 0}}, "down, tap 1, down, tap 2, down, tap 1"},
		"two taps apart":               {wide, []step{{0, 1, 9, 9}, {90, 0, 0, 0}, {250, 1, 200, 9}, {330, 0, 0, 0}}, "down, tap 1, down, tap 1"},
		"two taps too late":            {wide, []step{{0, 1, 9, 9}, {90, 0, 0, 0}, {600, 1, 9, 9}, {650, 0, 0, 0}}, "down, tap 1, alone, down, tap 1"},
		"three taps, and no fourth":    {wide, []step{{0, 1, 9, 9}, {50, 0, 0, 0}, {150, 1, 9, 9}, {200, 0, 0, 0}, {300, 1, 9, 9}, {350, 0, 0, 0}, {9000, 0, 0, 0}}, "down, tap 1, down, tap 2, down, tap 1, alone"},
		"a tap, then a hold":           {wide, []step{{0, 1, 9, 9}, {90, 0, 0, 0}, {250, 1, 9, 9}, {2000, 0, 0, 0}}, "down, tap 1, down, hold, up"},
		"a tap, then a swipe":          {wide, []step{{0, 1, 600, 9}, {90, 0, 0, 0}, {250, 1, 600, 9}, {400, 1, 200, 9}, {450, 0, 0, 0}}, "down, tap 1, down, drag left 400, swipe left"},
		"a slow second tap":            {wide, []step{{0, 1, 9, 9}, {90, 0, 0, 0}, {250, 1, 9, 9}, {750, 0, 0, 0}}, "down, tap 1, down, up"},
		"hold":                         {wide, []step{{0, 1, 9, 9}, {900, 1, 9, 9}, {1500, 0, 0, 0}}, "down, hold, up"},
		"hold, told by nothing":        {wide, []step{{0, 1, 9, 9}, {5000, 0, 0, 0}}, "down, hold, up"},
		"neither tap nor hold":         {wide, []step{{0, 1, 9, 9}, {600, 0, 0, 0}}, "down, up"},
		"a hold that slips afterwards": {wide, []step{{0, 1, 9, 9}, {900, 1, 9, 9}, {1000, 1, 400, 9}, {1500, 0, 0, 0}}, "down, hold, up"},
		"swipe left":                   {wide, []step{{0, 1, 900, 300}, {100, 1, 800, 310}, {600, 1, 600, 320}, {700, 0, 0, 0}}, "down, drag left 100, drag left 300, swipe left"},
		"swipe right, a flick":         {wide, []step{{0, 1, 100, 300}, {100, 1, 160, 300}, {150, 0, 0, 0}}, "down, drag right 60, swipe right"},
		"too short":                    {wide, []step{{0, 1, 100, 300}, {300, 1, 160, 300}, {400, 0, 0, 0}}, "down, drag right 60, cancel"},
		"swipe up":                     {wide, []step{{0, 1, 100, 600}, {300, 1, 90, 300}, {400, 0, 0, 0}}, "down, drag up 300, swipe up"},
		"swipe down":                   {wide, []step{{0, 1, 100, 100}, {300, 1, 90, 400}, {400, 0, 0, 0}}, "down, drag down 300, swipe down"},
		"taken back":                   {wide, []step{{0, 1, 900, 300}, {100, 1, 600, 300}, {300, 1, 880, 300}, {900, 0, 0, 0}}, "down, drag left 300, drag left 20, cancel"},
		"turned round":                 {wide, []step{{0, 1, 500, 300}, {100, 1, 400, 300}, {300, 1, 800, 300}, {900, 0, 0, 0}}, "down, drag left 100, drag right 300, swipe right"},
		"another finger comes":         {wide, []step{{0, 1, 900, 300}, {100, 1, 600, 300}, {200, 2, 600, 300}, {300, 1, 0, 0}, {400, 0, 0, 0}}, "down, drag left 300, cancel, up"},
		"two fingers at once":          {wide, []step{{0, 2, 900, 300}, {100, 2, 600, 300}, {300, 0, 0, 0}}, "down, up"},
		"upright wall":                 {image.Pt(720, 1280), []step{{0, 1, 500, 300}, {300, 1, 380, 300}, {400, 0, 0, 0}}, "down, drag left 120, swipe left"},
		"a small wall's taps":          {image.Pt(320, 240), []step{{0, 1, 50, 30}, {100, 1, 57, 30}, {200, 0, 0, 0}}, "down, tap 1"},
		"a large wall's taps":          {image.Pt(3840, 2160), []step{{0, 1, 50, 30}, {100, 1, 84, 30}, {200, 0, 0, 0}}, "down, tap 1"},
		"nothing":                      {wide, []step{{0, 0, 0, 0}, {100, 0, 5, 5}}, ""},
	} {
		if got := said(c.size, c.steps...); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// The touch that switches the wall on is ignored until all fingers are lifted. The next tap counts.
func TestIgnore(t *testing.T) {
	m := &Machine{Size: image.Pt(800, 480)}
	at := image.Pt(400, 200)
	m.Step(0, 1, at)
	if g := m.Ignore(); g.Kind != None || m.Rest() {
		t.Errorf("got %v, at rest %v", g.Kind, m.Rest())
	}
	if g := m.Step(1, 1, image.Pt(9, 9)); g.Kind != None || m.Due() >= 0 {
		t.Errorf("a finger that is ignored: got %v", g.Kind)
	}
	if g := m.Step(2, 0, at); g.Kind != Up || !m.Rest() {
		t.Errorf("the end: got %v", g.Kind)
	}
	m.Step(3, 1, at)
	if g := m.Step(4, 0, at); g.Kind != Tap || g.From != at {
		t.Errorf("the next one: got %v at %v", g.Kind, g.From)
	}
	if g := m.Ignore(); g.Kind != Alone || m.Due() >= 0 {
		t.Errorf("no second one comes any more: got %v", g.Kind)
	}
	if g := m.Ignore(); g.Kind != None {
		t.Errorf("once more: got %v", g.Kind)
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	m, now := &Machine{Size: image.Pt(800, 480)}, time.Duration(0)
	if n := testing.AllocsPerRun(100, func() {
		m.Step(now, 1, image.Pt(400, 200))
		m.Step(now+1, 1, image.Pt(100, 200))
		m.Step(now+2, 0, image.Pt(100, 200))
		now += time.Second
	}); n != 0 {
		t.Errorf("got %v allocations", n)
	}
}
