package screen

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
	"dashboard/widgets/kit"
)

// Glance configures a view of a few large widgets, which are readable from far away.
type Glance struct {
	// Names, areas or kinds of one to three widgets of the wall, the most important first.
	Show []string `yaml:"show" required:"true" minlen:"1" maxlen:"3"`
	// Condition for showing these widgets, such as absence or a schedule. Default: the opposite of presence in conf.yaml.
	When *value.Condition `yaml:"when"`
	// Time for which the condition must be true first.
	After value.Duration `yaml:"after" default:"0"`
	// Time for which the whole wall is shown after a touch.
	Stay value.Duration `yaml:"stay" default:"30s"`
}

// glanceKeys has the same keys as Glance, but no unmarshaler.
type glanceKeys Glance

// TypeName returns the name of this type in the reference.
func (*Glance) TypeName() string { return "list of names or mapping" }

// JSONSchema implements config.Describer.
func (*Glance) JSONSchema() map[string]any {
	names := map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "minItems": 1, "maxItems": glanceMost}
	return map[string]any{"anyOf": []any{names, map[string]any{
		"type": "object", "required": []any{"show"}, "additionalProperties": false, "properties": map[string]any{
			"show": names, "when": (*value.Condition)(nil).JSONSchema(),
			"after": (*value.Duration)(nil).JSONSchema(), "stay": (*value.Duration)(nil).JSONSchema(),
		},
	}}}
}

// TakesProgram reports that the key `when` may hold a program.
func (*Glance) TakesProgram() {}

// SetNode implements config.NodeSetter. A list of names is the value of the key `show`.
func (g *Glance) SetNode(n *config.Node, c *config.Context) error {
	switch {
	case n.Kind() == config.Map:
		c.Decode(n, (*glanceKeys)(g))
	case n.Kind() != config.List:
		return fmt.Errorf("must be a list of names of widgets, such as [clock, next], or a mapping with show, not %s", n.Shown())
	case n.Len() < 1 || n.Len() > glanceMost:
		return fmt.Errorf("shows 1 to %d widgets, not %d", glanceMost, n.Len())
	default:
		g.Stay = glanceStay
		c.Decode(n, &g.Show)
	}
	return nil
}

const (
	glanceMost   = 3
	glanceStay   = value.Duration(30 * time.Second)
	glanceZoom   = 3 // factor of text sizes and lengths, on a screen whose shorter side has at least 720 px
	glanceFull   = 720
	glanceMargin = 0.8                    // factor of the margin, which is already multiplied by the zoom
	glanceTime   = 360 * time.Millisecond // duration of the change between the wall and the glance
	glanceLeave  = 100 * time.Millisecond // part of glanceTime in which the old picture fades out
	glanceClock  = 2                      // share of the height for a clock. Other widgets have the share 1
)

// glance is a second arrangement of the wall: a few large widgets. It fades in and out by drawing the background over the current frame,
// so it needs no buffer.
type glance struct {
	size     image.Point
	children []*kit.Child
	when     *kit.When
	near     func() bool // reports whether a person is near, used if there is no condition
	after    time.Duration
	stay     time.Duration
	reduced  bool
	ground   color.RGBA
	fills    bool          // true if the background is drawn before the widgets
	ink      *inkTable     // converts all colors, nil if the colors stay unchanged
	pause    time.Duration // minimum time between two pictures
	shown    time.Time     // time of the last picture

	started bool
	on      bool      // true if the glance is shown or fades in
	since   time.Time // time since which no person is near, zero if a person is near
	touched time.Time // end of the time in which the whole wall is shown after a touch
	began   time.Time // start of the change between the wall and the glance, zero if there is no change
	gone    float64   // progress of the fading of the old picture, from 0 to 1
	veil    uint8     // opacity of the background over the picture
}

