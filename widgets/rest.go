package widgets

import (
	"image"

	"dashboard/provider/query"
	"dashboard/render"
)

// RestParams are the parameters of the rest widget.
type RestParams struct {
	query.Address
	FormatString string `yaml:"format_string" default:"{}" doc:"Python format string for the value, such as '{:.1f} °C'. A value that it does not suit is shown as it is."`
	Reading
}

func buildRest(b *Builder, s *Spec, p *RestParams, size image.Point) render.Widget {
	words, ok := b.Sources.Answer(s.asker(), query.Answer{Address: p.Address, Format: p.FormatString})
	return b.reading(s, size, p.Reading, words, ok)
}
