package homeassistant

import (
	"testing"
	"time"

	"dashboard/provider"
)

// If Home Assistant repeats a value, only the time of the value changes, and nothing is drawn.
func TestToldAgain(t *testing.T) {
	c := &Connection{known: entities{"light.hall": {state: "on", attributes: map[string]any{"brightness": 1.0}, changed: 7}}}
	cell := provider.NewCell(nil)
	c.tellLocked("light.hall", cell)
	first := cell.Load()
	time.Sleep(time.Millisecond) // because the clock of some machines has a low resolution
	c.tellLocked("light.hall", cell)
	if again := cell.Load(); !first.Has() || again.Seq != first.Seq || !again.At.After(first.At) {
		t.Errorf("got %+v after %+v, want the same value, younger", again, first)
	}
	c.known["light.hall"].state = "off"
	if c.tellLocked("light.hall", cell); cell.Load().Seq == first.Seq {
		t.Error("a change is not told")
	}
}
