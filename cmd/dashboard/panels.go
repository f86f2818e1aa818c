package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/png"

	"dashboard/config"
	"dashboard/internal/spelling"
	"dashboard/output/panel"
	"dashboard/render"
	"dashboard/render/ink"
	"dashboard/server"
	"dashboard/wall/outputs"
)

// maxPreviews bounds the pictures of /panel that are drawn at a time: each takes the memory of a frame.
const maxPreviews = 1

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

// Panel implements server.Panels: the frame of a view in the inks of the first of its outputs that has some.
func (s *service) Panel(ctx context.Context, name string) ([]byte, image.Point, error) {
	v := s.all()[cmp.Or(name, config.MainView)]
	if v == nil {
		return nil, image.Point{}, server.ErrNoPanel
	}
	release, err := s.previews.Acquire(ctx) // one at a time: each takes a frame's memory
	if err != nil {
		return nil, image.Point{}, err
	}
	defer release()
	var q *ink.Quantizer
	var frame *image.RGBA
	var regions ink.Regions
	err = v.Loop.Do(ctx, func(r *render.Renderer) {
		sc := v.Shown.Load().Scene
		for _, c := range sc.Outputs {
			if q = outputs.QuantizerOf(c, sc.Size); q != nil {
				frame, regions = outputs.Still(r, sc.Graphics.Flip)
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
