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
	"dashboard/wall/outputs"
)

// TestEveryVerbHasAnEffect: a declared verb does something in a running service.
func TestEveryVerbHasAnEffect(t *testing.T) {
	s := newService(parts{opts: Options{}, stderr: io.Discard, devices: outputs.ThisMachine()})
	for _, v := range verb.All() {
		if !s.verbs.Has(v.Name) {
			t.Errorf("the verb %s has no effect: write it in wall/verbs.go, or in control/effects.go", v.Name)
		}
	}
}

// TestTouchFromAfar: a touch that the remote asks for does what a finger at this point of the picture does, also on a wall turned by 180
// degrees and while its screen is off.
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
