package notice

import (
	"image"
	"strings"
	"testing"

	"dashboard/provider"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

func TestBanner(t *testing.T) {
	e := walltest.TestEnv()
	e.Banner = provider.NewCell(nil)
	size := image.Pt(300, 200)
	r := render.New(walltest.Build(t, e, walltest.WidgetFile("navy", "{widget: text, text: hello}"), size), size)
	r.Step(walltest.T0)
	plain := append([]uint8(nil), r.Frame().Pix...)

	var heights []int
	for _, message := range []string{"widgets.yaml:3:1: wrong", strings.Repeat("many words ", 12), strings.Repeat("many words ", 400)} {
		e.Banner.Publish(kit.Banner{Words: message}, walltest.T0)
		damage, _ := r.Step(walltest.T0)
		all := image.Rectangle{}
		for _, d := range damage {
			all = all.Union(d)
		}
		if all.Max != size || all.Min.X != 0 {
			t.Errorf("%.20s…: got damage %v, want a strip at the bottom", message, all)
		}
		ink := walltest.InkOf(r.Frame(), image.Rect(0, all.Min.Y+bannerRule, size.X, size.Y))
		if ink.Dx() < 100 || ink.Min.X < bannerPadding-1 || ink.Max.X > size.X-bannerPadding {
			t.Errorf("%.20s…: got ink %v, want it inside the strip", message, ink)
		}
		heights = append(heights, all.Dy())
	}
	if !(heights[0] < heights[1]) || heights[2] > bannerLines*heights[0] {
		t.Errorf("heights: got %v, want them to grow, up to %d lines", heights, bannerLines)
	}
	e.Banner.Publish(kit.Banner{Words: ""}, walltest.T0)
	r.Step(walltest.T0)
	if string(r.Frame().Pix) != string(plain) {
		t.Error("the banner left something behind")
	}
}

// TestBannerOnASmallWall checks that a long message leaves the upper half of a small wall visible.
func TestBannerOnASmallWall(t *testing.T) {
	e := walltest.TestEnv()
	e.Banner = provider.NewCell(nil)
	size := image.Pt(160, 96)
	r := render.New(walltest.Build(t, e, walltest.WidgetFile("navy", "{widget: text, text: hello}"), size), size)
	r.Step(walltest.T0)
	e.Banner.Publish(kit.Banner{Words: strings.Repeat("many words ", 400)}, walltest.T0)
	damage, _ := r.Step(walltest.T0)
	for _, d := range damage {
		if d.Min.Y < size.Y/2 {
			t.Errorf("got damage %v, want none in the upper half", d)
		}
	}
}
