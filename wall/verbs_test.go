package wall

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"dashboard/control"
	"dashboard/control/verb"
	"dashboard/server"
	"dashboard/wall/outputs"
)

// TestEveryVerbHasAnEffect checks that every declared verb has an effect in a running service.
func TestEveryVerbHasAnEffect(t *testing.T) {
	s := newService(parts{opts: Options{}, stderr: io.Discard, devices: outputs.ThisMachine()})
	for _, v := range verb.All() {
		if !s.verbs.Has(v.Name) {
			t.Errorf("the verb %s has no effect: write it in wall/verbs.go, or in control/effects.go", v.Name)
		}
	}
}

// TestTouchFromAfar checks a touch by the remote. It has the same effect as a finger at the same point of the picture. This includes a
// wall that is rotated by 180 degrees and a wall whose screen is off.
func TestTouchFromAfar(t *testing.T) {
	wall := strings.Replace(quarters, "color: white, on_tap: {page: se}", "color: white, on_tap: {page: se}, on_double_tap: {page: ne}, on_hold: {page: sw}", 1)
	for _, flip := range []bool{false, true} {
		conf := fmt.Sprintf("graphics: {resolution: [160, 96], flip: %v, motion: reduced}\noutputs: [{type: window, driver: virtual, device: screen.raw, vsync: false, touch: glass}]\n", flip)
		touchable(t, conf, wall, func(s *Service, _ *glass) {
			do := func(name string, args verb.Args) {
				t.Helper()
				a := control.Action{By: control.Caller{Via: "http"}, Verb: name, Args: args}
				if _, err := s.verbs.Do(context.Background(), a); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Second)
			}
			do("power", verb.Args{"state": "off"})
			for _, one := range []struct {
				x, y          float64
				gesture, want string
			}{
				{0.2, 0.2, "tap", "nw"}, {0.8, 0.2, "", "ne"}, {0.2, 0.9, "tap", "sw"}, {1, 1, "tap", "se"}, {0.9, 0.9, "double_tap", "ne"},
				{0.9, 0.9, "hold", "sw"}, {0.2, 0.2, "hold", "home"},
			} {
				do("page", verb.Args{"page": "home"})
				args := verb.Args{"x": one.x, "y": one.y}
				if flip {
					args = verb.Args{"x": 1 - one.x, "y": 1 - one.y}
				}
				if one.gesture != "" {
					args["gesture"] = one.gesture
				}
				do("touch", args)
				if got := s.main().Pages.List(time.Now())[0].Page; got != one.want {
					t.Errorf("flip %v, %s at %v, %v: got %s, want %s", flip, one.gesture, one.x, one.y, got, one.want)
				}
			}
			if s.main().Power.State().On {
				t.Error("a touch from afar switches the screen on")
			}
		})
	}
}

// `handled` is a wall with a card and with rows that react to taps. A widget on a hidden page is not listed.
const handled = `widgets:
  - widget: pages
    margin: 0
    transition: none
    dwell: 1h
    children:
      - widget: row
        name: home
        children:
          - {widget: card, title: Door, value: open, on_tap: {page: door}}
          - widget: list
            title: Rooms
            items:
              - {text: Hall, value: "on", on_tap: {page: hall}}
              - {text: Cellar, value: "off"}
              - {text: Attic, on_tap: {page: attic}}
      - {widget: empty, name: door, on_tap: {page: home}}
      - {widget: empty, name: hall}
      - {widget: empty, name: attic}
`

// TestHandles checks that the remote receives the places on the shown page that react to taps, with
// a text for each. A touch at such a place has the effect that the text describes.
func TestHandles(t *testing.T) {
	conf := "graphics: {resolution: [640, 360], motion: reduced}\noutputs: [{type: window, driver: virtual, device: screen.raw, vsync: false, touch: glass}]\n"
	touchable(t, conf, "theme: calm\n"+handled, func(s *Service, _ *glass) {
		list := func() []server.Handle {
			t.Helper()
			_, all, err := s.Survey(context.Background(), "")
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		var said []string
		for _, h := range list() {
			said = append(said, h.Label+"="+h.State)
			for _, a := range []control.Action{
				{Verb: "page", Args: verb.Args{"page": "home"}},
				{Verb: "touch", Args: verb.Args{"x": float64(h.At.X) / 640, "y": float64(h.At.Y) / 360}},
			} {
				if _, err := s.verbs.Do(context.Background(), a); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Second)
			}
			if got := s.main().Pages.List(time.Now())[0].Page; got != strings.ToLower(h.Label) {
				t.Errorf("a touch at %v of %s: got the page %s", h.At, h.Label, got)
			}
		}
		if want := "Door=open Hall=on Attic="; strings.Join(said, " ") != want {
			t.Errorf("got %q, want %q", said, want)
		}
		if _, err := s.verbs.Do(context.Background(), control.Action{Verb: "page", Args: verb.Args{"page": "door"}}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if all := list(); len(all) != 1 || all[0].Label != "door" {
			t.Errorf("a widget without a text: got %+v, want one with its name", all)
		}
	})
}
