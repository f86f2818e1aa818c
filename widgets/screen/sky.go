package screen

import (
	"image"
	"math"
	"time"

	"dashboard/config"
	"dashboard/render"
	"dashboard/render/sky"
	"dashboard/theme/look"
	"dashboard/theme/sun"
	"dashboard/widgets/kit"
)

// Sky is a background in the colors of the sky.
type Sky struct {
	Off bool
	// Share of clouds in percent. Default: a clear sky.
	Clouds *config.Live[float64] `yaml:"clouds"`
}

// skyKeys has the same keys as Sky, but no unmarshaler.
type skyKeys Sky

// TypeName returns the name of this type for the reference.
func (*Sky) TypeName() string { return "true or mapping" }

// JSONSchema implements config.Describer.
func (*Sky) JSONSchema() map[string]any {
	return map[string]any{"anyOf": []any{map[string]any{"type": "boolean"}, map[string]any{
		"type": "object", "additionalProperties": false, "properties": map[string]any{"clouds": map[string]any{"type": []any{"number", "string"}}},
	}}}
}

// TakesProgram implements config.ProgramTaker.
func (*Sky) TakesProgram() {}

// SetNode implements config.NodeSetter. The value true selects a clear sky.
func (s *Sky) SetNode(n *config.Node, c *config.Context) error {
	if n.Kind() == config.Map {
		c.Decode(n, (*skyKeys)(s))
		return nil
	}
	on := false
	if c.Decode(n, &on) {
		s.Off = !on
	}
	return nil
}

// skyGround is the sky behind a wall.
type skyGround struct {
	b      *kit.Builder
	area   image.Rectangle
	clouds kit.Input
	light  sky.Light
	colors sky.Gradient
	next   time.Time // time of the next update of the sun
}

// newSky creates the sky behind a wall. If the file sets no sky, or on black-and-white displays, it returns nil. If the place of the wall
// is unknown, it reports a warning and returns nil.
func newSky(b *kit.Builder, s *kit.Spec, p *Sky, size image.Point) *skyGround {
	switch {
	case p == nil || p.Off || b.Look.Ink:
		return nil
	case !b.Place.Known:
		s.Warnf("sky", "needs the wall's place: write location in conf.yaml")
		return nil
	}
	return &skyGround{b: b, area: image.Rectangle{Max: size}, clouds: kit.InputOf(b, s, p.Clouds, kit.AnyOf[float64]), light: lightFor(b.Look)}
}

// skyContrast is the minimum contrast of texts over the sky, by role.
var skyContrast = map[string]float64{"text": 4.5, "muted": 4.5, "faint": 2.5}

// lightFor returns the range of luminance that a sky may have, so that the texts of a look stay readable.
func lightFor(l *look.Look) sky.Light {
	span := sky.Light{}
	dark := look.Luminance(l.Colors["text"]) > look.Luminance(l.Colors["background"])
	for role, least := range skyContrast {
		y := look.Luminance(l.Colors[role])
		if most := (y+0.05)/least - 0.05; dark && (span.Most == 0 || most < span.Most) {
			span.Most = max(0.001, most)
		}
		if low := (y+0.05)*least - 0.05; !dark {
			span.Least = math.Max(span.Least, math.Min(low, 0.97))
		}
	}
	return span
}

// update moves the sun once a minute, and also when the share of clouds changes. If a color changed, it damages the whole wall.
func (g *skyGround) update(t render.Tick) {
	if g == nil {
		return
	}
	now := t.Now()
	if !g.clouds.Update(t) && now.Before(g.next) && now.Add(time.Minute).After(g.next) {
		t.Wake(g.next)
		return
	}
	g.next = now.Truncate(time.Minute).Add(time.Minute)
	t.Wake(g.next)
	clouds, _ := g.clouds.Number()
	at := g.b.Place
	if g.colors.Set(sun.Elevation(now, at.Latitude, at.Longitude), clouds/100, g.light) {
		t.DamageAll()
	}
}

// paint draws the sky.
func (g *skyGround) paint(c render.Canvas) { g.colors.Paint(c.Dst, c.Clip, g.area.Add(c.Org)) }
