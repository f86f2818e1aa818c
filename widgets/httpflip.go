package widgets

import (
	"image"

	"dashboard/provider/query"
	"dashboard/render"
)

// HTTPFlipParams are the parameters of the httpflip widget.
type HTTPFlipParams struct {
	query.Address
	Choosing
}

func buildHTTPFlip(b *Builder, s *Spec, p *HTTPFlipParams, size image.Point) render.Widget {
	w := b.newChoice(s, p.Choosing, size)
	var ok bool
	if w.value, ok = b.Sources.AddressChoice(s.asker(), p.Address); !ok {
		return nil
	}
	return w
}
