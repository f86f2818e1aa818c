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
	Series  *config.Live[[]SeriesParams] `yaml:"series" doc:"What is drawn; the keys of one series may stand on the chart itself. A program gives a list of {text, values, kind, color}."`
	History *value.Duration              `yaml:"history" doc:"How much of a value's past is shown; 24h without it."`
	Labels  *config.Live[value.Words]    `yaml:"labels" doc:"Names of the points, instead of times."`
	Min     *config.Live[float64]        `yaml:"min" doc:"Where the axis of values begins; by the data without it."`
	Max     *config.Live[float64]        `yaml:"max" doc:"Where it ends."`
	Stacked bool                         `yaml:"stacked" default:"false" doc:"Areas and bars stand on each other."`
	Smooth  bool                         `yaml:"smooth" default:"true" doc:"Curves instead of straight lines; they never go beyond the numbers."`
	Bucket  value.Duration               `yaml:"bucket" doc:"One point for so long."`
	Combine string                       `yaml:"combine" default:"mean" enum:"mean,min,max,last,sum,change" doc:"How the numbers of a bucket become one."`
	Axes    string                       `yaml:"axes" default:"both" enum:"both,left,bottom,none" doc:"Which axes are written."`
	Legend  *bool                        `yaml:"legend" doc:"Whether the series are named above; with two or more without it."`
	Marks   *value.Words                 `yaml:"marks" doc:"Which points are marked: min, max, last, or none; last without it."`
	Bands   []Band                       `yaml:"bands" doc:"Ranges of values with a color behind them."`
	Now     *bool                        `yaml:"now" doc:"Whether the present is marked; where the data has a future without it."`
}

// SeriesKeys are the keys that a series and a chart with one series share.
type SeriesKeys struct {
	Value  *config.Live[value.Plain] `yaml:"value" doc:"A number whose past is shown."`
	Values *config.Live[Points]      `yaml:"values" doc:"Numbers, [time, number] or {at, value}; null is a gap."`
	kit.Thing
	Text *config.Live[string] `yaml:"text" doc:"Name of the series."`
	Form string               `yaml:"kind" enum:"line,area,bar,step,points" doc:"How it is drawn; line without it."`
	Axis string               `yaml:"axis" default:"left" enum:"left,right" doc:"Which axis of values it has."`
}

// SeriesParams is one series of a chart.
type SeriesParams struct {
	SeriesKeys
	Color *config.Live[theme.RoleColor] `yaml:"color" doc:"Color of the series; those of the theme in turn without it."`
}

// Band is a range of values with a color behind it.
type Band struct {
	From  float64          `yaml:"from" required:"true" doc:"Where it begins."`
	To    float64          `yaml:"to" required:"true" doc:"Where it ends."`
	Color *theme.RoleColor `yaml:"color" doc:"Its color."`
	Text  string           `yaml:"text" doc:"Its name."`
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
