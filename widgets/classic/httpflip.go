package classic

import (
	"image"

	"dashboard/provider/query"
	"dashboard/render"
	"dashboard/widgets/kit"
)

// HTTPFlipParams are the parameters of the httpflip widget.
type HTTPFlipParams struct {
	query.Address
	Choosing
}

func buildHTTPFlip(b *kit.Builder, s *kit.Spec, p *HTTPFlipParams, size image.Point) render.Widget {
	w := newChoice(b, s, p.Choosing, size)
	var ok bool
	if w.value, ok = b.Sources.AddressChoice(s.Asker(), p.Address); !ok {
		return nil
	}
	return w
}
