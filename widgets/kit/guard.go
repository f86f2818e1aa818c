package kit

import (
	"image"
	"image/color"
	"time"

	"dashboard/render"
	"dashboard/render/text"
)

// CrashPause is the time between attempts to run a widget that panicked. It is short enough for temporary causes, and long enough
// that a widget that always fails costs nothing.
const CrashPause = 10 * time.Second

// Colors of the panel in the cell of a widget that panicked, on a classic wall. They are readable by day and by night.
var (
	PanelColor = color.RGBA{88, 24, 28, 255}
	PanelText  = color.RGBA{255, 226, 222, 255}
)

const (
	panelPadding  = 4
	panelTextSize = 24
)

// Guard contains the panics of one widget in its cell.
type Guard struct {
	Inner render.Widget
	env   *Env
	spec  *Spec
	kind  string
	name  string
	pos   string
	size  image.Point

	now   time.Time // time of the last Update
	down  bool      // true if the widget panicked and the panel replaces it
	shown bool      // true if the panel was reported as damage
	retry time.Time
	panel *text.Block // created at the first panic, like plate and ink
	plate Plate
	ink   color.RGBA
	fault *faultBand // nil if there is no fault
}

func newGuard(b *Builder, s *Spec, size image.Point, inner render.Widget) *Guard {
	g := &Guard{Inner: inner, env: &b.Env, spec: s, kind: s.Kind, name: s.Name, pos: s.Pos, size: size, fault: newFaultBand(b, s, size)}
	if g.name == "" {
		g.name = s.Kind
	}
	return g
}

// Refresh implements Hideable.
func (g *Guard) Refresh(t render.Tick) (shown bool) {
	h, ok := g.Inner.(Hideable)
	if !ok || g.down {
		return true
	}
	defer g.contain()
	return h.Refresh(t)
}

// Natural implements Sized.
func (g *Guard) Natural(width int) (size image.Point) {
	n, ok := g.Inner.(Sized)
	if !ok || g.down {
		return image.Point{}
	}
	defer g.contain()
	return n.Natural(width)
}

// Update implements render.Widget.
func (g *Guard) Update(t render.Tick) {
	g.now = t.Now()
	if g.down && g.now.Before(g.retry) && g.retry.Sub(g.now) <= CrashPause {
		g.show(t)
		return
	}
	back := g.down
	g.down = false
	g.update(t)
	switch {
	case g.down:
		g.show(t)
	case back:
		t.DamageAll()
	}
}

// show damages the cell once for the panel, and requests the next attempt.
func (g *Guard) show(t render.Tick) {
	if !g.shown {
		g.shown = true
		t.DamageAll()
	}
	t.Wake(g.retry)
}

// Paint implements render.Widget.
func (g *Guard) Paint(c render.Canvas) {
	g.env.Survey.see(g, c)
	if !g.down {
		g.paint(c)
		if !g.down {
			g.fault.paint(c)
			return
		}
		g.env.Wake() // wake, because the rest of the cell still shows the widget
	}
	g.plate.Paint(c)
	g.panel.Paint(c.Dst, c.Clip, c.Org, g.ink)
}

func (g *Guard) update(t render.Tick) {
	defer g.contain()
	g.Inner.Update(t)
}

func (g *Guard) paint(c render.Canvas) {
	defer g.contain()
	g.Inner.Paint(c)
}

// contain is deferred around calls of the widget.
func (g *Guard) contain() {
	v := recover()
	if v == nil {
		return
	}
	g.down, g.shown = true, false
	g.retry = g.now.Add(CrashPause)
	if g.panel == nil {
		g.makePanel()
	}
	g.env.Crashed(g.name, g.pos, v)
}

// panelTint is the percentage of the color bad in the panel of a modern wall.
const panelTint = 16

// makePanel creates the panel in the colors and the font of the wall.
func (g *Guard) makePanel() {
	o := text.Options{
		Size: panelTextSize, Box: g.size, Padding: panelPadding, Align: text.Center, VAlign: text.Middle, Wrap: true, Ellipsis: true,
	}
	g.plate, g.ink = Plate{Rect: image.Rectangle{Max: g.size}, Color: PanelColor}, PanelText
	if e := g.env; e.Look != nil && (e.Modern || e.Themed) {
		b := &Builder{Env: *e}
		face := b.Face("body")
		o.Font, o.Size, o.Padding = face.Font, face.Size, min(b.Px(e.Look.Sizes.Padding), min(g.size.X, g.size.Y)/8)
		g.plate.Color, g.ink = Blend(b.Role("surface"), b.Role("bad"), panelTint), b.Role("text")
		g.plate.Corner = render.NewCorner(min(b.Px(e.Look.Sizes.Radius), min(g.size.X, g.size.Y)/2), g.size)
	}
	g.panel = text.NewBlock(g.env.Text, o)
	g.panel.Set(g.name + " failed")
}

// Blend mixes percent of another color into an opaque color.
func Blend(c, other color.RGBA, percent int) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8((int(a)*(100-percent) + int(b)*percent + 50) / 100) }
	return color.RGBA{mix(c.R, other.R), mix(c.G, other.G), mix(c.B, other.B), 255}
}
