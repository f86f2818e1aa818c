package wall

import (
	"bytes"
	"cmp"
	"context"
	"image"
	"image/png"

	"dashboard/config"
	"dashboard/render"
	"dashboard/render/ink"
	"dashboard/server"
	"dashboard/wall/outputs"
)

// maxPreviews is the maximum number of pictures of /panel that are drawn at the same time. Each picture needs the memory of a frame.
const maxPreviews = 1

// Panel implements server.Panels. It returns the frame of a view in the inks of the first output that has inks.
func (s *Service) Panel(ctx context.Context, name string) ([]byte, image.Point, error) {
	v := s.all()[cmp.Or(name, config.MainView)]
	if v == nil {
		return nil, image.Point{}, server.ErrNoPanel
	}
	release, err := s.previews.Acquire(ctx) // only maxPreviews at the same time, because each picture needs the memory of a frame
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
