package chart

import (
	"image"
	"testing"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestProgressOfFourFigures checks the value next to a bar on a narrow card. A value of four digits is not cut, and there is a gap
// between the bar and the value.
func TestProgressOfFourFigures(t *testing.T) {
	w := walltest.Build(t, walltest.TestEnv(), "widgets: [{widget: progress, value: 3450, max: 5000, unit: W, card: true}]", image.Pt(300, 90))
	render.New(w, image.Pt(300, 90)).Step(walltest.T0)
	x := w.Child.(*kit.Guard).Inner.(*kit.Frame).Inner.(*progress)
	if x.note == nil || x.b.TextWidth(x.note.Face, x.note.Raw) > x.note.Box.Dx() {
		t.Errorf("%+v", x.note)
	}
	w = walltest.Build(t, walltest.TestEnv(), "widgets: [{widget: progress, value: 66.9, unit: '%', padding: 0}]", image.Pt(300, 40))
	render.New(w, image.Pt(300, 40)).Step(walltest.T0)
	x = w.Child.(*kit.Guard).Inner.(*kit.Frame).Inner.(*progress)
	if left := x.note.Box.Max.X - x.b.TextWidth(x.note.Face, x.note.Raw); left < x.bar.Rect.Max.X+x.note.Face.Size/3 {
		t.Errorf("the value begins at %d px, the bar ends at %d", left, x.bar.Rect.Max.X)
	}
}
