package classic

import (
	"fmt"
	"image"

	"dashboard/provider/query"
	"dashboard/render"
	"dashboard/widgets/kit"
)

// ProviderParams are the parameters of the provider widget.
type ProviderParams struct {
	Source
	// Python format string for the value, such as '{value:.1f} °C'. fallback_text is shown if the value does not fit the
	// format.
	FormatString string `yaml:"format_string" default:"{value}"`
	// Text before the first value, and for values that cannot be shown.
	FallbackText string `yaml:"fallback_text" default:"--"`
	// Shows the error instead of fallback_text or a stale value.
	ShowErrors bool `yaml:"show_errors" default:"false"`
	Reading
}

// Source holds the parameters that select a value of a provider.
type Source struct {
	// List with the name of one provider of providers.yaml.
	Providers names `yaml:"providers" required:"true"`
	// Path to the value in the provider's data, such as list[0].name.
	DataPath string `yaml:"data_path"`
	// jq program applied after data_path.
	JQExpression string `yaml:"jq_expression"`
}

// names is a list of names, or a single name.
type names []string

// TypeName returns the name of this type for the reference.
func (*names) TypeName() string { return "list of string" }

// SetValue sets the names from a decoded YAML value.
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

// value() returns the selected value. It reports an error unless there is exactly one provider.
func (p *Source) value(s *kit.Spec) (v query.Value, ok bool) {
	v.Pick = query.Pick{Path: p.DataPath, JQ: p.JQExpression, PathKey: "data_path", JQKey: "jq_expression"}
	if len(p.Providers) != 1 {
		s.Errorf("providers", "a %s shows one provider, not %d", s.Kind, len(p.Providers))
		return v, false
	}
	v.Provider = p.Providers[0]
	return v, true
}

func buildProvider(b *kit.Builder, s *kit.Spec, p *ProviderParams, size image.Point) render.Widget {
	v, one := p.value(s)
	words, ok := b.Sources.Text(s.Asker(), query.Text{Value: v, Format: p.FormatString, Fallback: p.FallbackText, ShowErrors: p.ShowErrors})
	return newReading(b, s, size, p.Reading, words, one && ok)
}
