package main

import (
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The command icons lists icons whose names contain a word. If a file is given, the command draws the icons. If no icon matches, the
// command returns an error.
func TestIcons(t *testing.T) {
	t.Parallel()
	sheet := filepath.Join(t.TempDir(), "icons.png")
	status, said, errs := command(t, "icons", "-o", sheet, "rain")
	if status != 0 || errs != "" || !strings.Contains(said, "mdi:weather-rainy\n") {
		t.Fatalf("got status %d, %q and %q", status, said, errs)
	}
	f, err := os.Open(sheet)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	inked := 0
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			if r, _, _, _ := m.At(x, y).RGBA(); r < 0x8000 {
				inked++
			}
		}
	}
	if few := 100 * strings.Count(said, "\n"); inked < few {
		t.Errorf("%d dark pixels, want at least %d: %d icons", inked, few, strings.Count(said, "\n"))
	}
	if status, _, errs := command(t, "icons", "weathr-rainy"); status != 1 || !strings.Contains(errs, "weather-rainy") {
		t.Errorf("got status %d and %q, want the nearest name", status, errs)
	}
}
