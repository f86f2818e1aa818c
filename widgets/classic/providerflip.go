package classic

import (
	"image"

	"dashboard/render"
	"dashboard/widgets/kit"
)

// ProviderFlipParams are the parameters of the providerflip widget.
type ProviderFlipParams struct {
	Source
	Choosing
}

func buildProviderFlip(b *kit.Builder, s *kit.Spec, p *ProviderFlipParams, size image.Point) render.Widget {
	w := newChoice(b, s, p.Choosing, size)
	v, one := p.value(s)
	var ok bool
	if w.value, ok = b.Sources.Choice(s.Asker(), v); !one || !ok {
		return nil
	}
	return w
}
