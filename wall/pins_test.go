package wall

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/control/power"
	"dashboard/wall/scene"

	"periph.io/x/conn/v3/gpio"
)

// A wire is a simulated GPIO line of the board.
type wire struct {
	gpio.PinIn
	level chan gpio.Level
	now   gpio.Level
	ended chan struct{}
}

func (w *wire) Read() gpio.Level { return w.now }
func (w *wire) Halt() error      { close(w.ended); return nil }
func (w *wire) Err() error {
	select {
	case <-w.ended:
		return errors.New("halted")
	default:
		return nil
	}
}

func (w *wire) WaitForEdge(timeout time.Duration) bool {
	var late <-chan time.Time
	if timeout >= 0 {
		late = time.After(timeout)
	}
	select {
	case w.now = <-w.level:
		return true
	case <-late:
	case <-w.ended:
	}
	return false
}

// A motion sensor switches the screen off ten minutes after the last motion. It switches the screen on as soon as there is motion. A
// button turns pages and switches the screen on.
func TestLinesOfTheBoard(t *testing.T) {
	t.Chdir(t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		f := files{"conf.yaml": touchConf + "display:\n  presence: {gpio: 17}\n  buttons:\n    - {gpio: 27, on_press: {page: next}, on_hold: {power: \"off\"}}\n", "widgets.yaml": quarters}
		s, run := quiet(t, f, io.Discard)
		v := s.main()
		v.Pins.Close()
		wires := map[int]*wire{17: {level: make(chan gpio.Level), ended: make(chan struct{})}, 27: {level: make(chan gpio.Level), ended: make(chan struct{}), now: gpio.High}}
		v.Pins.Line, v.Pins.Buttons = nil, nil
		v.Pins.Open = func(n int, pull gpio.Pull) (gpio.PinIn, error) {
			if want := map[int]gpio.Pull{17: gpio.PullDown, 27: gpio.PullUp}[n]; pull != want {
				t.Errorf("line %d: got %v, want %v", n, pull, want)
			}
			return wires[n], nil
		}
		v.Switches(v.Shown.Load().Scene)
		ctx, cancel := context.WithCancel(t.Context())
		wait := run(ctx)
		done := make(chan struct{})
		go func() { defer close(done); s.runAsked(ctx) }()
		defer func() { cancel(); <-done; wait() }()
		time.Sleep(time.Second)
		pulse := func(n int, level gpio.Level, d time.Duration) {
			wires[n].level <- level
			time.Sleep(d)
			wires[n].level <- !level
			synctest.Wait()
		}
		pulse(17, gpio.High, time.Second)
		time.Sleep(9 * time.Minute)
		if !v.Power.On() {
			t.Error("off 9 minutes after the last sign")
		}
		time.Sleep(2 * time.Minute)
		if v.Power.On() {
			t.Error("on 11 minutes after the last sign")
		}
		wires[17].level <- gpio.High
		time.Sleep(time.Second)
		if !v.Power.On() {
			t.Error("motion does not wake the screen")
		}
		page := func() string { return v.Pages.List(time.Now())[0].Page }
		pulse(27, gpio.Low, 100*time.Millisecond)
		if page() != "nw" {
			t.Errorf("the button: page %s", page())
		}
		pulse(27, gpio.Low, 2*time.Second)
		if v.Power.On() || page() != "nw" {
			t.Errorf("held: on %v, page %s", v.Power.On(), page())
		}
		pulse(27, gpio.Low, 100*time.Millisecond)
		if !v.Power.On() || page() != "nw" {
			t.Errorf("the button wakes, and does nothing else: on %v, page %s", v.Power.On(), page())
		}
	})
}

func TestButtonMistakes(t *testing.T) {
	b := scene.NewBuilder(scene.Parts{Wake: func() {}, Log: discardLog()})
	defer b.Providers.Close()
	for more, want := range map[string]string{
		"display: {buttons: 17}\n":                            "must be a list of at most 28 buttons",
		"display: {buttons: [{gpio: 4000}]}\n":                "must be between 0 and 1023",
		"display: {buttons: [{gpio: 4, pull: sideways}]}\n":   "sideways",
		"display: {buttons: [{gpio: 4, on_press: toggle}]}\n": "toggle is about a widget's own entity",
		"display: {buttons: [{gpio: 4, on_pres: {}}]}\n":      "near: on_press",
		"display: {presence: {gpio: 4, pull: no}}\n":          "pull",
	} {
		if _, said := reads(t, b, more); !strings.Contains(said, want) {
			t.Errorf("%s: got %q, want %q", more, said, want)
		}
	}
	g, said := reads(t, b, "display: {presence: {gpio: 17, pull: up, low: true, min_on: 1s}, buttons: [{gpio: 4, on_press: {page: next}}]}\n")
	if g == nil || said != "" {
		t.Fatal(said)
	}
	if l := g.Scenes["main"].Display.Line(); *l != (power.Line{GPIO: 17, Pull: "up", Low: true, MinOn: l.MinOn}) || time.Duration(l.MinOn) != time.Second {
		t.Errorf("got %+v", l)
	}
}
