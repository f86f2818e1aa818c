// Package chart contains the widgets that show numbers: charts, heatmaps, gauges and progress.
package chart

import "dashboard/widgets/kit"

// Kinds returns the kinds of this package for the catalog of widgets.
func Kinds() []kit.Kind {
	return []kit.Kind{
		kit.Modern("chart", "Numbers over time or over names: lines, areas, bars, steps, points.", 0, 0, kit.Framing{Card: true}, func(p *ChartParams) *kit.Framed { return &p.Framed }, buildChart),
		kit.Modern("heatmap", "The days of a year or the hours of a week, each colored by its number.", 0, 0, kit.Framing{Card: true}, func(p *HeatmapParams) *kit.Framed { return &p.Framed }, buildHeatmap),
		kit.Modern("gauge", "A number on an arc, a ring or a bar.", 0, 0, kit.Framing{Card: true}, func(p *GaugeParams) *kit.Framed { return &p.Framed }, buildGauge),
		kit.Modern("progress", "Progress as a bar, a ring or steps.", 0, 0, kit.Framing{Padded: true}, func(p *ProgressParams) *kit.Framed { return &p.Framed }, buildProgress),
	}
}
