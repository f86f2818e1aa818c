package widgets

import (
	"context"
	"fmt"
	"image"
	"strings"
	"time"

	"dashboard/internal/fetch"
	"dashboard/internal/pyfmt"
	"dashboard/provider"
	"dashboard/render"
)

// ProviderTemplateParams are the parameters of the providertemplate widget.
type ProviderTemplateParams struct {
	Providers    names  `yaml:"providers" required:"true" doc:"Providers whose values the template uses, as provider_<name>."`
	Template     string `yaml:"template" required:"true" doc:"Jinja template; Home Assistant fills it in whenever a value changes."`
	HassURL      string `yaml:"hass_url" required:"true" doc:"Address of Home Assistant."`
	HassToken    string `yaml:"hass_token" required:"true" doc:"Its access token."`
	FallbackText string `yaml:"fallback_text" default:"--" doc:"Shown before Home Assistant has answered for the first time."`
	Reading
}

// hassTime bounds a request to Home Assistant, which is in the same house.
const hassTime = 5 * time.Second

func buildProviderTemplate(b *Builder, s *Spec, p *ProviderTemplateParams, size image.Point) render.Widget {
	ok := len(p.Providers) > 0
	if !ok {
		s.Errorf("providers", "a %s needs at least one provider", s.Kind)
	}
	var from []*provider.Cell
	for _, name := range p.Providers {
		c, known := b.provider(s, name)
		from, ok = append(from, c), ok && known
	}
	url := strings.TrimRight(p.HassURL, "/") + "/api/template"
	if err := fetch.CheckURL(url); err != nil {
		s.Errorf("hass_url", "%v", err)
		ok = false
	}
	if !ok {
		b.words(s, size, p.Lettering, placement{}, p.Backdrop) // its font may be wrong too
		return nil
	}
	made := b.derive("template", []any{p.Providers, p.Template, url, p.HassToken}, true, func(ctx context.Context, values []any) (any, error) {
		resp, err := b.Client.Do(ctx, &fetch.Request{
			Method: "POST", URL: url, Auth: fetch.Auth{Bearer: p.HassToken}, Timeout: hassTime,
			JSON: map[string]string{"template": p.filled(values)},
		})
		if err != nil {
			return nil, err
		}
		if err := resp.Check(); err != nil {
			return nil, fmt.Errorf("%s: %w", fetch.Redact(url), err)
		}
		return short(strings.TrimSpace(string(resp.Body))), nil
	}, from...)
	return b.reading(s, size, p.Reading, made, func(s *provider.Sample, _ bool) string {
		if !s.Has() {
			return p.FallbackText
		}
		return ""
	})
}

// filled is the template with its values, written as Python does, set before it.
func (p *ProviderTemplateParams) filled(values []any) string {
	var b []byte
	for i, name := range p.Providers {
		b = fmt.Appendf(b, "{%% set provider_%s = ", name)
		b = pyfmt.AppendRepr(b, values[i])
		b = append(b, " %}\n"...)
	}
	return string(b) + p.Template
}
