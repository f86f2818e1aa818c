package classic

import (
	"image"

	"dashboard/provider/query"
	"dashboard/render"
	"dashboard/widgets/kit"
)

// ProviderTemplateParams are the parameters of the providertemplate widget.
type ProviderTemplateParams struct {
	// Providers whose values the template uses, as provider_<name>.
	Providers names `yaml:"providers" required:"true"`
	// Jinja template, which Home Assistant renders.
	Template string `yaml:"template" required:"true"`
	// Address of Home Assistant.
	HassURL   string `yaml:"hass_url" required:"true"`
	URLSecret bool   `secret:"hass_url"` // true if the address came from a secret
	// Access token of Home Assistant.
	HassToken string `yaml:"hass_token" required:"true"`
	// Text before the first answer of Home Assistant.
	FallbackText string `yaml:"fallback_text" default:"--"`
	Reading
}

func buildProviderTemplate(b *kit.Builder, s *kit.Spec, p *ProviderTemplateParams, size image.Point) render.Widget {
	some := len(p.Providers) > 0
	if !some {
		s.Errorf("providers", "a %s needs at least one provider", s.Kind)
	}
	words, ok := b.Sources.Template(s.Asker(), query.Template{
		Providers: p.Providers, Template: p.Template, URL: p.HassURL, Secret: p.URLSecret, Token: p.HassToken, Fallback: p.FallbackText,
	})
	return newReading(b, s, size, p.Reading, words, some && ok)
}
