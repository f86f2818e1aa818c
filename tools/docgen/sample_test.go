package main

import (
	"image"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"dashboard/samples"
)

// Every sample is drawn, in each of its themes.
func TestEverySampleIsDrawn(t *testing.T) {
	for _, name := range samples.Names() {
		themes, err := fs.Glob(samples.Files, name+"/themes/*.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if len(themes) == 0 {
			themes = []string{".yaml"}
		}
		for _, file := range themes {
			theme := strings.TrimSuffix(path.Base(file), ".yaml")
			if !slices.ContainsFunc(shots, func(s shot) bool { return s.sample == name && s.theme == theme }) {
				t.Errorf("there is no picture of %s with the theme %q", name, theme)
			}
		}
	}
	folders, err := fs.ReadDir(samples.Files, ".")
	if err != nil || len(folders) != len(samples.Names()) {
		t.Errorf("got %d folders (%v), want one for each of %v", len(folders), err, samples.Names())
	}
}

// What an e-paper display shows is black or white; only the edges of letters and lines may lie between.
func TestPaperIsBlackAndWhite(t *testing.T) {
	h, err := newHome()
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	m, err := h.sample(shot{sample: "epaper"})
	if err != nil {
		t.Fatal(err)
	}
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
	if most := len(m.Pix) / 4 / 25; between > most {
		t.Errorf("%d pixels are grey, want at most %d", between, most)
	}
}
