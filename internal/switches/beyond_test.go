package switches

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/control/power"
	"dashboard/fb/cec"
	"dashboard/fb/ddc"
	"dashboard/fb/drm"
)

// A wireTo is the bus to a monitor that keeps what it is told.
type wireTo struct {
	values map[byte]int
	asked  byte
}

func (w *wireTo) Write(b []byte) error {
	w.asked = b[3]
	if b[2] == 3 {
		w.values[b[3]] = int(b[5])
	}
	return nil
}

func (w *wireTo) Read(b []byte) error {
	r := []byte{0x6e, 0x88, 2, 0, w.asked, 0, 0, 100, 0, byte(w.values[w.asked])}
	sum := byte(0x50)
	for _, v := range r {
		sum ^= v
	}
	copy(b, append(r, sum))
	return nil
}

func (*wireTo) Close() error { return nil }

// A monitor is looked for once in a while, at the connector that shows the wall, and is asked nothing while nobody wants to know.
func TestMonitorOfConnector(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looks := 0
		there := &wireTo{values: map[byte]int{ddc.Brightness: 70, ddc.PowerMode: 1}}
		var missing error = errors.New("ENXIO")
		h := Hardware{
			Ports: func() []drm.Port {
				return []drm.Port{{Card: "card0", Name: "HDMI-A-1"}, {Card: "card1", Name: "HDMI-A-2", Connected: true}}
			},
			Monitor: func(card, connector string) (*ddc.Monitor, error) {
				looks++
				if card != "card1" || connector != "HDMI-A-2" {
					t.Errorf("looked at %s %s", card, connector)
				}
				if missing != nil {
					return nil, missing
				}
				return ddc.New(there)
			},
			TV: func(string, string, bool) (*cec.Adapter, error) { return nil, missing },
		}
		var b beyond
		for range 3 {
			if b.backend(power.DDC, h, "", true, false) != nil || b.backend(power.CEC, h, "", true, false) != nil {
				t.Fatal("one that is not there")
			}
		}
		missing = nil
		if looks != 1 || b.backend(power.DDC, h, "HDMI-A-1", true, false) != nil {
			t.Errorf("looked %d times", looks)
		}
		time.Sleep(seekAgain)
		m := b.backend(power.DDC, h, "HDMI-A-2", true, false)
		if m == nil || m.Power(false) != nil || there.values[ddc.PowerMode] != 4 {
			t.Fatalf("off: %v, %v", m, there.values)
		}
		there.values[ddc.PowerMode] = 1 // it was without current
		if m = b.backend(power.DDC, h, "HDMI-A-2", true, true); m.Power(false) != nil || there.values[ddc.PowerMode] != 4 {
			t.Errorf("a screen that came is not switched off again: %v", there.values)
		}
		if d := m.(power.Dimmer); d.Dim(0.2) != nil || there.values[ddc.Brightness] != 20 {
			t.Errorf("dimmed: %v", there.values)
		}
		b.close()
		if there.values[ddc.PowerMode] != 1 || there.values[ddc.Brightness] != 70 {
			t.Errorf("left: %v", there.values)
		}
	})
}
