package chart

import (
	"dashboard/config"
	"dashboard/config/value"
	"dashboard/theme"
	"dashboard/widgets/kit"
)

// ChartParams are the parameters of the chart widget.
type ChartParams struct {
	kit.Framed
	kit.Typed
	kit.Wording
	SeriesKeys
	Series  *config.Live[[]SeriesParams] `yaml:"series" doc:"Series to draw. The keys of a single series may be written on the chart itself. A program returns a list of {text, values, kind, color}."`
	History *value.Duration              `yaml:"history" doc:"Period of a value's past to show. Default: 24h."`
	Labels  *config.Live[value.Words]    `yaml:"labels" doc:"Names of the points, instead of times."`
	Min     *config.Live[float64]        `yaml:"min" doc:"Lower end of the value axis. Default: from the data."`
	Max     *config.Live[float64]        `yaml:"max" doc:"Upper end."`
	Stacked bool                         `yaml:"stacked" default:"false" doc:"Stacks areas and bars."`
	Smooth  bool                         `yaml:"smooth" default:"true" doc:"Curves instead of straight lines. A curve never goes beyond the values."`
	Bucket  value.Duration               `yaml:"bucket" doc:"Length of the interval that becomes one point."`
	Combine string                       `yaml:"combine" default:"mean" enum:"mean,min,max,last,sum,change" doc:"Function that combines the numbers of a bucket."`
	Axes    string                       `yaml:"axes" default:"both" enum:"both,left,bottom,none" doc:"Axes to label."`
	Legend  *bool                        `yaml:"legend" doc:"Names of the series above the chart. Default: true for two or more series."`
	Marks   *value.Words                 `yaml:"marks" doc:"Points to mark: min, max, last, or none. Default: last."`
	Bands   []Band                       `yaml:"bands" doc:"Ranges of values with a background color."`
	Now     *bool                        `yaml:"now" doc:"Mark for the present. Default: true if the data has a future."`
}

// SeriesKeys are the keys that a series and a chart with one series share.
type SeriesKeys struct {
	Value  *config.Live[value.Plain] `yaml:"value" doc:"Number whose past is shown."`
	Values *config.Live[Points]      `yaml:"values" doc:"Numbers, [time, number] or {at, value}. null is a gap."`
	kit.Thing
	Text *config.Live[string] `yaml:"text" doc:"Name of the series."`
	Form string               `yaml:"kind" enum:"line,area,bar,step,points" doc:"Form of the series. Default: line."`
	Axis string               `yaml:"axis" default:"left" enum:"left,right" doc:"Value axis of the series."`
}

// SeriesParams is one series of a chart.
type SeriesParams struct {
	SeriesKeys
	Color *config.Live[theme.RoleColor] `yaml:"color" doc:"Color of the series. Default: the next series color of the theme."`
}

// Band is a range of values with a color behind it.
type Band struct {
	From  float64          `yaml:"from" required:"true" doc:"Lower end."`
	To    float64          `yaml:"to" required:"true" doc:"Upper end."`
	Color *theme.RoleColor `yaml:"color" doc:"Background color."`
	Text  string           `yaml:"text" doc:"Name."`
}

// Points is a list of numbers in a file.
type Points struct{ List []any }

// TypeName is the name of this type in the reference.
func (*Points) TypeName() string { return "list of numbers" }

// JSONSchema implements config.Describer.
func (*Points) JSONSchema() map[string]any { return map[string]any{"type": "array"} }

// SetNode implements config.NodeSetter.
func (p *Points) SetNode(n *config.Node, c *config.Context) error {
	list, ok := n.Value().([]any)
	if !ok {
		c.Errorf(n, "must be a list of numbers, [time, number] or {at, value}, not %s", n.Shown())
		return nil
	}
	p.List = list
	return nil
}

func listOf(p Points) any { return p.List }

// FromEntity implements kit.Entitled.
func (p *ChartParams) FromEntity() {
	p.FillValue(&p.Value, &p.Wording)
	p.FillFrame(&p.Framed)
	if p.Series == nil {
		return
	}
	for i := range p.Series.Plain {
		s := &p.Series.Plain[i]
		if s.Entity == nil {
			continue
		}
		kit.Fill(&s.Thing, &s.Value, kit.StateCode)
		kit.Fill(&s.Thing, &s.Text, kit.NameCode)
		kit.Fill(&s.Thing, &p.Unit, kit.UnitCode)
	}
}
