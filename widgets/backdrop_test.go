package widgets

import (
	"image"
	"image/color"
	"strings"
	"testing"
	"time"

	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

func TestGoldenBackdropBlur(t *testing.T) {
	path := walltest.Flow(walltest.TestPicture(t))
	var scenes []walltest.Scene
	for _, g := range []string{"{picture: FILM}", "{picture: FILM, blur: 3}", "{picture: FILM, blur: 12}", "{picture: FILM, scrim: 40%, blur: 40}, color: white"} {
		widget := "{widget: text, text: Harbour, style: headline, background: " + strings.ReplaceAll(g, "FILM", path) + "}"
		scenes = append(scenes, walltest.Scene{Size: image.Pt(300, 200), Widget: widget})
	}
	walltest.ModernSheet(t, "modern-backdrop-blur", scenes)
}

// TestBackdropBlurScales checks that the key `blur` of a background is multiplied by the scale of the wall. A blur of 0 changes nothing.
func TestBackdropBlurScales(t *testing.T) {
	path := walltest.Flow(walltest.TestPicture(t))
	pixels := func(scale float64, keys string) *image.RGBA {
		t.Helper()
		e := walltest.TestEnv()
		e.Look, e.Locale, e.Picture, e.Scale = look.Calm(true), walltest.TestLocale(t, ""), image.Pt(160, 100), scale
		root := walltest.Build(t, e, "background_color: black\nwidgets: [{widget: space, margin: 0, background: {picture: "+path+keys+"}}]", image.Pt(160, 100))
		r := render.New(root, image.Pt(160, 100))
		r.Step(walltest.T0)
		return r.Frame()
	}
	edge := func(m *image.RGBA) int { // steepness of the edge of the house in the test picture
		return int(m.RGBAAt(19, 60).G) - int(m.RGBAAt(20, 60).G)
	}
	sharp, twice, four := edge(pixels(2, "")), edge(pixels(2, ", blur: 2")), edge(pixels(1, ", blur: 4"))
	if sharp < 50 || twice >= sharp/2 || twice != four {
		t.Errorf("the edge is %d, at twice the size with a blur of 2 px %d, with one of 4 px %d", sharp, twice, four)
	}
	if none := edge(pixels(1, ", blur: 0")); none != sharp {
		t.Errorf("a blur of 0 changes the edge from %d to %d", sharp, none)
	}
}

// TestBackdropStaysInAnotherSize checks that a widget keeps its background when its size changes, because another widget disappears or
// appears.
func TestBackdropStaysInAnotherSize(t *testing.T) {
	path := walltest.Flow(walltest.TestPicture(t))
	file := "widgets: [{widget: column, children: [{widget: text, text: x, when: {value: !data .p, above: 5}}, " +
		"{widget: space, margin: 0, background: {picture: " + path + "}}]}]"
	scene := walltest.Scene{Size: image.Pt(320, 300)}
	walltest.ModernBubble(t, file, scene, look.Calm(true), func(d *walltest.Data) {
		for i, value := range []int{9, 1, 9, 1} {
			d.ByName["p"].Publish(value, walltest.T0)
			d.Step(time.Duration(i) * time.Second)
			if got := d.R.Frame().RGBAAt(150, 260); got != (color.RGBA{70, 120, 60, 255}) {
				t.Errorf("step %d: got %v at the bottom, want the meadow of the picture", i, got)
			}
		}
	})
}