// newGlance builds a glance from the specs of the wall's widgets. The widgets are larger, and have a card only if the file sets the card.
func newGlance(b *kit.Builder, s *kit.Spec, p *Glance, size image.Point, ground color.RGBA) *glance {
	g := &glance{size: size, near: b.Near, after: time.Duration(p.After), stay: time.Duration(p.Stay), reduced: b.Reduced, ground: ground}
	if g.when = b.When(s, p.When); g.when == nil && g.near == nil {
		s.Errorf("glance", "needs 'when', or a sensor in 'display: {presence: …}' of conf.yaml")
		return nil
	}
	specs := chosen(b, s, "glance", p.Show)
	if specs == nil {
		return nil
	}
	g.place(larger(b), specs)
	return g
}

// larger() returns a builder for the widgets of a glance.
func larger(b *kit.Builder) *kit.Builder {
	return b.Larger(1 + (glanceZoom-1)*min(1, float64(b.Shorter())/glanceFull))
}

// chosen() returns the specs with the given names. If a name is unknown, it reports an error at the given key and returns nil.
func chosen(b *kit.Builder, s *kit.Spec, key string, names []string) (specs []*kit.Spec) {
	for _, name := range names {
		one := named(b, s.Children, name)
		if one == nil {
			s.Errorf(key, "there is no widget '%s'; there are %s", name, strings.Join(callNames(b, s.Children, nil), ", "))
			return nil
		}
		specs = append(specs, one)
	}
	return specs
}

// place() builds the widgets, one in each row.
func (g *glance) place(b *kit.Builder, specs []*kit.Spec) {
	total := 0.0
	share := func(s *kit.Spec) float64 {
		if s.Kind == "clock" {
			return glanceClock
		}
		return 1
	}
	for _, s := range specs {
		total += share(s)
	}
	box := kit.Inset(image.Rectangle{Max: g.size}, int(float64(b.Px(b.Look.Sizes.Margin))*glanceMargin))
	gap, y := b.Px(b.Look.Sizes.Gap), box.Min.Y
	room := float64(box.Dy() - gap*(len(specs)-1))
	for _, s := range specs {
		r := image.Rect(box.Min.X, y, box.Max.X, y+int(room*share(s)/total))
		w := b.Build(s, r.Size())
		g.children = append(g.children, &kit.Child{Spec: s, Widget: w, Rect: r, Shown: true, Size: r.Size()})
		y = r.Max.Y + gap
	}
	b.Running = true
}

// named() returns the first widget with the given name, area or kind. It searches `specs` and all their descendants.
func named(b *kit.Builder, specs []*kit.Spec, name string) *kit.Spec {
	for _, of := range []func(*kit.Spec) bool{
		func(s *kit.Spec) bool { return s.Name == name },
		func(s *kit.Spec) bool { return b.Common(s).Area == name },
		func(s *kit.Spec) bool { return s.Kind == name },
	} {
		if s := search(specs, of); s != nil {
			return s
		}
	}
	return nil
}

// search returns the first spec for which the function `of` returns true. It checks a spec before the children of the spec.
func search(specs []*kit.Spec, of func(*kit.Spec) bool) *kit.Spec {
	for _, s := range specs {
		if of(s) {
			return s
		}
		if found := search(s.Children, of); found != nil {
			return found
		}
	}
	return nil
}

// callNames appends a text for each widget of `specs` and of their descendants: its name, otherwise its area, otherwise its kind.
func callNames(b *kit.Builder, specs []*kit.Spec, all []string) []string {
	for _, s := range specs {
		all = append(all, cmp.Or(s.Name, b.Common(s).Area, s.Kind))
		all = callNames(b, s.Children, all)
	}
	return all
}

// wants() reports whether the glance should be shown. It requests a pass for the time at which the result may change.
func (g *glance) wants(t render.Tick) bool {
	away := false
	if g.when != nil {
		away = g.when.Holds(t)
	} else {
		away = !g.near()
	}
	now := t.Now()
	switch {
	case !away:
		g.since = time.Time{}
		return false
	case g.since.IsZero() || now.Before(g.since):
		g.since = now
	}
	from := g.since.Add(g.after)
	if g.touched.After(from) {
		from = g.touched
	}
	if now.Before(from) {
		t.Wake(from)
		return false
	}
	return true
}

