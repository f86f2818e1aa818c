package wall

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/control"
	"dashboard/control/power"
	"dashboard/fb/evdev"
	"dashboard/wall/input"
	"dashboard/wall/outputs"
	"dashboard/wall/view"
)

// `quarters` is a wall of four widgets. A tap on a widget shows another page.
const quarters = `widgets:
  - widget: pages
    margin: 0
    transition: none
    dwell: 1h
    children:
      - widget: grid
        name: home
        rows: 2
        columns: 2
        children:
          - {widget: empty, color: red, on_tap: {page: nw}}
          - {widget: empty, color: green, on_tap: {page: sw}}
          - {widget: empty, color: blue, on_tap: {page: ne}}
          - {widget: empty, color: white, on_tap: {page: se}}
      - {widget: empty, name: nw}
      - {widget: empty, name: ne}
      - {widget: empty, name: sw}
      - {widget: empty, name: se}
`

// glass is a simulated touchscreen. It sends packets to its listener.
type glass struct {
	t    *testing.T
	l    evdev.Listener
	now  int64
	late time.Time
}

func (g *glass) finger(down bool, x, y float64) {
	p := &evdev.Packet{At: g.now}
	if down {
		p.Down, p.Fingers[0] = 1, evdev.Finger{Down: true, X: x, Y: y}
	}
	g.late = g.l.Packet(p)
	g.now += 50_000
	time.Sleep(50 * time.Millisecond)
}

func (g *glass) tap(x, y float64) {
	g.finger(true, x, y)
	g.finger(false, 0, 0)
	synctest.Wait()
}

func (g *glass) key(code uint16) {
	g.l.Packet(&evdev.Packet{At: g.now, Keys: []uint16{code}})
	synctest.Wait()
}

// touchable() calls f with a wall that has a touchscreen over its virtual screen.
func touchable(t *testing.T, conf, wall string, f func(s *Service, g *glass)) {
	t.Helper()
	t.Chdir(t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		s, run := quiet(t, files{"conf.yaml": conf, "widgets.yaml": wall}, io.Discard)
		ctx, cancel := context.WithCancel(t.Context())
		wait := run(ctx)
		done := make(chan struct{})
		go func() { defer close(done); s.runAsked(ctx) }()
		defer func() { cancel(); <-done; wait() }()
		time.Sleep(time.Second)
		l := s.listen(evdev.Info{Name: "Great Glass 3000", Touch: true, Keys: true})
		if l == nil {
			t.Fatal("no screen for it")
		}
		f(s, &glass{t: t, l: l})
	})
}

// A finger on a corner of the screen touches the content that is shown there. This is true for screens in each orientation, with and
// without graphics.flip.
func TestTouchInEveryOrientation(t *testing.T) {
	for _, rotate := range []int{0, 90, 180, 270} {
		for _, flip := range []bool{false, true} {
			conf := fmt.Sprintf("graphics: {resolution: [160, 96], flip: %v, motion: reduced}\noutputs: [{type: window, driver: virtual, device: screen.raw, vsync: false, touch: glass, rotate: %d, size: [160, 160]}]\n", flip, rotate)
			touchable(t, conf, quarters, func(s *Service, g *glass) {
				for _, corner := range []struct{ x, y float64 }{{0.3, 0.4}, {0.7, 0.4}, {0.3, 0.6}, {0.7, 0.6}} {
					px, py := int(corner.x*160), int(corner.y*160)
					seen := screenPixel(t, px, py, 160)
					want := map[string]string{"ff0000": "nw", "00ff00": "sw", "0000ff": "ne", "ffffff": "se"}[seen]
					g.tap(corner.x, corner.y)
					if got := s.main().Pages.List(time.Now())[0].Page; got != want {
						t.Errorf("rotate %d, flip %v, %v: got %s, want %s, of color %s", rotate, flip, corner, got, want, seen)
					}
					if _, err := s.main().Pages.Show("home", 0, time.Now()); err != nil {
						t.Fatal(err)
					}
					time.Sleep(time.Second)
				}
			})
		}
	}
}

