package widgets

import (
	"image"

	"dashboard/render"
	"dashboard/theme"
)

// ScreenParams are the parameters of the screen: top-level keys of the widgets file.
type ScreenParams struct {
	BackgroundImage string      `yaml:"background_image" doc:"Picture behind everything, scaled until it covers the screen, its top left corner kept."`
	BackgroundColor theme.Color `yaml:"background_color" alias:"color" default:"black" doc:"Color behind everything, where there is no background_image."`
	DropShadow      bool        `yaml:"drop_shadow" default:"false" doc:"Draw a soft shadow under the widgets."`
}

// Screen is the root of a tree: it fills the frame and paints every pixel of it opaque.
type Screen struct {
	size       image.Point
	background plate
	picture    film
	shadow     *render.Shadow
	child      render.Widget
	overlay    *overlay // these are nil in a screen that is not the root
	banner     *banner
	drags      *pages // that follow a finger; nil for none
	sought     sought
	sign       *sign // as the banner
}

// BuildScreen makes the tree of a whole screen of the given size, px. What is wrong is reported through
// the specs; the screen is never nil, and is not meant to be shown if there were errors.
func (b *Builder) BuildScreen(s *Spec, size image.Point) *Screen {
	if b.Picture == (image.Point{}) {
		b.Picture = size
	}
	b.within = within{outer: true}
	defer func() { b.running = true }()
	w, ok := b.construct(b.kinds["screen"], s, size).(*Screen)
	if !ok {
		w = b.newScreen(s, &ScreenParams{}, size, blank{})
	}
	w.overlay = b.newOverlay(size)
	w.banner, w.sign = newBanner(&b.Env, size), newSign(&b.Env, size)
	return w
}

func buildScreen(b *Builder, s *Spec, p *ScreenParams, size image.Point) render.Widget {
	if len(s.Children) != 1 {
		s.Errorf("widgets", "a screen takes 1 child, not %d", len(s.Children))
		b.checkChildren(s, size)
		return nil
	}
	return b.newScreen(s, p, size, b.Build(s.Children[0], size))
}

func (b *Builder) newScreen(s *Spec, p *ScreenParams, size image.Point, child render.Widget) *Screen {
	w := &Screen{
		size: size, child: child,
		background: newPlate(&p.BackgroundColor, 0, image.Rectangle{Max: size}),
	}
	w.background.color.A = 255 // over black, a premultiplied color only has to become opaque
	if p.BackgroundImage != "" {
		w.picture.pic = b.cover(s, "background_image", p.BackgroundImage, size)
	}
	if p.DropShadow {
		w.shadow = render.NewShadow(size, render.Box(shadowRadius), 1)
	}
	return w
}

// Update implements render.Widget.
func (w *Screen) Update(t render.Tick) {
	w.picture.update(t)
	w.banner.update(t)
	w.sign.update(t)
	w.overlay.update(t)
	if w.shadow != nil {
		t = t.Grow(w.shadow.Reach())
	}
	w.child.Update(t)
	w.overlay.regions(t)
	w.banner.regions(t)
}

// Paint implements render.Widget.
func (w *Screen) Paint(c render.Canvas) {
	if w.picture.pic == nil || !w.picture.pic.Opaque {
		w.background.paint(c)
	}
	w.picture.paint(c)
	if w.shadow == nil {
		w.child.Paint(c)
	} else {
		w.child.Paint(w.shadow.Begin(c))
		w.shadow.End(c)
	}
	w.overlay.paint(c)
	w.banner.paint(c)
	w.sign.paint(c)
}
