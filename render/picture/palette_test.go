package picture

import (
	"image"
	"image/color"
	"image/draw"
	"testing"
)

// TestPalette: Palette finds the colors of the areas. The color of the largest area comes first, and the result is always the same.
func TestPalette(t *testing.T) {
	m := image.NewRGBA(image.Rect(7, 3, 507, 303))
	areas := []struct {
		part image.Rectangle
		c    color.RGBA
	}{
		{m.Rect, color.RGBA{20, 40, 90, 255}}, {image.Rect(7, 3, 507, 103), color.RGBA{230, 180, 120, 255}}, {image.Rect(407, 203, 507, 303), color.RGBA{30, 120, 60, 255}},
	}
	for _, a := range areas {
		draw.Draw(m, a.part, image.NewUniform(a.c), image.Point{}, draw.Src)
	}
	got := Palette(m)
	if got != Palette(m) {
		t.Error("two palettes of one picture differ")
	}
	if got[0] != areas[0].c || got[1] != areas[1].c {
		t.Errorf("got %v, want %v and %v first", got, areas[0].c, areas[1].c)
	}
	for _, tiny := range []image.Rectangle{{}, image.Rect(0, 0, 1, 1), image.Rect(0, 0, 3, 900)} {
		Palette(image.NewRGBA(tiny))
	}
	if Palette(nil) != [PaletteColors]color.RGBA{} {
		t.Error("no picture has colors")
	}
}
