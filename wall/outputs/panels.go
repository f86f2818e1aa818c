package outputs

import (
	"context"
	"fmt"
	"image"
	"slices"
	"time"

	"dashboard/config"
	"dashboard/output"
	"dashboard/output/panel"
	"dashboard/render"
	"dashboard/render/ink"
)

// openPanel opens a display panel that is connected to the GPIO pins of the board.
func (o *Set) openPanel(ctx context.Context, m *Member, c *config.PanelOutput, zone *time.Location) error {
	opts, err := panelOptions(c, m.size)
	if err != nil {
		return err
	}
	opts.Open, opts.Location, opts.Log = o.Devices.Board, zone, o.Log
	key := o.View + "/" + c.Model
	opts.Load = func() ([]byte, bool) { return o.Store.Load(panelKept, key) }
	opts.Save = func(data []byte) error { return o.Store.Save(panelKept, key, data) }
	opts.Forget = func() error { return o.Store.Remove(panelKept, key) }
	p, err := panel.New(opts)
	if err != nil {
		return err
	}
	m.state = func() any { return panelHealth(p.Status()) }
	m.start(ctx, p.Pacer, p.Run)
	return nil
}

// panelKept is the kind of the files in the state folder that contain the picture of a panel.
const panelKept = "panel"

// panelOptions returns the options of a panel.
func panelOptions(c *config.PanelOutput, frame image.Point) (panel.Options, error) {
	m, ok := panel.Named(c.Model)
	if !ok {
		return panel.Options{}, fmt.Errorf("there is no panel %q", c.Model) // cannot happen, because the model was checked before
	}
	o := panel.Options{Model: m, Frame: frame, FullEvery: c.FullEvery}
	if c.MinInterval != nil {
		o.MinInterval = max(time.Duration(*c.MinInterval), time.Millisecond)
	}
	return o, nil
}

// validPanel returns an error for settings of a panel that cannot work on any machine.
func validPanel(c *config.PanelOutput, frame image.Point) error {
	o, err := panelOptions(c, frame)
	if err == nil {
		_, err = panel.New(o)
	}
	return err
}

func panelHealth(s panel.Status) map[string]any {
	h := map[string]any{"shown": s.Known, "action": s.Action.String(), "partials": s.Partials}
	for name, at := range map[string]time.Time{"updated": s.Updated, "full": s.Full, "cleaned": s.Cleaned} {
		if h[name] = nil; !at.IsZero() {
			h[name] = at.UTC().Format(time.RFC3339)
		}
	}
	return h
}

// QuantizerOf returns the quantizer that converts frames to the colors of an output. If the output shows full color, it returns nil.
func QuantizerOf(c config.Output, frame image.Point) *ink.Quantizer {
	name := ""
	switch {
	case c.Panel != nil:
		if m, ok := panel.Named(c.Panel.Model); ok && m.Fits(frame) {
			return m.Quantizer(frame)
		}
	case c.Post != nil:
		name = c.Post.Palette
	case c.File != nil:
		name = c.File.Palette
	}
	if p, ok := ink.Named(name); ok {
		return ink.New(p, frame, ink.Diffuse)
	}
	return nil
}

// InInks returns the renderer's frame in the ink colors of the quantizer q. If `flip` is true, the result is rotated by 180 degrees.
func InInks(q *ink.Quantizer, r *render.Renderer, flip bool) *image.Paletted {
	frame, regions := Still(r, flip)
	pic := q.NewPicture()
	q.Quantize(pic, frame, regions.List())
	return pic
}

// Still returns a copy of the renderer's frame, and the regions of its photos. If `flip` is true, the copy and the regions are rotated by
// 180 degrees.
func Still(r *render.Renderer, flip bool) (*image.RGBA, ink.Regions) {
	frame, regions := r.Frame(), *r.Regions()
	if flip {
		regions.Turn(frame.Rect)
		return output.Turned(frame), regions
	}
	c := *frame
	c.Pix = slices.Clone(frame.Pix)
	return &c, regions
}
