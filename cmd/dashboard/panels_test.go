package main

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/config"
	"dashboard/internal/state"
	"dashboard/internal/testing/testpic"
	"dashboard/netstream"
	"dashboard/output/panel"
	"dashboard/render/ink"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// TestConfigurationKnowsThePanels: what may be written is what there is.
func TestConfigurationKnowsThePanels(t *testing.T) {
	words := func(of any, field string) []string {
		f, ok := reflect.TypeOf(of).FieldByName(field)
		if !ok {
			t.Fatal(field)
		}
		return strings.Split(f.Tag.Get("enum"), ",")
	}
	if got := words(config.PanelOutput{}, "Model"); !slices.Equal(got, panel.Names()) {
		t.Errorf("models: got %v, want %v", got, panel.Names())
	}
	for _, of := range []any{config.PostOutput{}, config.FileOutput{}} {
		if got := words(of, "Palette"); !slices.Equal(got, ink.Names()) {
			t.Errorf("palettes of %T: got %v, want %v", of, got, ink.Names())
		}
	}
	page, err := os.ReadFile("../../docs/panels.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(panel.Names(), ink.Names()...) {
		if !bytes.Contains(page, []byte("`"+name+"`")) {
			t.Errorf("docs/panels.md does not tell of %s", name)
		}
	}
}

// oled is an SSD1306 on a bus that keeps what was sent, and nothing more.
type oled struct {
	i2c.Bus
	sent chan []byte
}

func (o *oled) String() string                  { return "oled" }
func (o *oled) SetSpeed(physic.Frequency) error { return nil }
func (o *oled) Tx(_ uint16, w, _ []byte) error  { o.sent <- slices.Clone(w); return nil }

// TestPanelOutput: frames of a view reach the pins, and health tells.
func TestPanelOutput(t *testing.T) {
	bus := &oled{sent: make(chan []byte, 100)}
	o := newOutputs(discardLog(), netstream.New(time.Now))
	o.board = func(m *panel.Model) (*panel.Wires, error) { return &panel.Wires{I2C: bus}, nil }
	size := image.Pt(128, 64)
	sc := &scene{size: size, outputs: []config.Output{{Type: "panel", Panel: &config.PanelOutput{Model: "ssd1306", FullEvery: 10}}}}
	sc.region.zone = time.UTC
	o.apply(sc)
	defer o.close()
	frame := image.NewRGBA(image.Rectangle{Max: size})
	for i := range frame.Pix {
		frame.Pix[i] = 255 // all lit
	}
	o.mark(&ink.Regions{})
	o.show(frame, []image.Rectangle{frame.Rect})
	lit := 0
	for lit < 128*8 {
		select {
		case w := <-bus.sent:
			if w[0] == 0x40 {
				lit += bytes.Count(w[1:], []byte{0xff})
			}
		case <-time.After(time.Minute):
			t.Fatalf("%d bytes are lit", lit)
		}
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		h := o.health(time.Now())[0].(map[string]any)
		if d := h["device"].(map[string]any); h["ok"] == true && d["shown"] == true && d["action"] == "full" {
			break
		} else if time.Now().After(end) {
			t.Fatalf("got %v", h)
		}
	}
}

// TestPanelIsKept: what a panel shows is in the state folder, by view and model.
func TestPanelIsKept(t *testing.T) {
	store, err := state.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o := newOutputs(discardLog(), netstream.New(time.Now))
	tried := make(chan string, 10)
	o.view, o.store = "hall", func() *state.Store { return store }
	o.board = func(m *panel.Model) (*panel.Wires, error) { tried <- m.Name; return nil, os.ErrNotExist }
	size := image.Pt(400, 300)
	sc := &scene{size: size, outputs: []config.Output{{Type: "panel", Panel: &config.PanelOutput{Model: "waveshare-4in2-v2", FullEvery: 10}}}}
	sc.region.zone = time.UTC
	o.apply(sc)
	frame := image.NewRGBA(image.Rectangle{Max: size})
	o.show(frame, []image.Rectangle{frame.Rect})
	select {
	case name := <-tried:
		if name != "waveshare-4in2-v2" {
			t.Errorf("got %s", name)
		}
	case <-time.After(time.Minute):
		t.Fatal("nobody asked for the pins")
	}
	o.close()
	if data, ok := store.Load(panelKept, "hall/waveshare-4in2-v2"); !ok || !bytes.Contains(data, []byte(`"Known":false`)) {
		t.Errorf("kept: %q", data)
	}
}

