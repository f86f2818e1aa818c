package view

import (
	"testing"
	"time"

	"dashboard/config/value"
	"dashboard/control/power"
	"dashboard/wall/scene"

	"periph.io/x/conn/v3/gpio"
)

// A heldButton is a button that a person holds until its line is closed, and releases at this moment.
type heldButton struct {
	gpio.PinIn
	reads  int           // the first reading, at the start, is before the press
	held   chan struct{} // closed when the press was read
	closed chan struct{}
}

func (b *heldButton) Halt() error { close(b.closed); return nil }

func (b *heldButton) Read() gpio.Level {
	select {
	case <-b.closed:
		return gpio.High
	default:
	}
	b.reads++
	return b.reads == 1
}

func (b *heldButton) WaitForEdge(time.Duration) bool {
	close(b.held)
	<-b.closed
	return true
}

// stillSensor is a motion sensor without motion.
type stillSensor struct {
	gpio.PinIn
	closed chan struct{}
}

func (s stillSensor) Read() gpio.Level               { return gpio.Low }
func (s stillSensor) Halt() error                    { close(s.closed); return nil }
func (s stillSensor) WaitForEdge(time.Duration) bool { <-s.closed; return false }

// TestPressDuringReload: a reload that changes the lines ends, even if a button switches the screen on at this moment. The button asks
// the sensor whether a person is present.
func TestPressDuringReload(t *testing.T) {
	v := &View{Power: power.NewOwner()}
	button := &heldButton{held: make(chan struct{}), closed: make(chan struct{})}
	v.Pins.Open = func(number int, _ gpio.Pull) (gpio.PinIn, error) {
		if number == 17 {
			return stillSensor{closed: make(chan struct{})}, nil
		}
		return button, nil
	}
	v.Power.Configure(power.Rules{Touch: true}, func(time.Time) (power.Senses, time.Time) {
		return power.Senses{Present: v.Pins.present()}, time.Time{}
	})
	v.Power.Ask(power.Auto, 0) // the screen is off, because Senses.When is false
	line := &power.Settings{Presence: &power.Presence{Line: &power.Line{GPIO: 17, Pull: "down", MinOn: value.Duration(time.Second)}}}
	v.Pins.follow(v, scene.Display{Settings: line, Buttons: []scene.Button{{GPIO: 27, Pull: "up"}}})
	<-button.held
	done := make(chan struct{})
	go func() { defer close(done); v.Pins.follow(v, scene.Display{}) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("the reload hangs")
	}
	if !v.Power.On() {
		t.Error("the button does not switch the screen on")
	}
}
