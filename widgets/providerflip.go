package widgets

import (
	"context"
	"errors"
	"image"

	"dashboard/render"
)

// ProviderFlipParams are the parameters of the providerflip widget.
type ProviderFlipParams struct {
	Source
	Choosing
}

// errNull is the failure of a value that is there but says nothing.
var errNull = errors.New("the provider gave null")

func buildProviderFlip(b *Builder, s *Spec, p *ProviderFlipParams, size image.Point) render.Widget {
	w := b.newChoice(s, p.Choosing, size)
	src, sound := b.source(s, p.Source)
	if !sound {
		return nil
	}
	w.cell = b.derive("choice", []string{p.DataPath, p.JQExpression}, false, func(_ context.Context, values []any) (any, error) {
		if values[0] == nil {
			return nil, errNull
		}
		v, err := src.pick.Apply(values[0])
		if err != nil {
			return nil, err
		}
		return chosen(v), nil
	}, src.cell)
	return w
}