// panelWall is a wall with a photo for a panel.
func panelWall(t *testing.T, outputs string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("conf.yaml", "graphics: {resolution: [400, 300]}\noutputs:\n"+outputs)
	write("widgets.yaml", "theme: eink\nwidgets:\n- widget: row\n  children:\n  - {widget: text, text: Twelve}\n  - {widget: image, path: sky.jpg, fit: cover}\n")
	var sky bytes.Buffer
	if err := jpeg.Encode(&sky, testpic.Photo(200, 280), nil); err != nil {
		t.Fatal(err)
	}
	write("sky.jpg", sky.String())
	return dir
}

// TestRenderPanel: the picture that render draws has the panel's inks alone, the letters without dots and the photo with them.
func TestRenderPanel(t *testing.T) {
	dir := panelWall(t, "  - {type: panel, model: waveshare-4in2-v2}\n")
	for name, inks := range map[string]int{"waveshare-4in2-v2": 2, "gray16": 16} {
		out := filepath.Join(t.TempDir(), "wall.png")
		if code, _, errs := command(t, "render", "--panel", name, "-o", out, dir); code != 0 {
			t.Fatal(errs)
		}
		m := readPNG(t, out)
		p, ok := m.(*image.Paletted)
		if !ok || len(p.Palette) != inks || p.Rect.Size() != image.Pt(400, 300) {
			t.Fatalf("%s: got %T of %v", name, m, m.Bounds())
		}
		switches := func(r image.Rectangle) (n int) {
			for y := r.Min.Y; y < r.Max.Y; y++ {
				for x := r.Min.X + 1; x < r.Max.X; x++ {
					if p.ColorIndexAt(x, y) != p.ColorIndexAt(x-1, y) {
						n++
					}
				}
			}
			return n
		}
		if text, photo := switches(image.Rect(0, 0, 190, 300)), switches(image.Rect(210, 20, 390, 280)); text == 0 || photo < 5000 {
			t.Errorf("%s: ink changes %d times in the text, %d times in the photo", name, text, photo)
		}
	}
	code, _, errs := command(t, "render", "--panel", "waveshare-4in2-v3", dir)
	if code == 0 || !strings.Contains(errs, "did you mean waveshare-4in2-v2?") {
		t.Errorf("got %d, %s", code, errs)
	}
}

// TestCheckPanels: a misspelt model has the nearest right word, another size is told.
func TestCheckPanels(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"  - {type: panel, model: waveshare-7in5v2}\n":                         "waveshare-7in5-v2",
		"  - {type: panel, model: waveshare-7in5-v2}\n":                        "panel waveshare-7in5-v2 is 800x480, or 480x800 upright; frames are 400x300",
		"  - {type: panel}\n":                                                  "model",
		"  - {type: panel, model: ssd1306, min_interval: soon}\n":              "must be a duration",
		"  - {type: post, url: 'http://h/', image_format: jpg, palette: bw}\n": "cannot keep its inks",
	} {
		code, out, errs := command(t, "check", panelWall(t, text))
		if code == 0 || !strings.Contains(out+errs, want) {
			t.Errorf("%s: got %d, %s%s, want %q", text, code, out, errs, want)
		}
	}
}

func readPNG(t *testing.T, path string) image.Image {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}
