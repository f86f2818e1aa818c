package widgets

import (
	"image"
	"testing"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestTitleKeepsClearOfCorners checks that a title line does not touch the round corners of its widget's background. If only a picture
// below the title line has round corners, the title line is aligned with the picture.
func TestTitleKeepsClearOfCorners(t *testing.T) {
	size := image.Pt(300, 240)
	for _, tc := range []struct {
		widget string
		left   int
	}{
		{"{widget: photos, margin: 0, path: ., radius: 20, background: '#804040', title: Title}", 20},
		{"{widget: photos, margin: 0, path: ., radius: 20, title: Title}", 0},
		{"{widget: photos, margin: 0, path: ., radius: 0, background: '#804040', title: Title}", 0},
		{"{widget: card, margin: 0, card: false, padding: 0, radius: 20, background: '#804040', title: Title, value: 1}", 20},
		{"{widget: card, margin: 0, radius: 20, padding: 12, title: Title, value: 1}", 12},
	} {
		e := walltest.TestEnv()
		e.Look = look.Calm(true)
		f := walltest.BuildOne[*kit.Frame](t, e, tc.widget, size)
		if got := f.Head.Box; got.Min.X != tc.left || got.Max.X != size.X-tc.left {
			t.Errorf("%s: the title line is in %v, want it from %d on", tc.widget, got, tc.left)
		}
		if tc.left == 20 && f.Head.Box.Min.Y == 0 {
			t.Errorf("%s: the title line touches the upper edge", tc.widget)
		}
	}
}
