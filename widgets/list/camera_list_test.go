package list

import (
	"image"
	"strings"
	"testing"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestTickerStandsWithEllipsis checks that a text that must not scroll ends with an ellipsis inside its cell.
func TestTickerStandsWithEllipsis(t *testing.T) {
	e := walltest.TestEnv()
	e.Reduced = true
	w := walltest.Build(t, e, "widgets: [{widget: ticker, text: 'A text that is far too long for its room, and may not run'}]", image.Pt(200, 40))
	render.New(w, image.Pt(200, 40)).Step(walltest.T0)
	x := w.Child.(*kit.Guard).Inner.(*kit.Frame).Inner.(*ticker)
	if got := string(x.buf); !strings.HasSuffix(got, kit.Ellipsis) || x.line.Width() > x.size.X || len(got) < 10 {
		t.Errorf("got %q, %d px in %d", got, x.line.Width(), x.size.X)
	}
}
