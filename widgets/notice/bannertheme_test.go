package notice

import (
	"image"
	"testing"
	"time"

	"dashboard/provider"
	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestBannerIsInTheTheme: the strip is the surface with a tint of bad, its text has the theme's contrast, and classic walls keep theirs.
func TestBannerIsInTheTheme(t *testing.T) {
	for _, name := range look.Names() {
		for _, night := range []bool{false, true} {
			l, _ := look.Named(name, night)
			e := walltest.TestEnv()
			e.Look, e.Themed, e.Banner = l, true, provider.NewCell(nil)
			e.Banner.Publish("widgets.yaml:4:10: error: unknown key", time.Now())
			b := newBanner(&e, image.Pt(800, 480))
			r := render.New(b, image.Pt(800, 480))
			r.Step(walltest.T0)
			got := r.Frame().RGBAAt(790, 478)
			if got != b.ground || b.ground == bannerColor {
				t.Errorf("%s, night %v: the strip is %v, want %v", name, night, got, b.ground)
			}
			ground := l.Colors["surface"]
			ground.R, ground.G, ground.B, ground.A = b.ground.R, b.ground.G, b.ground.B, 255
			if c := look.Contrast(l.Colors["text"], ground); c < 4.5 {
				t.Errorf("%s, night %v: the text has a contrast of %.1f, want 4.5", name, night, c)
			}
		}
	}
	classic := kit.Env{Drawing: walltest.TestEnv().Drawing, Wall: kit.Wall{Banner: provider.NewCell(nil)}}
	if b := newBanner(&classic, image.Pt(800, 480)); b.ground != bannerColor || b.ink != bannerText {
		t.Errorf("a classic wall: got %v and %v", b.ground, b.ink)
	}
}
