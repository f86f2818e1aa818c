package widgets

import (
	"context"
	"image"
	"strings"

	"dashboard/internal/fetch"
	fetched "dashboard/provider/picture"
	"dashboard/provider/rest"
	"dashboard/render"
	"dashboard/render/picture"
)

// ProviderImageParams are the parameters of the providerimage widget.
type ProviderImageParams struct {
	Source
	FallbackImage string     `yaml:"fallback_image" doc:"Picture file shown until the first picture has come."`
	Auth          *rest.Auth `yaml:"auth" doc:"Who asks for the picture."`
	ShowErrors    bool       `yaml:"show_errors" default:"false" doc:"Accepted for Grydgets' sake, where it does nothing either."`
	Fitting
	Backdrop
}

func buildProviderImage(b *Builder, s *Spec, p *ProviderImageParams, size image.Point) render.Widget {
	src, ok := b.source(s, p.Source)
	auth, err := p.Auth.Who()
	if err != nil {
		s.Errorf("auth", "%v", err)
	}
	var before *picture.Picture
	if p.FallbackImage != "" {
		if before, err = picture.Load(strings.TrimPrefix(p.FallbackImage, "file://"), size, p.rule(), b.SmoothScaling); err != nil {
			s.Warnf("fallback_image", "%v", err)
		}
	}
	if !ok {
		return nil
	}
	address := b.derive("address", []string{p.DataPath, p.JQExpression}, false, func(_ context.Context, values []any) (any, error) {
		return src.pick.Apply(values[0])
	}, src.cell)
	c := fetched.Config{Request: fetch.Request{Auth: auth}, From: address, Box: size, Fit: p.rule(), Smooth: b.SmoothScaling}
	key := c.Key(cellKey(address))
	return newFetchedImage(size, p.Backdrop, b.add(key, fetched.New(c, b.Client, b.decoding)), before)
}
