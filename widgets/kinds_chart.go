package widgets

// chartKinds is the part of the catalog with kinds for numbers.
func chartKinds() []Kind {
	return []Kind{
		modern("chart", "Numbers over time or over names: lines, areas, bars, steps, points.", 0, 0, framing{card: true}, func(p *ChartParams) *Framed { return &p.Framed }, buildChart),
		modern("heatmap", "A year of days or a week of hours, each as strong as its number.", 0, 0, framing{card: true}, func(p *HeatmapParams) *Framed { return &p.Framed }, buildHeatmap),
		modern("gauge", "A number on an arc, a ring or a bar.", 0, 0, framing{card: true}, func(p *GaugeParams) *Framed { return &p.Framed }, buildGauge),
		modern("progress", "How much of something is done: a bar, a ring or steps.", 0, 0, framing{padded: true}, func(p *ProgressParams) *Framed { return &p.Framed }, buildProgress),
	}
}
