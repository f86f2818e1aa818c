package outputs

import (
	"bytes"
	"image"
	"os"
	"slices"
	"testing"
	"time"

	"dashboard/config"
	"dashboard/internal/state"
	"dashboard/output/panel"
	"dashboard/render/ink"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// oled is an SSD1306 on a bus that records the sent bytes.
type oled struct {
	i2c.Bus
	sent chan []byte
}

func (o *oled) String() string                  { return "oled" }
func (o *oled) SetSpeed(physic.Frequency) error { return nil }
func (o *oled) Tx(_ uint16, w, _ []byte) error  { o.sent <- slices.Clone(w); return nil }

// TestPanelOutput checks that the frames of a view reach the pins of the panel, and that Health describes the panel.
func TestPanelOutput(t *testing.T) {
	bus := &oled{sent: make(chan []byte, 100)}
	on := ThisMachine()
	on.Board = func(m *panel.Model) (*panel.Wires, error) { return &panel.Wires{I2C: bus}, nil }
	o := testOutputs("main", nil, on)
	size := image.Pt(128, 64)
	o.Apply(Plan{Size: size, Outputs: []config.Output{{Type: "panel", Panel: &config.PanelOutput{Model: "ssd1306", FullEvery: 10}}}, Zone: time.UTC})
	defer o.Close()
	frame := image.NewRGBA(image.Rectangle{Max: size})
	for i := range frame.Pix {
		frame.Pix[i] = 255 // all pixels are lit
	}
	o.Mark(&ink.Regions{})
	o.Show(frame, []image.Rectangle{frame.Rect})
	lit := 0
	for lit < 128*8 {
		select {
		case w := <-bus.sent:
			if w[0] == 0x40 {
				lit += bytes.Count(w[1:], []byte{0xff})
			}
		case <-time.After(5 * time.Minute):
			t.Fatalf("%d bytes are lit", lit)
		}
	}
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(time.Millisecond) {
		h := o.Health(time.Now())[0].(map[string]any)
		if d := h["device"].(map[string]any); h["ok"] == true && d["shown"] == true && d["action"] == "full" {
			break
		} else if time.Now().After(end) {
			t.Fatalf("got %v", h)
		}
	}
}

// TestPanelIsKept checks that the picture of a panel is stored in the state folder. Each view and model has a separate file.
func TestPanelIsKept(t *testing.T) {
	store, err := state.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tried, on := make(chan string, 10), ThisMachine()
	on.Board = func(m *panel.Model) (*panel.Wires, error) { tried <- m.Name; return nil, os.ErrNotExist }
	o := testOutputs("hall", store, on)
	size := image.Pt(400, 300)
	o.Apply(Plan{Size: size, Outputs: []config.Output{{Type: "panel", Panel: &config.PanelOutput{Model: "waveshare-4in2-v2", FullEvery: 10}}}, Zone: time.UTC})
	frame := image.NewRGBA(image.Rectangle{Max: size})
	o.Show(frame, []image.Rectangle{frame.Rect})
	select {
	case name := <-tried:
		if name != "waveshare-4in2-v2" {
			t.Errorf("got %s", name)
		}
	case <-time.After(5 * time.Minute):
		t.Fatal("nobody asked for the pins")
	}
	o.Close()
	if data, ok := store.Load(panelKept, "hall/waveshare-4in2-v2"); !ok || !bytes.Contains(data, []byte(`"Known":false`)) {
		t.Errorf("kept: %q", data)
	}
}
