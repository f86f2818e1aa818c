package chart

import (
	"dashboard/config"
	"dashboard/config/value"
	"dashboard/theme"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
)

// ChartParams are the parameters of the chart widget.
type ChartParams struct {
	kit.Framed
	kit.Typed
	format.Wording
	SeriesKeys
	// Series to draw. For a single series, write the series' keys on the chart instead. A program must return a list of {text, values, kind,
	// color}.
	Series *config.Live[[]SeriesParams] `yaml:"series"`
	// Period of a value's history to show. Default: 24h.
	History *value.Duration `yaml:"history"`
	// Names of the points, instead of times.
	Labels *config.Live[value.Words] `yaml:"labels"`
	// Lower end of the value axis. Default: from the data.
	Min *config.Live[float64] `yaml:"min"`
	// Upper end of the value axis.
	Max *config.Live[float64] `yaml:"max"`
	// Stacks areas and bars.
	Stacked bool `yaml:"stacked" default:"false"`
	// Curves instead of straight lines. A curve never goes beyond the values.
	Smooth bool `yaml:"smooth" default:"true"`
	// Length of the interval whose numbers become one point.
	Bucket value.Duration `yaml:"bucket"`
	// Function that combines the numbers of a bucket.
	Combine string `yaml:"combine" default:"mean" enum:"mean,min,max,last,sum,change"`
	// Axes to label.
	Axes string `yaml:"axes" default:"both" enum:"both,left,bottom,none"`
	// Names of the series above the chart. Default: true for two or more series.
	Legend *bool `yaml:"legend"`
	// Points to mark: min, max, last, or none. Default: last.
	Marks *value.Words `yaml:"marks"`
	// Ranges of values with a background color.
	Bands []Band `yaml:"bands"`
	// Marks the current time. Default: true if the data contains future times.
	Now *bool `yaml:"now"`
}

// SeriesKeys are the keys that a series and a chart with one series share.
type SeriesKeys struct {
	// Number whose history is shown.
	Value *config.Live[value.Plain] `yaml:"value"`
	// Numbers, pairs [time, number] or mappings {at, value}. null is a gap.
	Values *config.Live[Points] `yaml:"values"`
	kit.Thing
	// Name of the series.
	Text *config.Live[string] `yaml:"text"`
	// Form. Default: line.
	Form string `yaml:"kind" enum:"line,area,bar,step,points"`
	// Value axis to use.
	Axis string `yaml:"axis" default:"left" enum:"left,right"`
}

// SeriesParams is one series of a chart.
type SeriesParams struct {
	SeriesKeys
	// Color of the series. Default: the next series color of the theme.
	Color *config.Live[theme.RoleColor] `yaml:"color"`
}

// Band is a range of values with a color behind it.
type Band struct {
	// Lower end.
	From float64 `yaml:"from" required:"true"`
	// Upper end.
	To float64 `yaml:"to" required:"true"`
	// Background color.
	Color *theme.RoleColor `yaml:"color"`
	// Name.
	Text string `yaml:"text"`
}

// Points is a list of numbers in a file.
type Points struct{ List []any }

// TypeName returns the name of this type in the reference.
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
