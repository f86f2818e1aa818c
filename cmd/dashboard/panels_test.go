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

	"dashboard/config"
	"dashboard/internal/testing/testpic"
	"dashboard/output/panel"
	"dashboard/render/ink"
)

// TestConfigurationKnowsThePanels checks that the configuration accepts exactly the panel models that package panel has.
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

// panelWall returns the folder of a wall that shows a photo on a panel.
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

// TestRenderPanel checks the picture that the command render draws for a panel. It contains only
// the panel's inks. The photo is dithered, and letters are not.
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

// TestCheckPanels checks that the command check reports a wrong size, and a misspelled model together with the most similar valid model.
func TestCheckPanels(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"  - {type: panel, model: waveshare-7in5v2}\n":                         "waveshare-7in5-v2",
		"  - {type: panel, model: waveshare-7in5-v2}\n":                        "panel waveshare-7in5-v2 is 800x480, or 480x800 upright; frames are 400x300",
		"  - {type: panel}\n":                                                  "model",
		"  - {type: panel, model: ssd1306, min_interval: soon}\n":              "must be a duration",
		"  - {type: post, url: 'http://h/', image_format: jpg, palette: bw}\n": "cannot keep the inks",
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