// screenPixel returns the color of a pixel of the virtual screen, as rrggbb.
func screenPixel(t *testing.T, x, y, width int) string {
	t.Helper()
	b, err := os.ReadFile("screen.raw")
	if err != nil {
		t.Fatal(err)
	}
	p := b[4*(y*width+x):]
	return fmt.Sprintf("%02x%02x%02x", p[2], p[1], p[0])
}

const touchConf = "graphics: {resolution: [160, 96], motion: reduced}\noutputs: [{type: window, driver: virtual, device: screen.raw, vsync: false, touch: glass}]\n"

// Many dropped actions, for example of a broken key, do not fill the log. Once a minute, a line contains the number of dropped actions.
func TestTooMuchIsToldOnce(t *testing.T) {
	var log bytes.Buffer
	s := newService(parts{opts: Options{}, stderr: &log, devices: outputs.ThisMachine()}) // nothing empties this service's queue of actions
	by := control.Caller{Via: "key", From: "keyboard"}
	s.leftOut.Said = time.Now().Add(time.Hour) // long enough that no line is due, even on a slow machine
	for range 10_000 + view.MaxAsked {
		s.ask(control.Action{By: by})
	}
	if log.Len() > 0 {
		t.Errorf("got %.500s", log.String())
	}
	s.leftOut.Tell(s.leftOut.Said.Add(input.LeftOutEvery), s.log, by)
	if all := log.String(); strings.Count(all, "\n") != 1 || !strings.Contains(all, "count=10001\n") {
		t.Errorf("got %q", all)
	}
	var first input.LeftOut
	first.Tell(time.Now(), s.log, by)
	if n := strings.Count(log.String(), "\n"); n != 2 {
		t.Errorf("the first: got %d lines in all", n)
	}
}

// The first gesture on a dark screen only switches it on, even if the gesture is long.
func TestFirstTouchOnlyWakes(t *testing.T) {
	touchable(t, touchConf+"display: {}\n", quarters, func(s *Service, g *glass) {
		v := s.main()
		v.Power.Ask(power.Off, 0)
		synctest.Wait()
		shown := func() string { return v.Pages.List(time.Now())[0].Page }
		g.finger(true, 0.2, 0.2)
		g.finger(true, 0.9, 0.2)
		g.finger(false, 0, 0)
		synctest.Wait()
		if !v.Power.On() || shown() != "home" {
			t.Errorf("the first touch: on %v, page %s", v.Power.On(), shown())
		}
		g.tap(0.2, 0.2)
		if shown() != "nw" {
			t.Errorf("the second one: page %s", shown())
		}
		v.Power.Ask(power.Off, 0)
		g.key(evdev.KeyRight)
		if !v.Power.On() || shown() != "nw" {
			t.Errorf("a key: on %v, page %s", v.Power.On(), shown())
		}
	})
}

// If the screen's settings exclude touches, a touch of a dark screen does not switch it on and has no effect on the wall.
func TestTouchThatMayNotWake(t *testing.T) {
	touchable(t, touchConf+"display: {wake: [notification]}\n", quarters, func(s *Service, g *glass) {
		s.main().Power.Ask(power.Off, 0)
		g.tap(0.2, 0.2)
		if s.main().Power.On() || s.main().Pages.List(time.Now())[0].Page != "home" {
			t.Error("a touch woke the screen, or meant something")
		}
	})
}

