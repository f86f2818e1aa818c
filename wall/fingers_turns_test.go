package wall

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/control"
	"dashboard/control/page"
	"dashboard/control/verb"
)

// TestTouchPausesTurns checks that pages do not turn automatically while a person uses the screen.
// They turn again a minute after the last touch, even if the files are reloaded in between.
func TestTouchPausesTurns(t *testing.T) {
	wall := "widgets:\n  - widget: pages\n    margin: 0\n    transition: none\n    dwell: 10s\n    children:\n      - {widget: empty, name: red, color: red}\n      - {widget: empty, name: blue, color: blue}\n"
	touchable(t, touchConf, wall, func(s *Service, g *glass) {
		shown := func() page.Status { return s.main().Pages.List(time.Now())[0] }
		was := shown()
		touched := time.Now()
		g.tap(0.5, 0.5)
		time.Sleep(50 * time.Second)
		if synctest.Wait(); shown().Page != was.Page {
			t.Errorf("50 s after a touch: %s came", shown().Page)
		}
		if left := shown().Until.Sub(touched); left < page.TouchPause || left > page.TouchPause+time.Second {
			t.Errorf("it says that it stays for %v after the touch", left)
		}
		g.tap(0.5, 0.5)
		time.Sleep(50 * time.Second)
		if synctest.Wait(); shown().Page != was.Page || screenPixel(t, 80, 48, 160) != "ff0000" {
			t.Errorf("50 s after another touch: %s came", shown().Page)
		}
		time.Sleep(15 * time.Second)
		if synctest.Wait(); shown().Page == was.Page || screenPixel(t, 80, 48, 160) != "0000ff" {
			t.Errorf("65 s after the last touch: %s is still there", was.Page)
		}
		time.Sleep(10 * time.Second)
		if synctest.Wait(); shown().Page != was.Page {
			t.Error("pages take no turns any more")
		}
	})
}

// TestTouchOnAButton checks two touches of a notification. A touch of a visible button runs the button's action and ends the
// notification. A touch next to the buttons only ends the notification.
func TestTouchOnAButton(t *testing.T) {
	conf := "graphics: {resolution: [640, 400], motion: reduced}\nnotifications: {kind: card, dim: 0.5}\n" +
		"outputs: [{type: window, driver: virtual, device: screen.raw, vsync: false, touch: glass, size: [640, 400]}]\n"
	touchable(t, conf, quarters, func(s *Service, g *glass) {
		ask := func() {
			body := `{"id": "bell", "title": "Door", "color": "#ff00ff", "hold": true, "actions": [{"label": "Come", "page": "se"}, {"label": "No", "page": "sw"}]}`
			if _, err := s.verbs.Do(context.Background(), control.Action{By: control.Caller{Via: "test"}, Verb: "notify", Args: verb.Args{"body": json.RawMessage(body)}}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * time.Second)
			synctest.Wait()
		}
		shown := func() string { return s.main().Pages.List(time.Now())[0].Page }
		for _, tt := range []struct {
			name, page string
			at         func() (x, y float64)
		}{
			{"beside the card", "home", func() (x, y float64) { return 0.02, 0.02 }},
			{"the first button", "se", func() (x, y float64) { return middleOf(t, "ff00ff", 640, 400) }},
			{"the second button", "sw", func() (x, y float64) { x, y = middleOf(t, "ff00ff", 640, 400); return 1 - x, y }},
		} {
			if _, err := s.main().Pages.Show("home", 0, time.Now()); err != nil {
				t.Fatal(err)
			}
			ask()
			g.tap(tt.at())
			time.Sleep(time.Second)
			if synctest.Wait(); shown() != tt.page || len(s.main().Notes.List()) != 0 {
				t.Errorf("%s: got page %s, want %s; notifications %v", tt.name, shown(), tt.page, s.main().Notes.List())
			}
		}
	})
}

// middleOf returns the center of the area that has the given color on the virtual screen. x and y are between 0 and 1.
func middleOf(t *testing.T, color string, width, height int) (x, y float64) {
	t.Helper()
	b, err := os.ReadFile("screen.raw")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for at := range width * height {
		if p := b[4*at:]; fmt.Sprintf("%02x%02x%02x", p[2], p[1], p[0]) == color {
			x, y, n = x+float64(at%width), y+float64(at/width), n+1
		}
	}
	if n < 100 {
		t.Fatalf("%d pixels of %s, want a button's", n, strings.ToUpper(color))
	}
	return (x/float64(n) + 0.5) / float64(width), (y/float64(n) + 0.5) / float64(height)
}
