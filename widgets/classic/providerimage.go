package classic

import (
	"image"
	"strings"

	"dashboard/provider/query"
	"dashboard/render"
	"dashboard/render/picture"
	"dashboard/widgets/kit"
)

// ProviderImageParams are the parameters of the providerimage widget.
type ProviderImageParams struct {
	Source
	// Picture file shown until the first picture arrives.
	FallbackImage string `yaml:"fallback_image"`
	// Credentials for the picture.
	Auth *query.Auth `yaml:"auth"`
	// Accepted for Grydgets' files, without effect.
	ShowErrors bool `yaml:"show_errors" default:"false"`
	kit.Fitting
	kit.Backdrop
}

func buildProviderImage(b *kit.Builder, s *kit.Spec, p *ProviderImageParams, size image.Point) render.Widget {
	v, one := p.value(s)
	value, ok := b.PictureFor(s, query.Picture{
		From: &v, Address: query.Address{Auth: p.Auth}, Box: size, Fit: p.Rule(), Smooth: b.SmoothScaling,
	})
	var before *picture.Picture
	if p.FallbackImage != "" {
		var err error
		if before, err = b.Load(strings.TrimPrefix(p.FallbackImage, "file://"), size, p.Rule()); err != nil {
			s.Warnf("fallback_image", "%v", err)
		}
	}
	if !one || !ok {
		return nil
	}
	return newFetchedImage(size, p.Backdrop, value, before)
}
