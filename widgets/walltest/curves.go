package walltest

import (
	"image"
	"math"
	"testing"
	"time"

	"dashboard/render"
	"dashboard/theme/look"
)

// RoleGoldens are widgets that use the colors of the theme. Each widget is drawn in a wide, a small and an upright cell, with the night
// theme above and the day theme below.
var RoleGoldens = map[string]string{
	"gauge-arc":     "{widget: gauge, title: Oven, value: 184, unit: °C, max: 300, ticks: 7}",
	"gauge-limit":   "{widget: gauge, title: Oven, value: 264, unit: °C, max: 300, thresholds: [{above: 250, color: '#f4807a'}]}",
	"gauge-needle":  "{widget: gauge, title: Wind, value: 31, unit: km/h, needle: true, ticks: 11}",
	"gauge-ring":    "{widget: gauge, kind: ring, title: Memory, value: 31, unit: '%'}",
	"gauge-bar":     "{widget: gauge, kind: bar, title: Cellar, value: 68, unit: '%', thresholds: [{above: 65, color: '#f5b84b'}]}",
	"gauge-none":    "{widget: gauge, title: Oven, unit: °C}",
	"chart-lines":   "{widget: chart, title: Power, unit: W, series: [{text: Solar, kind: area, values: " + Curve(24, 900, 0) + "}, {text: House, values: " + Curve(24, 400, 3) + "}]}",
	"chart-limit":   "{widget: chart, title: Response time, unit: ms, kind: area, marks: [max, last], values: " + Curve(40, 220, 1) + ", thresholds: [{above: 300, text: limit 300 ms}]}",
	"chart-bars":    "{widget: chart, title: Rain, unit: mm, kind: bar, labels: [Mon, Tue, Wed, Thu, Fri, Sat, Sun], values: [2, 0, 5.5, 8, 1, null, 3]}",
	"chart-stacked": "{widget: chart, kind: bar, stacked: true, labels: [Q1, Q2, Q3, Q4], series: [{text: North, values: [3, 4, 5, 6]}, {text: South, values: [2, 2, -1, 4]}, {text: West, values: [1, 3, -2, 2]}]}",
	"chart-gaps":    "{widget: chart, title: Below zero, smooth: false, marks: [min, max], values: [-3, -1, 2, null, null, 4, 1, -2, null, 3]}",
	"chart-step":    "{widget: chart, kind: step, bands: [{from: 18, to: 22, color: '#58c98b', text: comfort}], values: [17, 19, 19, 21, 24, 23, 20]}",
	"chart-future":  "{widget: chart, title: Price, unit: ct, kind: area, values: " + Priced() + "}",
	"chart-empty":   "{widget: chart, title: Requests, values: []}",
	"chart-right":   "{widget: chart, series: [{text: Temperature, values: [12, 14, 19, 21, 17]}, {text: Rain, kind: points, axis: right, values: [0, 140, 30, 0, 90]}]}",
	"dial-ticks":    "{widget: clock, kind: analogue, seconds: step}",
	"dial-numerals": "{widget: clock, kind: analogue, face: numerals, date: none}",
	"dial-minimal":  "{widget: clock, kind: analogue, face: minimal, date: none, seconds: sweep}",
	"dial-station":  "{widget: clock, kind: analogue, face: station, date: none, seconds: step}",
	"clock-world":   "{widget: clock, kind: world, zones: {New York: America/New_York, London: Europe/London, Tokyo: Asia/Tokyo}}",
	"clock-words":   "{widget: clock, kind: words}",
	"heatmap-year":  "{widget: heatmap, title: Commits, values: " + Daily(371) + "}",
	"heatmap-week":  "{widget: heatmap, kind: week, title: Power, values: " + Daily(168) + "}",
	"progress-bar":  "{widget: progress, title: Backup, value: 64, unit: '%'}",
	"progress-ring": "{widget: progress, kind: ring, value: 64, unit: '%'}",
	"progress-step": "{widget: progress, kind: steps, steps: 8, value: 3, max: 8}",
}

// Curve returns n numbers as YAML, one for each hour up to T0. The numbers follow a curve whose highest values are about `high`, except
// one number, which is doubled. `shift` is the index of the first number on this curve.
func Curve(n int, high float64, shift int) string {
	list := make([]any, n)
	for i := range list {
		x := float64(i+shift) / float64(n)
		v := high * (0.4 + 0.6*math.Pow(math.Sin(x*math.Pi), 2) + 0.08*math.Sin(float64(i*7)))
		if i == n*2/3 {
			v *= 2
		}
		list[i] = []any{T0.Add(time.Duration(i-n+1) * time.Hour).Unix(), math.Round(v)}
	}
	return Flow(list)
}

// Daily returns numbers without times, as YAML.
func Daily(n int) string {
	list := make([]any, n)
	for i := range list {
		list[i] = max(0, i*i%23-i%11)
	}
	return Flow(list)
}

// Priced returns the prices of 24 hours as YAML. The last 13 prices are in the future.
func Priced() string {
	list := make([]any, 24)
	for i := range list {
		list[i] = map[string]any{"at": T0.Add(time.Duration(i-10) * time.Hour).Format(time.RFC3339), "value": 20 + i*i%17}
	}
	return Flow(list)
}

// RoleRenderer builds a widget on the background of the theme. Text sizes are as on a wall with 1280x720 px.
func RoleRenderer(t testing.TB, widget string, night bool, size image.Point) *render.Renderer {
	t.Helper()
	e := TestEnv()
	e.Look, e.Picture = look.Calm(night), image.Pt(1280, 720)
	background := "#0b0f16"
	if !night {
		background = "#efece6"
	}
	return render.New(Build(t, e, WidgetFile(background, widget), size), size)
}
