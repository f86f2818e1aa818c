package widgets

import (
	"image"

	"dashboard/render"
)

// ProviderFlipParams are the parameters of the providerflip widget.
type ProviderFlipParams struct {
	Source
	Choosing
}

func buildProviderFlip(b *Builder, s *Spec, p *ProviderFlipParams, size image.Point) render.Widget {
	w := b.newChoice(s, p.Choosing, size)
	v, one := p.value(s)
	var ok bool
	if w.value, ok = b.Sources.Choice(s.asker(), v); !one || !ok {
		return nil
	}
	return w
}
