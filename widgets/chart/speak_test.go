package chart

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit/speech"
	"dashboard/widgets/walltest"
)

// TestSpokenCharts checks the description of charts: the last, highest and lowest number and the trend, with units and names. Missing
// data is also described.
func TestSpokenCharts(t *testing.T) {
	for _, tt := range []struct {
		keys string
		data any
		want string
	}{
		{"unit: W, values: !data .p", []any{1.0, 5.0, 2.0, 8.0}, "- Latest 8 W, highest 8 W, lowest 1 W, rising.\n"},
		{"values: !data .p", []any{8.0, 7.0, 3.0, 1.0}, "- Latest 1, highest 8, lowest 1, falling.\n"},
		{"values: !data .p", []any{5.0, 5.0, 5.0, 5.0}, "- Latest 5, highest 5, lowest 5, steady.\n"},
		{"kind: bar, labels: [Mon, Tue], values: !data .p", []any{4.0, nil}, "- Latest 4 (Mon), highest 4 (Mon), lowest 4 (Mon), steady.\n- Mon: 4.\n"},
		{"values: !data .p, thresholds: [{above: 6, text: limit}]", []any{4.0, 7.0}, "- Latest 7, highest 7, lowest 4, rising.\n- limit: 6.\n"},
		{"values: !data .p", []any{}, "No data.\n"},
		{"values: !data .p", nil, "No data.\nWaiting for the first value.\n"},
	} {
		cell := walltest.Scene{Size: image.Pt(400, 300), Picture: image.Pt(1280, 720)}
		walltest.ModernBubble(t, "widgets: [{widget: chart, title: Power, "+tt.keys+"}]\n", cell, look.Calm(true), func(d *walltest.Data) {
			if tt.data != nil {
				d.ByName["p"].Publish(tt.data, walltest.T0)
			}
			d.Step(0)
			d.Step(2 * time.Second)
			s := &speech.Speech{}
			s.Begin(walltest.TestLocale(t, "en-GB"), time.UTC, walltest.T0, false)
			d.Tree.Speak(s)
			if got, want := string(s.AppendText(nil)), "## Power\n"+tt.want; got != want {
				t.Errorf("%s of %v: got %q, want %q", tt.keys, tt.data, got, want)
			}
		})
	}
}

// TestSpokenNumbers checks that the description of progress includes the unit, and that of a gauge the text of its threshold. The cells of a heatmap are described with their day, or
// with their day and hour.
func TestSpokenNumbers(t *testing.T) {
	at := func(hours int) float64 { return float64(walltest.T0.Add(time.Duration(-hours) * time.Hour).Unix()) }
	points := []any{[]any{at(50), 3.0}, []any{at(26), 9.0}, []any{at(2), 1.0}}
	for _, tt := range []struct {
		widget string
		data   any
		want   string
	}{
		{"widget: progress, max: 10, unit: kWh, value: !data .p", 4.0, "4 kWh.\n"},
		{"widget: gauge, unit: kWh, value: !data .p, thresholds: [{above: 3, text: high}]", 4.0, "4 kWh, high.\n"},
		{"widget: heatmap, values: !data .p", points, "Latest: 1, 21 November, highest: 9, 20 November, lowest: 1, 21 November.\n"},
		{"widget: heatmap, kind: week, values: !data .p", points, "Latest: 1, 21 November, 10, highest: 9, 20 November, 10, lowest: 1, 21 November, 10.\n"},
	} {
		cell := walltest.Scene{Size: image.Pt(400, 300), Picture: image.Pt(1280, 720)}
		walltest.ModernBubble(t, "widgets: [{"+tt.widget+", title: Power}]\n", cell, look.Calm(true), func(d *walltest.Data) {
			d.ByName["p"].Publish(tt.data, walltest.T0)
			d.Step(0)
			d.Step(2 * time.Second)
			s := &speech.Speech{}
			s.Begin(walltest.TestLocale(t, "en-GB"), time.UTC, walltest.T0, false)
			d.Tree.Speak(s)
			if got, want := string(s.AppendText(nil)), "## Power\n"+tt.want; got != want {
				t.Errorf("%s of %v: got %q, want %q", tt.widget, tt.data, got, want)
			}
		})
	}
}

// TestThresholdIsReadOnce checks a gauge without a title. It shows the text of the threshold in place of the number.
func TestThresholdIsReadOnce(t *testing.T) {
	cell := walltest.Scene{Size: image.Pt(400, 300), Picture: image.Pt(1280, 720)}
	const wall = "widgets: [{widget: gauge, value: !data .p, thresholds: [{above: 3, text: high}]}]\n"
	walltest.ModernBubble(t, wall, cell, look.Calm(true), func(d *walltest.Data) {
		d.ByName["p"].Publish(4.0, walltest.T0)
		d.Step(0)
		d.Step(2 * time.Second)
		s := &speech.Speech{}
		s.Begin(walltest.TestLocale(t, "en-GB"), time.UTC, walltest.T0, false)
		d.Tree.Speak(s)
		if got := strings.Count(string(s.AppendText(nil)), "high"); got != 1 {
			t.Errorf("the text is read %d times: %q", got, s.AppendText(nil))
		}
	})
}
