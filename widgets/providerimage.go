package widgets

import (
	"image"
	"strings"

	"dashboard/provider/query"
	"dashboard/render"
	"dashboard/render/picture"
)

// ProviderImageParams are the parameters of the providerimage widget.
type ProviderImageParams struct {
	Source
	FallbackImage string      `yaml:"fallback_image" doc:"Picture file shown until the first picture has come."`
	Auth          *query.Auth `yaml:"auth" doc:"Who asks for the picture."`
	ShowErrors    bool        `yaml:"show_errors" default:"false" doc:"Accepted for Grydgets' sake, where it does nothing either."`
	Fitting
	Backdrop
}

func buildProviderImage(b *Builder, s *Spec, p *ProviderImageParams, size image.Point) render.Widget {
	v, one := p.value(s)
	value, ok := b.Sources.Picture(s.asker(), query.Picture{
		From: &v, Address: query.Address{Auth: p.Auth}, Box: size, Fit: p.rule(), Smooth: b.SmoothScaling,
	})
	var before *picture.Picture
	if p.FallbackImage != "" {
		var err error
		if before, err = picture.Load(b.Files, strings.TrimPrefix(p.FallbackImage, "file://"), size, p.rule(), b.SmoothScaling); err != nil {
			s.Warnf("fallback_image", "%v", err)
		}
	}
	if !one || !ok {
		return nil
	}
	return newFetchedImage(size, p.Backdrop, value, before)
}
