package screen

import (
	"fmt"
	"image"
	"image/color"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
)

// RedNight configures the view for a dark room: a clock and the next event, in red on black.
type RedNight struct {
	Off bool
	// Names, areas or kinds of one to three widgets of the wall. Default: its clock and its next event.
	Show []string `yaml:"show" minlen:"1" maxlen:"3"`
	// Condition for the red theme, such as a schedule. Default: the brightness sensor in conf.yaml measures less than 1 % of its range.
	When *value.Condition `yaml:"when"`
}

// redNightKeys has the same keys as RedNight, but no unmarshaler.
type redNightKeys RedNight

// TypeName returns the name of this type for the reference.
func (*RedNight) TypeName() string { return "true or mapping" }

// JSONSchema implements config.Describer.
func (*RedNight) JSONSchema() map[string]any {
	names := map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "minItems": 1, "maxItems": glanceMost}
	return map[string]any{"anyOf": []any{map[string]any{"type": "boolean"}, map[string]any{
		"type": "object", "additionalProperties": false,
		"properties": map[string]any{"show": names, "when": (*value.Condition)(nil).JSONSchema()},
	}}}
}

// TakesProgram implements config.ProgramTaker.
func (*RedNight) TakesProgram() {}

// SetNode implements config.NodeSetter. The value true selects the default widgets.
func (r *RedNight) SetNode(n *config.Node, c *config.Context) error {
	if n.Kind() == config.Map {
		c.Decode(n, (*redNightKeys)(r))
		return nil
	}
	on, ok := n.Value().(bool)
	if !ok {
		return fmt.Errorf("must be true, or a mapping such as {when: {time: \"22:00-06:00\"}}, not %s", n.Shown())
	}
	r.Off = !on
	return nil
}

// redPause is the minimum time between two pictures of the view for a dark room.
const redPause = time.Second

// newRedNight builds the view for a dark room. If the view is off or cannot be built, or on e-paper, newRedNight returns nil.
func newRedNight(b *kit.Builder, s *kit.Spec, p *RedNight, size image.Point) *glance {
	if p == nil || p.Off || b.Look.Ink {
		return nil
	}
	g := &glance{size: size, reduced: b.Reduced, ground: color.RGBA{A: 255}, fills: true, pause: redPause, stay: time.Duration(glanceStay), near: func() bool { return !b.Dark() }}
	if g.when = b.When(s, p.When); g.when == nil && b.Dark == nil {
		s.Errorf("red_night", "needs 'when', or 'display: {brightness: {sensor: auto}}' in conf.yaml")
		return nil
	}
	names := p.Show
	for _, kind := range []string{"clock", "nextevent", "agenda"} {
		if len(p.Show) == 0 && len(names) < 2 && named(b, s.Children, kind) != nil {
			names = append(names, kind)
		}
	}
	if len(names) == 0 {
		s.Errorf("red_night", "needs 'show': the wall has no clock and no next event")
		return nil
	}
	specs := chosen(b, s, "red_night", names)
	if specs == nil {
		return nil
	}
	red := larger(b)
	red.Look = look.OneInk(b.Look)
	g.place(red, specs)
	g.ink = oneInk(look.Red)
	return g
}

// inkTable maps the brightest channel of a pixel to a shade of one color.
type inkTable [256][3]uint8

// oneInk returns a table with the shades of c.
func oneInk(c color.NRGBA) *inkTable {
	var t inkTable
	for v := range t {
		for k, full := range [3]uint8{c.R, c.G, c.B} {
			t[v][k] = uint8((int(full)*v + 127) / 255)
		}
	}
	return &t
}

// paint converts all painted pixels to shades of the table's color. This includes pictures and colors that the file sets.
func (t *inkTable) paint(c render.Canvas, all image.Rectangle) {
	r := all.Add(c.Org).Intersect(c.Clip).Intersect(c.Dst.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		i := c.Dst.PixOffset(r.Min.X, y)
		row := c.Dst.Pix[i : i+4*r.Dx()]
		for p := 0; p+3 < len(row); p += 4 {
			shade := &t[max(row[p], row[p+1], row[p+2])]
			row[p], row[p+1], row[p+2] = shade[0], shade[1], shade[2]
		}
	}
}
