package outputs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/png"
	"slices"
	"testing"
	"time"

	"dashboard/config"
	"dashboard/internal/state"
	"dashboard/output/panel"
	"dashboard/render/ink"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/gpio"
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

// brokenBus is an SPI bus on which each transfer fails.
type brokenBus struct{ conn.Conn }

func (brokenBus) Tx(_, _ []byte) error { return errors.New("broken") }

// pin is a line that nothing is connected to.
type pin struct{ gpio.PinIO }

func (pin) Out(gpio.Level) error          { return nil }
func (pin) In(gpio.Pull, gpio.Edge) error { return nil }
func (pin) Read() gpio.Level              { return gpio.Low }

// TestPanelInterval checks min_interval of a panel. Without this key, the model's default applies. 0 is a value too, not the default.
func TestPanelInterval(t *testing.T) {
	of := func(seconds float64) *config.Interval {
		i := config.Interval(seconds * float64(time.Second))
		return &i
	}
	for name, c := range map[string]struct {
		given    *config.Interval
		from, to time.Duration
	}{
		"default": {nil, 0, 0}, "0": {of(0), 1, time.Second}, "half a second": {of(0.5), time.Second / 2, time.Second / 2},
		"an hour": {of(3600), time.Hour, time.Hour},
	} {
		o, err := panelOptions(&config.PanelOutput{Model: "waveshare-4in2-v2", MinInterval: c.given}, image.Pt(400, 300))
		if err != nil || o.MinInterval < c.from || o.MinInterval > c.to {
			t.Errorf("%s: got %v, %v, want %v to %v", name, o.MinInterval, err, c.from, c.to)
		}
	}
}

// TestPanelIsKept checks that the picture of a panel is stored in the state folder. Each view and model has a separate file. After a failed
// update, the picture is unknown.
func TestPanelIsKept(t *testing.T) {
	const file = "hall/waveshare-4in2-v2"
	store, err := state.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	size := image.Pt(400, 300)
	white := image.NewPaletted(image.Rectangle{Max: size}, color.Palette{color.White})
	var earlier bytes.Buffer // the state of an earlier run: the panel is white
	const head = `{"Model":"waveshare-4in2-v2","Known":true}`
	earlier.Write(binary.BigEndian.AppendUint32(nil, uint32(len(head))))
	earlier.WriteString(head)
	if err := png.Encode(&earlier, white); err != nil {
		t.Fatal(err)
	}
	if err := store.Save(panelKept, file, earlier.Bytes()); err != nil {
		t.Fatal(err)
	}
	tried, on := make(chan string, 10), ThisMachine()
	on.Board = func(m *panel.Model) (*panel.Wires, error) {
		tried <- m.Name
		return &panel.Wires{Bus: brokenBus{}, DC: pin{}, Reset: pin{}, Busy: pin{}}, nil
	}
	o := testOutputs("hall", store, on)
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
	if data, ok := store.Load(panelKept, file); !ok || !bytes.Contains(data, []byte(`"Known":false`)) {
		t.Errorf("kept: %q", data)
	}
}
