package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/png"
	"slices"
	"time"

	"dashboard/config"
	"dashboard/internal/spelling"
	"dashboard/output"
	"dashboard/output/panel"
	"dashboard/render"
	"dashboard/render/ink"
	"dashboard/server"
)

// openPanel shows frames on a panel at the board's pins.
func (o *outputs) openPanel(ctx context.Context, m *member, c *config.PanelOutput, zone *time.Location) error {
	opts, err := panelOptions(c, m.size)
	if err != nil {
		return err
	}
	opts.Open, opts.Location, opts.Log = o.board, zone, o.log
	key := o.view + "/" + c.Model
	opts.Load = func() ([]byte, bool) { return o.store().Load(panelKept, key) }
	opts.Save = func(data []byte) error { return o.store().Save(panelKept, key, data) }
	p, err := panel.New(opts)
	if err != nil {
		return err
	}
	m.state = func() any { return panelHealth(p.Status()) }
	m.start(ctx, p.Pacer, p.Run)
	return nil
}

// maxPreviews bounds the pictures of /panel that are drawn at a time: each takes the memory of a frame.
const maxPreviews = 1

// panelKept is the kind of file that says what a panel shows.
const panelKept = "panel"

// panelOptions are what is written for a panel.
func panelOptions(c *config.PanelOutput, frame image.Point) (panel.Options, error) {
	m, ok := panel.Named(c.Model)
	if !ok {
		return panel.Options{}, fmt.Errorf("there is no panel %q", c.Model) // the files were checked
	}
	o := panel.Options{Model: m, Frame: frame, FullEvery: c.FullEvery}
	if c.MinInterval != nil {
		o.MinInterval = max(time.Duration(*c.MinInterval), time.Millisecond)
	}
	return o, nil
}

// validPanel reports what can never work.
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

// panelOf is what --panel names: a model, or a palette.
func panelOf(name string) (*panel.Model, *ink.Palette, error) {
	if m, ok := panel.Named(name); ok {
		return m, nil, nil
	}
	if p, ok := ink.Named(name); ok {
		return nil, p, nil
	}
	all := append(panel.Names(), ink.Names()...)
	err := fmt.Errorf("--panel %s: there is no such panel or palette; there are: %v", name, all)
	if near := spelling.Nearest(name, all); near != "" {
		err = fmt.Errorf("--panel %s: there is no such panel or palette; did you mean %s?", name, near)
	}
	return nil, nil, err
}

// quantizerOf is what an output makes its pictures with, nil for one with all colors.
func quantizerOf(c config.Output, frame image.Point) *ink.Quantizer {
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

// inInks is a renderer's frame as a panel shows it, turned by 180 degrees or not.
func inInks(q *ink.Quantizer, r *render.Renderer, flip bool) *image.Paletted {
	frame, regions := still(r, flip)
	pic := q.NewPicture()
	q.Quantize(pic, frame, regions.List())
	return pic
}

// still is a copy of a renderer's frame with its photos, turned by 180 degrees or not.
func still(r *render.Renderer, flip bool) (*image.RGBA, ink.Regions) {
	frame, regions := r.Frame(), *r.Regions()
	if flip {
		regions.Turn(frame.Rect)
		return output.Turned(frame), regions
	}
	c := *frame
	c.Pix = slices.Clone(frame.Pix)
	return &c, regions
}

// Panel implements server.Panels: the frame of a view in the inks of the first of its outputs that has some.
func (s *service) Panel(ctx context.Context, name string) ([]byte, image.Point, error) {
	v := s.all()[cmp.Or(name, mainView)]
	if v == nil {
		return nil, image.Point{}, server.ErrNoPanel
	}
	release, err := s.previews.acquire(ctx) // one at a time: each takes a frame's memory
	if err != nil {
		return nil, image.Point{}, err
	}
	defer release()
	var q *ink.Quantizer
	var frame *image.RGBA
	var regions ink.Regions
	err = v.loop.Do(ctx, func(r *render.Renderer) {
		sc := v.shown.Load().scene
		for _, c := range sc.outputs {
			if q = quantizerOf(c, sc.size); q != nil {
				frame, regions = still(r, sc.graphics.Flip)
				return
			}
		}
	})
	switch {
	case err != nil:
		return nil, image.Point{}, err
	case q == nil:
		return nil, image.Point{}, server.ErrNoPanel
	}
	pic := q.NewPicture()
	q.Quantize(pic, frame, regions.List())
	var b bytes.Buffer
	err = png.Encode(&b, pic)
	return b.Bytes(), pic.Rect.Size(), err
}
