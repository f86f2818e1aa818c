package kit

import (
	"cmp"
	"image"
	"image/color"
	"time"

	"dashboard/render"
	"dashboard/render/text"
)

// CrashPause is the time until a widget that panicked is tried again. A temporary cause may end within this time. Because of this pause,
// a widget that always panics uses almost no processor time.
const CrashPause = 10 * time.Second

// Colors of the panel that replaces a widget on a classic wall after a panic. They are readable by day and by night.
var (
	PanelColor = color.RGBA{88, 24, 28, 255}
	PanelText  = color.RGBA{255, 226, 222, 255}
)

const (
	panelPadding  = 4
	panelTextSize = 24
)

// Guard limits the effect of a widget's panics to the widget's cell.
type Guard struct {
	Inner render.Widget
	env   *Env
	spec  *Spec
	kind  string
	name  string
	pos   string
	size  image.Point

	now   time.Time // time of the last Update
	down  bool      // true after a panic. The panel then replaces the widget
	shown bool      // true after the panel's cell was damaged
	retry time.Time
	panel *text.Block // panel of a classic wall, created at the first panic. `plate` and `ink` are also created then
	plate Plate
	ink   color.RGBA
	stop  *stopped   // replaces `panel` on a modern wall
	fault *faultBand // nil if there is no fault
}

func newGuard(b *Builder, s *Spec, size image.Point, inner render.Widget) *Guard {
	return &Guard{Inner: inner, env: &b.Env, spec: s, kind: s.Kind, name: cmp.Or(s.Name, s.Kind),
		pos: s.Pos, size: size, fault: newFaultBand(b, s, size)}
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

// show damages the cell when the panel is new, and requests a pass at g.retry, when the widget is tried again.
func (g *Guard) show(t render.Tick) {
	if !g.shown {
		g.shown = true
		t.DamageAll()
	}
	if g.stop != nil {
		g.stop.words.Update(t.In(g.stop.box), g.retry)
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
		g.env.Wake() // the renderer must paint again, because parts of the cell still show the widget
	}
	if g.stop != nil {
		g.stop.paint(c)
		return
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

// contain recovers from a panic of the widget. Each method of Guard that calls the widget defers contain.
func (g *Guard) contain() {
	v := recover()
	if v == nil {
		return
	}
	g.down, g.shown = true, false
	g.retry = g.now.Add(CrashPause)
	switch e := g.env; {
	case g.stop != nil || g.panel != nil:
	case e.Look != nil && (e.Modern || e.Themed):
		g.stop = newStopped(g)
	default:
		g.makePanel()
	}
	g.env.Crashed(g.name, g.pos, v)
}

// makePanel creates the panel of a classic wall.
func (g *Guard) makePanel() {
	g.plate, g.ink = Plate{Rect: image.Rectangle{Max: g.size}, Color: PanelColor}, PanelText
	g.panel = text.NewBlock(g.env.Text, text.Options{
		Size: panelTextSize, Box: g.size, Padding: panelPadding, Align: text.Center, VAlign: text.Middle, Wrap: true, Ellipsis: true,
	})
	g.panel.Set(g.name + " failed")
}

// Blend returns a mix of two colors. c is opaque, and `percent` is the share of `other`.
func Blend(c, other color.RGBA, percent int) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8((int(a)*(100-percent) + int(b)*percent + 50) / 100) }
	return color.RGBA{mix(c.R, other.R), mix(c.G, other.G), mix(c.B, other.B), 255}
}
