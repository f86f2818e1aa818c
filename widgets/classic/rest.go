package classic

import (
	"image"

	"dashboard/provider/query"
	"dashboard/render"
	"dashboard/widgets/kit"
)

// RestParams are the parameters of the rest widget.
type RestParams struct {
	query.Address
	// Python format string for the value, such as '{:.1f} °C'. A value that does not fit the format is shown unchanged.
	FormatString string `yaml:"format_string" default:"{}"`
	Reading
}

func buildRest(b *kit.Builder, s *kit.Spec, p *RestParams, size image.Point) render.Widget {
	words, ok := b.Sources.Answer(s.Asker(), query.Answer{Address: p.Address, Format: p.FormatString})
	return newReading(b, s, size, p.Reading, words, ok)
}
