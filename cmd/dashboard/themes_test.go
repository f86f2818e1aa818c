package main

import (
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/internal/testing/golden"
	"dashboard/theme/look"
)

// The command themes lists the themes with their descriptions. If a file is given, the command draws the themes by day and night.
func TestThemes(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "themes.png")
	status, said, errs := command(t, "themes", "-o", file)
	if status != 0 || errs != "" {
		t.Fatalf("got status %d, %q and %q", status, said, errs)
	}
	for _, name := range look.Names() {
		if themeWords[name] == "" || !strings.Contains(said, name+" ") {
			t.Errorf("%s is not told of in %q", name, said)
		}
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	sheet := image.NewRGBA(m.Bounds())
	draw.Draw(sheet, sheet.Rect, m, image.Point{}, draw.Src)
	if want := image.Pt(2*themeTile.X, len(look.Names())*themeTile.Y); sheet.Rect.Size() != want {
		t.Fatalf("got a sheet of %v, want %v", sheet.Rect.Size(), want)
	}
	golden.Compare(t, "../../../../docs/pictures/themes", sheet)
	if status, _, errs := command(t, "themes", "calm"); status != 2 || errs == "" {
		t.Errorf("got status %d and %q for a word too many", status, errs)
	}
}
