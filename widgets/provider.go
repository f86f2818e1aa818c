package widgets

import (
	"context"
	"fmt"
	"image"
	"strings"

	"dashboard/internal/extract"
	"dashboard/internal/spelling"
	"dashboard/provider"
	"dashboard/render"
)

// ProviderParams are the parameters of the provider widget.
type ProviderParams struct {
	Source
	FormatString string `yaml:"format_string" default:"{value}" doc:"Python format string for the value, such as '{value:.1f} °C'. Where it does not suit the value fallback_text is shown."`
	FallbackText string `yaml:"fallback_text" default:"--" doc:"Shown before the first value, and where the provider gives nothing that can be shown."`
	ShowErrors   bool   `yaml:"show_errors" default:"false" doc:"Say what is wrong instead: in place of fallback_text, and of a value that is out of date."`
	Reading
}

// Source is the parameters that name a value of a provider.
type Source struct {
	Providers    names  `yaml:"providers" required:"true" doc:"The provider of providers.yaml, as a list of one."`
	DataPath     string `yaml:"data_path" doc:"Path to the value inside what the provider gives, such as list[0].name."`
	JQExpression string `yaml:"jq_expression" doc:"jq program applied after data_path; its first result counts."`
}

// names is a list of names, or a single one.
type names []string

// TypeName says how the reference calls this type.
func (*names) TypeName() string { return "list of string" }

// SetValue takes the plain value of a file.
func (n *names) SetValue(v any) error {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	*n = nil
	for _, item := range list {
		name, ok := item.(string)
		if !ok || name == "" {
			return fmt.Errorf("must be a list of names of providers, not %v", v)
		}
		*n = append(*n, name)
	}
	return nil
}

// source is a value of a provider: where the provider's samples land, and what to pick out of them.
type source struct {
	cell *provider.Cell
	pick *extract.Extractor
}

// source finds what p names; what is wrong with it is an error.
func (b *Builder) source(s *Spec, p Source) (src source, ok bool) {
	switch n := len(p.Providers); {
	case n != 1:
		s.Errorf("providers", "a %s shows one provider, not %d", s.Kind, n)
	default:
		src.cell, ok = b.provider(s, p.Providers[0])
	}
	var sound bool
	src.pick, sound = extractor(s, "data_path", p.DataPath, "jq_expression", p.JQExpression)
	return src, ok && sound
}

// provider finds a provider by its name; a name that none has is an error.
func (b *Builder) provider(s *Spec, name string) (*provider.Cell, bool) {
	var known []string
	if b.Sources != nil {
		if c, ok := b.Sources.Named(name); ok {
			return c, true
		}
		known = b.Sources.Names()
	}
	hint := "; there are none in providers.yaml"
	if near := spelling.Nearest(name, known); near != "" {
		hint = fmt.Sprintf("; is '%s' meant?", near)
	} else if len(known) > 0 {
		hint = "; there are: " + strings.Join(known, ", ")
	}
	s.Errorf("providers", "no provider is named '%s'%s", name, hint)
	return nil, false
}

// extractor makes a path and a jq program ready; what is wrong with either is an error at its key.
func extractor(s *Spec, pathKey, path, jqKey, jq string) (*extract.Extractor, bool) {
	if _, err := extract.New(path, ""); err != nil {
		s.Errorf(pathKey, "%v", err)
		return nil, false
	}
	x, err := extract.New(path, jq)
	if err != nil {
		s.Errorf(jqKey, "%v", err)
		return nil, false
	}
	return x, true
}

func buildProvider(b *Builder, s *Spec, p *ProviderParams, size image.Point) render.Widget {
	src, ok := b.source(s, p.Source)
	f, sound := format(s, "format_string", p.FormatString)
	if !ok || !sound {
		b.words(s, size, p.Lettering, placement{}, p.Backdrop) // its font may be wrong too
		return nil
	}
	made := b.derive("text", []any{p.DataPath, p.JQExpression, p.FormatString, p.FallbackText, p.ShowErrors}, false,
		func(_ context.Context, values []any) (any, error) {
			v, err := src.pick.Apply(values[0])
			if err != nil || v == nil {
				return p.instead(err), err
			}
			text, err := f.Append(nil, v)
			if err != nil {
				return p.instead(err), err
			}
			return short(string(text)), nil
		}, src.cell)
	return b.reading(s, size, p.Reading, made, func(s *provider.Sample, stale bool) string {
		switch {
		case !s.Has(), stale && s.Err != nil && p.ShowErrors:
			return p.instead(s.Err)
		}
		return ""
	})
}

// instead is what is shown in place of a value.
func (p *ProviderParams) instead(err error) string {
	if err != nil && p.ShowErrors {
		return short("Error: " + err.Error())
	}
	return p.FallbackText
}
