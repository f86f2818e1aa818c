package wall

import (
	"errors"
	"image"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/startscreen"
	"dashboard/control/pairing"
	"dashboard/fb/evdev"
	"dashboard/wall/outputs"
)

// aboveConf is the configuration of a wall with enough room for a badge and a question.
const aboveConf = "graphics: {resolution: [800, 480], motion: reduced, flip: FLIP}\noutputs: [{type: window, driver: virtual, device: screen.raw, vsync: false, touch: glass}]\n"

// above() returns what the window shows over the wall.
func above(t *testing.T, s *Service) *outputs.Above {
	t.Helper()
	s.redraw()
	synctest.Wait()
	a := s.main().Outs.List()[0].Above()
	if a == nil {
		t.Fatal("nothing is shown above the wall")
	}
	return a
}

// tapAt taps the middle of a rectangle in the picture that a person sees. `flip` is the value of graphics.flip.
func (g *glass) tapAt(place image.Rectangle, flip bool) {
	x, y := float64(place.Min.X+place.Max.X)/1600, float64(place.Min.Y+place.Max.Y)/960
	if flip {
		x, y = 1-x, 1-y
	}
	g.tap(x, y)
}

// A touch of the badge, or Enter, requests the codes of the access point once. A touch next to the badge is for the wall. While the wall
// shows the codes, all touches are for the codes.
func TestTouchOfTheBadge(t *testing.T) {
	for _, flip := range []bool{false, true} {
		conf := strings.Replace(aboveConf, "FLIP", map[bool]string{true: "true", false: "false"}[flip], 1)
		touchable(t, conf, quarters, func(s *Service, g *glass) {
			s.opts.AskSocket = "no-keeper"
			asked := func(what string, do func(), want bool, page string) {
				t.Helper()
				time.Sleep(2 * codesPause)
				before := s.codesAt.Load()
				do()
				if got := s.codesAt.Load() != before; got != want {
					t.Errorf("flip %v: %s: asks for the codes: %v", flip, what, got)
				}
				if got := s.main().Pages.List(time.Now())[0].Page; got != page {
					t.Errorf("flip %v: %s: got the page %s, want %s", flip, what, got, page)
				}
			}
			s.note.Guide.Store(&outputs.Guide{Guide: about.Guide{Badge: true, Icon: "wifi-off", Role: "warn", Title: "No network since 9:12"}})
			badge := above(t, s).At
			asked("the badge", func() { g.tapAt(badge, flip) }, true, "home")
			asked("Enter", func() { g.key(evdev.KeyEnter) }, true, "home")
			asked("Escape", func() { g.key(evdev.KeyEsc) }, false, "home")
			asked("twice", func() {
				g.tapAt(badge, flip)
				last := s.codesAt.Load()
				if g.tapAt(badge, flip); s.codesAt.Load() != last {
					t.Error("the second of two touches asks again")
				}
			}, true, "home")
			s.note.Guide.Store(&outputs.Guide{Guide: about.Guide{Title: "Scan this"}})
			above(t, s)
			asked("the codes", func() { g.tapAt(image.Rect(600, 300, 800, 480), flip) }, true, "home")
			asked("Escape over the codes", func() { g.key(evdev.KeyEsc) }, true, "home")
			s.note.Guide.Store(nil)
			s.redraw()
			synctest.Wait()
			asked("the wall", func() { g.tapAt(image.Rect(600, 300, 800, 480), flip) }, false, "se")
		})
	}
}

// The button Refuse on the wall and the key Back refuse the request of a device, also if another device has allowed it already. The device
// then has to wait before another request.
func TestRefuseOnTheWall(t *testing.T) {
	conf := strings.Replace(aboveConf, "FLIP", "false", 1)
	touchable(t, conf, quarters, func(s *Service, g *glass) {
		for address, refuse := range map[string]func(*outputs.Above){
			"192.0.2.1": func(a *outputs.Above) { g.tapAt(a.Button, false) },
			"192.0.2.2": func(*outputs.Above) { g.key(evdev.KeyEsc) },
		} {
			r, secret, err := s.editors.AskFrom("Anna's phone", address, "Safari on iPhone", time.Now())
			if err != nil {
				t.Fatal(err)
			}
			s.showEditCode(r.ID, r.Code, r.Name)
			touched := *s.note.Now.Load() // the note has the button Refuse only if the wall has a touchscreen
			if got := touched.Ask.From; got != "Safari on iPhone" {
				t.Errorf("the question is from %q, want Safari on iPhone", got)
			}
			touched.Ask = &startscreen.Ask{Refuse: true}
			s.note.Now.Store(&touched)
			a := above(t, s)
			if a.Asks == nil || a.Button.Empty() {
				t.Fatalf("got %+v, want a question", a)
			}
			g.tapAt(image.Rectangle{Min: a.At.Min, Max: a.Button.Min}, false)
			if len(s.editors.Waiting(time.Now())) != 1 {
				t.Error("a touch next to the button refuses")
			}
			if address == "192.0.2.2" {
				if _, err := s.editors.Allow(r.ID, time.Now()); err != nil {
					t.Fatal(err)
				}
			}
			refuse(a)
			if got := s.editors.Asking(time.Now()); len(got) != 0 || s.askedToEdit.Load() != nil {
				t.Errorf("still waits: %v", got)
			}
			if state, _, _, _ := s.editors.Collect(secret, time.Now()); state != pairing.Refused {
				t.Errorf("%s: got %s", address, state)
			}
			if _, _, err := s.editors.Ask("Anna's phone", address, time.Now()); !errors.Is(err, pairing.ErrBlocked) {
				t.Errorf("asks again: got %v, want %v", err, pairing.ErrBlocked)
			}
		}
		if got := s.main().Pages.List(time.Now())[0].Page; got != "home" {
			t.Errorf("a touch of the question turned to the page %s", got)
		}
	})
}
