package main

import (
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/internal/golden"
	"dashboard/theme/sun"
)

// samplePictures are the pictures that docs/samples.md shows, from recorded answers.
var samplePictures = []struct {
	sample, called string
	size           image.Point
	mode           sun.Mode
}{
	{"family", "night", image.Pt(1280, 720), sun.Night}, {"family", "day", image.Pt(1280, 720), sun.Day}, {"family", "upright", image.Pt(1080, 1920), sun.Night},
	{"hat", "night", image.Pt(320, 240), sun.Night}, {"hat", "day", image.Pt(320, 240), sun.Day},
	{"office", "day", image.Pt(1280, 720), sun.Day}, {"office", "night", image.Pt(1280, 720), sun.Night},
	{"kiosk", "night", image.Pt(720, 1280), sun.Night}, {"kiosk", "day", image.Pt(720, 1280), sun.Day},
	{"kitchen", "day", image.Pt(1280, 720), sun.Day}, {"kitchen", "night", image.Pt(1280, 720), sun.Night},
	{"epaper", "day", image.Pt(800, 480), sun.Day},
}

// TestSamplePictures draws the samples and compares them with the pictures of the documentation.
func TestSamplePictures(t *testing.T) {
	for _, p := range samplePictures {
		t.Run(p.sample+"-"+p.called, func(t *testing.T) {
			showWall(t, filepath.Join("../../samples", p.sample), p.size, p.mode, func(m *image.RGBA) {
				golden.Compare(t, "../../../../docs/pictures/walls/"+p.sample+"-"+p.called, m)
				if p.sample == "epaper" {
					blackAndWhite(t, m)
				}
			})
		})
	}
}

// blackAndWhite complains of colors; only the edges of letters and lines may lie between black and white.
func blackAndWhite(t *testing.T, m *image.RGBA) {
	t.Helper()
	between := 0
	for i := 0; i < len(m.Pix); i += 4 {
		r, g, b := m.Pix[i], m.Pix[i+1], m.Pix[i+2]
		if r != g || g != b {
			t.Fatalf("the pixel %v has a color: %d %d %d", image.Pt(i/4%m.Rect.Dx(), i/4/m.Rect.Dx()), r, g, b)
		}
		if r != 0 && r != 255 {
			between++
		}
	}
	if most := len(m.Pix) / 4 / 20; between > most {
		t.Errorf("%d pixels are grey, want at most %d", between, most)
	}
}

// TestSamplesAreShort: the widgets and providers of a sample together are forty lines at most, without blank lines and comments.
func TestSamplesAreShort(t *testing.T) {
	for _, sample := range []string{"family", "hat", "office", "kiosk", "home", "kitchen", "epaper"} {
		lines := 0
		for _, file := range []string{"widgets.yaml", "providers.yaml"} {
			data, err := os.ReadFile(filepath.Join("../../samples", sample, file))
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(data)) {
				if text := strings.TrimSpace(line); text != "" && text[0] != '#' {
					lines++
				}
			}
		}
		if lines > 40 {
			t.Errorf("%s: %d lines, want 40 at most", sample, lines)
		}
	}
}
