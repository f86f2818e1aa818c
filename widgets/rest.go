package widgets

import (
	"context"
	"errors"
	"image"
	"strings"

	"dashboard/internal/extract"
	"dashboard/provider"
	"dashboard/provider/rest"
	"dashboard/render"
)

// RestParams are the parameters of the rest widget.
type RestParams struct {
	rest.WidgetParams
	FormatString string `yaml:"format_string" default:"{}" doc:"Python format string for the value, such as '{:.1f} °C'. A value that it does not suit is shown as it is."`
	Reading
}

// config checks the parameters of widgets that fetch for themselves; what is wrong with them is an error.
func restConfig(s *Spec, p *rest.WidgetParams) (*rest.Config, bool) {
	c, err := p.Config()
	if err != nil {
		key, message, _ := strings.Cut(err.Error(), ": ")
		s.Errorf(key, "%s", message)
	}
	return c, err == nil
}

// restCell returns the cell of what an address answers, fetched by one provider for all who ask the same.
func (b *Builder) restCell(c *rest.Config) *provider.Cell {
	return b.add(c.Key(), rest.New(c, b.Client))
}

func buildRest(b *Builder, s *Spec, p *RestParams, size image.Point) render.Widget {
	c, ok := restConfig(s, &p.WidgetParams)
	f, sound := format(s, "format_string", p.FormatString)
	if !ok || !sound {
		b.words(s, size, p.Lettering, placement{}, p.Backdrop) // its font may be wrong too
		return nil
	}
	made := b.derive("rest", p.FormatString, false, func(_ context.Context, values []any) (any, error) {
		return formatted(f, values[0]), nil
	}, b.restCell(c))
	return b.reading(s, size, p.Reading, made, func(s *provider.Sample, _ bool) string {
		var picked *extract.Error
		switch {
		case s.Has() && !errors.As(s.Err, &picked):
			return ""
		case s.Err == nil:
			return formatted(f, placeholder)
		}
		return formatted(f, rest.Text(s.Err))
	})
}
