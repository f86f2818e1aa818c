package arrange

import (
	"image"
	"testing"

	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// TestPictureInCard checks that round corners also clip content that reaches the edges of a card.
func TestPictureInCard(t *testing.T) {
	e := walltest.TestEnv()
	e.Locale, e.Picture = walltest.TestLocale(t, "en"), image.Pt(1280, 720)
	const widget = `{widget: column, card: true, padding: 0, children: [{widget: space, background: bad}]}`
	shown := walltest.ShowThemed(t, e, "calm", true, widget, image.Pt(360, 240))
	margin := e.Picture.Y / 36
	ground, bad := render.Premultiply(look.Calm(true).Colors["background"]), render.Premultiply(look.Calm(true).Colors["bad"])
	for _, at := range []image.Point{{margin, margin}, {359 - margin, margin}, {margin, 239 - margin}, {359 - margin, 239 - margin}} {
		if got := shown.Frame.RGBAAt(at.X, at.Y); got != ground {
			t.Errorf("the corner at %v is %v, want the wall's %v", at, got, ground)
		}
	}
	if got := shown.Frame.RGBAAt(180, margin+1); got != bad {
		t.Errorf("the upper edge is %v, want the picture's %v", got, bad)
	}
}
