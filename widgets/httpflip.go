package widgets

import (
	"context"
	"image"

	"dashboard/provider/rest"
	"dashboard/render"
)

// HTTPFlipParams are the parameters of the httpflip widget.
type HTTPFlipParams struct {
	rest.WidgetParams
	Choosing
}

func buildHTTPFlip(b *Builder, s *Spec, p *HTTPFlipParams, size image.Point) render.Widget {
	w := b.newChoice(s, p.Choosing, size)
	c, sound := restConfig(s, &p.WidgetParams)
	if !sound {
		return nil
	}
	w.cell = b.derive("choice", nil, false, func(_ context.Context, values []any) (any, error) {
		return chosen(values[0]), nil
	}, b.restCell(c))
	return w
}
