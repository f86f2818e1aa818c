package piece

import (
	"image"
	"testing"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
)

// TestHairline checks the thickness of lines on screens of several sizes, and on e-paper.
func TestHairline(t *testing.T) {
	ink, _ := look.Named("eink", false)
	for _, tt := range []struct {
		look *look.Look
		size image.Point
		want int
	}{
		{look.Calm(true), image.Pt(320, 240), 1}, {look.Calm(true), image.Pt(1280, 720), 1}, {look.Calm(true), image.Pt(1920, 1080), 1},
		{look.Calm(true), image.Pt(3840, 2160), 3}, {ink, image.Pt(800, 480), 2},
	} {
		b := &kit.Builder{Env: kit.Env{Drawing: kit.Drawing{Look: tt.look, Picture: tt.size}}}
		if got := Hairline(b); got != tt.want {
			t.Errorf("%v: got %d px, want %d", tt.size, got, tt.want)
		}
	}
}
