package piece

import (
	"image"
	"testing"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
)

// TestHairline checks the thickness of lines on screens of several sizes, with a zoom, and on e-paper.
func TestHairline(t *testing.T) {
	ink, _ := look.Named("eink", false)
	for _, tt := range []struct {
		look *look.Look
		size image.Point
		zoom float64
		want int
	}{
		{look.Calm(true), image.Pt(320, 240), 0, 1}, {look.Calm(true), image.Pt(1280, 720), 0, 1}, {look.Calm(true), image.Pt(1920, 1080), 1, 1},
		{look.Calm(true), image.Pt(3840, 2160), 0, 3}, {look.Calm(true), image.Pt(1280, 720), 3, 3}, {ink, image.Pt(800, 480), 0, 2},
	} {
		b := &kit.Builder{Env: kit.Env{Drawing: kit.Drawing{Look: tt.look, Picture: tt.size}}, Zoom: tt.zoom}
		if got := Hairline(b); got != tt.want {
			t.Errorf("%v, zoom %v: got %d px, want %d", tt.size, tt.zoom, got, tt.want)
		}
	}
}