// update updates the wall and the glance. The values of the view that is hidden therefore also stay up to date.
func (g *glance) update(t render.Tick, whole render.Widget) {
	on := g.wants(t)
	if on != g.on || !g.started {
		if g.began = t.Now(); g.reduced || !g.started {
			g.began = time.Time{}
		}
		g.on, g.started, g.gone, g.veil = on, true, 0, 0
		t.DamageAll()
	}
	leaves := g.move(t)
	unseen := t.Hidden()
	if g.on || leaves {
		whole.Update(unseen)
	} else {
		whole.Update(t)
	}
	if g.waits(t) {
		return
	}
	for _, k := range g.children {
		if g.on && !leaves {
			k.Widget.Update(t.In(k.Rect))
		} else {
			k.Widget.Update(unseen)
		}
	}
}

// waits() reports whether the widgets of the glance must not change yet, because the last picture was shown less than `pause` ago.
func (g *glance) waits(t render.Tick) bool {
	if g.pause == 0 || !g.on || !g.began.IsZero() {
		return false
	}
	if next := g.shown.Add(g.pause); t.Now().Before(next) && !t.Now().Before(g.shown) {
		t.Wake(next)
		return true
	}
	g.shown = t.Now()
	return false
}

// move continues the change between the wall and the glance. It returns true while the old picture fades out. During this time, the old
// picture is not painted again, and the background covers more and more of the picture.
func (g *glance) move(t render.Tick) (leaves bool) {
	if g.began.IsZero() {
		return false
	}
	gone := t.Now().Sub(g.began)
	t.DamageAll()
	if gone < 0 || gone >= glanceTime {
		g.began, g.veil = time.Time{}, 0
		return false
	}
	t.Wake(t.Now())
	if gone < glanceLeave {
		left, before := 1-float64(gone)/float64(glanceLeave), 1-g.gone
		g.gone = 1 - left
		g.veil = uint8(255*(1-left/before) + 0.5)
		return true
	}
	come := float64(gone-glanceLeave) / float64(glanceTime-glanceLeave)
	g.gone, g.veil = 1, uint8(255*(1-come)*(1-come)+0.5)
	return false
}

// shows() reports whether the glance is shown or fades in.
func (g *glance) shows() bool { return g != nil && g.on }

// leaving() reports whether the current frame is fading out and must not be painted again.
func (g *glance) leaving() bool { return g != nil && !g.began.IsZero() && g.gone < 1 }

// paint draws the wall or the glance. During a fade-in, paint also draws the background over the wall or the glance.
func (g *glance) paint(c render.Canvas, whole render.Widget) {
	if !g.on {
		whole.Paint(c)
	} else {
		if g.fills {
			c.Fill(image.Rectangle{Max: g.size}, g.ground)
		}
		for _, k := range g.children {
			if c.Sees(k.Rect) {
				k.Widget.Paint(c.In(k.Rect))
			}
		}
	}
	if g.on && g.ink != nil {
		g.ink.paint(c, image.Rectangle{Max: g.size})
	}
	g.paintVeil(c)
}

// paintVeil draws the background over the frame, with the current opacity.
func (g *glance) paintVeil(c render.Canvas) {
	if g.veil == 0 {
		return
	}
	veil := g.ground
	for _, v := range []*uint8{&veil.R, &veil.G, &veil.B, &veil.A} {
		*v = uint8(int(*v) * int(g.veil) / 255)
	}
	c.Fill(image.Rectangle{Max: g.size}, veil)
}

// touch() makes the whole wall visible for some time. If the glance was shown, touch() returns true, and the touch must have no other
// effect.
func (g *glance) touch(now time.Time) bool {
	if g == nil {
		return false
	}
	g.touched = now.Add(g.stay)
	return g.on
}

// planned is a widget that shows the wall or the wall's glance.
type planned struct {
	*glance
	whole render.Widget
}

// Update implements render.Widget.
func (p planned) Update(t render.Tick) { p.update(t, p.whole) }

// Paint implements render.Widget.
func (p planned) Paint(c render.Canvas) { p.paint(c, p.whole) }
