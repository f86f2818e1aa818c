// Package screen contains the root of a tree: a background, the widget that fills the picture, and the layers above.
package screen

import (
	"image"
	"time"

	"dashboard/control"
	"dashboard/render"
	"dashboard/theme"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/speech"
)

// Params are the parameters of the screen: top-level keys of the widgets file.
type Params struct {
	// Picture behind all widgets, scaled until it covers the screen. Its top left corner stays visible.
	BackgroundImage string `yaml:"background_image"`
	// Color behind all widgets, unless there is a background_image.
	BackgroundColor theme.Color `yaml:"background_color" alias:"color" default:"black"`
	// Draws a soft shadow under the widgets.
	DropShadow bool `yaml:"drop_shadow" default:"false"`
	// Widgets that fill the wall while the room is empty: a list of one to three names, areas or kinds, or {show: [clock, next], when:
	// CONDITION, after: 2m, stay: 30s}. when: condition, by default the opposite of presence in conf.yaml. after: delay until the widgets
	// appear. stay: time for which a touch shows the whole wall.
	Glance *Glance `yaml:"glance"`
	// While the room is dark, shows a clock and the next event in red on black: true, or {when: CONDITION, show: [clock,
	// nextevent]}. The wall then changes at most once a second. Default of when: the brightness sensor in conf.yaml
	// measures less than 1 % of its range.
	RedNight *RedNight `yaml:"red_night"`
	// Background in the colors of the sky at the sun's current height: true, or {clouds: PERCENT}. Replaces background_color. Texts keep
	// their contrast. Needs the location of the wall.
	Sky *Sky `yaml:"sky"`
}

// Screen is the root of a tree. It covers the whole frame with opaque pixels.
type Screen struct {
	size       image.Point
	background kit.Plate
	Picture    kit.Film
	shadow     *render.Shadow
	Child      render.Widget
	Layers     []kit.Layer   // layers above the widgets, the lowest first
	sky        *skyGround    // nil if the file sets no sky
	glance     *glance       // nil if there is no glance
	red        *glance       // nil if there is no view for dark rooms
	content    render.Widget // the child, or the child with the views for `glance` and `red`
	drags      Turner        // pages that a finger drags, or nil
	sought     sought
	waking     bool // true while a finger rests that has shown the whole wall
}

// A Front is a layer that receives touches.
type Front interface {
	// Covers reports whether the layer hides the widgets at a point.
	Covers(p image.Point) bool
	// Tapped returns the action of a tap at a covered point. It returns false if the tap has no action.
	Tapped(p image.Point) (control.Action, bool)
}

// A Turner is a widget with pages that a finger can turn.
type Turner interface {
	// Drag moves the pages during a drag. `by` is the distance in px from the start of the drag. A distance to the right is positive.
	Drag(by int)
	// LetGo ends a drag. If `turn` is true, the pages turn. In this case, `way` is 1 for the next page and -1 for the previous page.
	LetGo(now time.Time, turn bool, way int)
	// Several reports whether there is more than one page.
	Several() bool
}

// Build builds the tree of a whole screen of the given size in px. It reports errors through the specs. The result is never nil, but
// after an error, it must not be shown.
func Build(b *kit.Builder, s *kit.Spec, size image.Point) *Screen {
	if b.Picture == (image.Point{}) {
		b.Picture = size
	}
	defer func() { b.Running = true }()
	w, ok := b.Outermost(Kind(), s, size).(*Screen)
	if !ok {
		w = newScreen(b, s, &Params{}, size, kit.Blank{})
	}
	if b.Catalog.Layers != nil {
		w.Layers = b.Catalog.Layers(b, size)
	}
	return w
}

func build(b *kit.Builder, s *kit.Spec, p *Params, size image.Point) render.Widget {
	if len(s.Children) != 1 {
		s.Errorf("widgets", "a screen takes 1 child, not %d", len(s.Children))
		b.CheckChildren(s, size)
		return nil
	}
	return newScreen(b, s, p, size, b.Build(s.Children[0], size))
}

func newScreen(b *kit.Builder, s *kit.Spec, p *Params, size image.Point, child render.Widget) *Screen {
	w := &Screen{
		size: size, Child: child,
		background: kit.NewPlate(&p.BackgroundColor, 0, image.Rectangle{Max: size}),
	}
	w.background.Color.A = 255 // an alpha of 255 makes a premultiplied color opaque, as if it were painted on black
	if p.BackgroundImage != "" {
		w.Picture.Pic = b.Cover(s, "background_image", p.BackgroundImage, size)
	}
	w.sky = newSky(b, s, p.Sky, size)
	w.content = child
	if p.Glance != nil && len(s.Children) == 1 {
		if w.glance = newGlance(b, s, p.Glance, size, w.background.Color); w.glance != nil {
			w.content = planned{w.glance, w.content}
		}
	}
	if len(s.Children) == 1 {
		if w.red = newRedNight(b, s, p.RedNight, size); w.red != nil {
			w.content = planned{w.red, w.content}
		}
	}
	if p.DropShadow {
		w.shadow = render.NewShadow(size, render.Box(kit.ShadowRadius), 1)
	}
	return w
}

// Update implements render.Widget.
func (w *Screen) Update(t render.Tick) {
	w.Picture.Update(t)
	w.sky.update(t)
	for _, l := range w.Layers {
		l.Update(t)
	}
	if w.shadow != nil {
		t = t.Grow(w.shadow.Reach())
	}
	w.content.Update(t)
	for _, l := range w.Layers {
		l.Regions(t)
	}
}

// Paint implements render.Widget.
func (w *Screen) Paint(c render.Canvas) {
	switch {
	case w.red.leaving():
		w.red.paintVeil(c)
	case w.glance.leaving() && !w.red.shows():
		w.glance.paintVeil(c)
	default:
		w.paintPlan(c)
	}
	for _, l := range w.Layers {
		l.Paint(c)
	}
}

// paintPlan draws all parts below the layers.
func (w *Screen) paintPlan(c render.Canvas) {
	switch {
	case w.sky != nil:
		w.sky.paint(c)
	case w.Picture.Pic == nil || !w.Picture.Pic.Opaque:
		w.background.Paint(c)
	}
	w.Picture.Paint(c)
	if w.shadow == nil || w.red != nil || w.glance != nil {
		w.content.Paint(c)
	} else {
		w.content.Paint(w.shadow.Begin(c))
		w.shadow.End(c)
	}
}

// Speak implements Speaker. It starts with the layers, which are above the wall.
func (w *Screen) Speak(s *speech.Speech) {
	for i := len(w.Layers) - 1; i >= 0; i-- {
		kit.SpeakOf(s, w.Layers[i])
	}
	kit.SpeakOf(s, w.Child)
	s.Close()
}
