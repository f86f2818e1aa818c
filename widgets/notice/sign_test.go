package notice

import (
	"bytes"
	"fmt"
	"image"
	"testing"

	"dashboard/internal/testing/golden"
	"dashboard/provider"
	"dashboard/render"
	"dashboard/widgets/walltest"
)

// TestGoldenSign draws the sign with the name of the wall. A sign that does not change causes no damage. After the sign ends, the wall
// looks the same as before.
func TestGoldenSign(t *testing.T) {
	for _, size := range noticeSizes {
		e := walltest.TestEnv()
		e.Sign = provider.NewCell(nil)
		r := render.New(walltest.Build(t, e, walltest.WidgetFile("navy", "{widget: text, text: hello}"), size), size)
		r.Step(walltest.T0)
		plain := bytes.Clone(r.Frame().Pix)
		e.Sign.Publish(Sign{"Kitchen wall\nhall", "http://kitchen-wall.fritz.box:5000/"}, walltest.T0)
		r.Step(walltest.T0)
		golden.Compare(t, fmt.Sprintf("sign-%dx%d", size.X, size.Y), r.Frame())
		if damage, _ := r.Step(walltest.After(1)); len(damage) > 0 {
			t.Errorf("%v: a sign that stays has damage %v", size, damage)
		}
		e.Sign.Publish(Sign{}, walltest.T0)
		r.Step(walltest.T0)
		if !bytes.Equal(r.Frame().Pix, plain) {
			t.Errorf("%v: the sign left something behind", size)
		}
	}
}

// TestSteadySign checks that frames allocate no memory, with and without a sign.
func TestSteadySign(t *testing.T) {
	e := walltest.TestEnv()
	e.Sign = provider.NewCell(nil)
	size := image.Pt(320, 240)
	r := render.New(walltest.Build(t, e, walltest.WidgetFile("navy", "{widget: text, text: hello}"), size), size)
	for _, s := range []Sign{{}, {"Kitchen", "http://kitchen/"}} {
		e.Sign.Publish(s, walltest.T0)
		r.Step(walltest.T0)
		if n := testing.AllocsPerRun(100, func() { r.Step(walltest.T0) }); n > 0 && !walltest.RaceEnabled {
			t.Errorf("%+v: %v allocations a step", s, n)
		}
	}
}