// Touches count as presence. Without touches, the screen is switched off after a while. If there is no touchscreen, the screen stays on.
func TestTouchIsPresence(t *testing.T) {
	touchable(t, touchConf+"display: {off_after: 5m}\n", quarters, func(s *Service, g *glass) {
		v := s.main()
		time.Sleep(20 * time.Minute)
		if !v.Power.On() {
			t.Fatal("without a touchscreen it went off")
		}
		v.Touchable = func() bool { return true }
		v.Power.Look()
		time.Sleep(4 * time.Minute)
		g.tap(0.5, 0.5)
		time.Sleep(4 * time.Minute)
		if !v.Power.On() {
			t.Error("off 4 minutes after a touch")
		}
		time.Sleep(2 * time.Minute)
		if v.Power.On() {
			t.Error("on 6 minutes after a touch")
		}
		g.tap(0.5, 0.5)
		if !v.Power.On() {
			t.Error("a touch does not wake it")
		}
	})
}

func TestKeys(t *testing.T) {
	touchable(t, touchConf, quarters, func(s *Service, g *glass) {
		for _, tt := range []struct {
			code uint16
			want string
		}{
			{evdev.KeyRight, "nw"}, {evdev.KeySpace, "ne"}, {evdev.KeyLeft, "nw"}, {evdev.KeyLeft, "home"}, {evdev.Key1 + 3, "sw"}, {evdev.Key9, "sw"}, {evdev.KeyUp, "sw"}, {evdev.Key1, "home"},
		} {
			g.key(tt.code)
			if got := s.main().Pages.List(time.Now())[0].Page; got != tt.want {
				t.Errorf("key %d: got %s, want %s", tt.code, got, tt.want)
			}
		}
		g.key(evdev.KeyPower)
		if s.main().Power.On() {
			t.Error("the power key does not switch the screen off")
		}
		g.key(evdev.KeyPower)
		if !s.main().Power.On() {
			t.Error("the power key does not switch it on again")
		}
	})
}

// A swipe turns pages within 50 ms after the finger is lifted. If a finger rests, a long press begins without another packet.
func TestSwipeAndHold(t *testing.T) {
	wall := strings.Replace(quarters, "name: home", "name: home, on_hold: {page: se}", 1)
	wall = strings.Replace(wall, "name: home, on_hold: {page: se}", "name: home\n        on_hold: {page: se}", 1)
	touchable(t, touchConf, wall, func(s *Service, g *glass) {
		shown := func() string { return s.main().Pages.List(time.Now())[0].Page }
		g.finger(true, 0.8, 0.5)
		g.finger(true, 0.5, 0.5)
		g.finger(false, 0, 0)
		if synctest.Wait(); shown() != "nw" {
			t.Errorf("swipe left: got %s", shown())
		}
		g.finger(true, 0.2, 0.5)
		g.finger(true, 0.5, 0.5)
		g.finger(false, 0, 0)
		if synctest.Wait(); shown() != "home" {
			t.Errorf("swipe right: got %s", shown())
		}
		g.finger(true, 0.2, 0.2)
		time.Sleep(time.Until(g.late))
		if late := g.l.Late(); !late.IsZero() {
			t.Errorf("asks to be called again in %v", time.Until(late))
		}
		if synctest.Wait(); shown() != "se" {
			t.Errorf("hold: got %s", shown())
		}
		g.l.Gone()
	})
}

// A virtual window gets an input device only if its key `touch` names the device.
func TestScreenForDevice(t *testing.T) {
	two := "graphics: {resolution: [160, 96]}\noutputs: [{type: window, driver: virtual, device: screen.raw, vsync: false%s}]\n"
	for more, want := range map[string]bool{"": false, ", touch: none": false, ", touch: auto": false, ", touch: great": true, ", touch: other": false} {
		t.Chdir(t.TempDir())
		s, _ := quiet(t, files{"conf.yaml": fmt.Sprintf(two, more), "widgets.yaml": plainWall("red")}, io.Discard)
		if got := s.listen(evdev.Info{Name: "Great Glass", Touch: true}) != nil; got != want {
			t.Errorf("%q: got %v, want %v", more, got, want)
		}
		s.main().Close()
		s.builder.Providers.Close()
	}
}
