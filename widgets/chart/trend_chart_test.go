package chart

import (
	"testing"
	"time"

	"dashboard/widgets/walltest"
)

func TestHeatmapCells(t *testing.T) {
	e := walltest.TestEnv()
	b := walltest.Builder(e)
	year := &heatmap{b: b, cols: yearWeeks, rows: 7}
	week := &heatmap{b: b, cols: 24, rows: 7, week: true}
	first := int(b.Locale.FirstDay)
	today := (int(walltest.T0.Weekday()) - first + 7) % 7
	for _, tc := range []struct {
		name string
		w    *heatmap
		ago  time.Duration
		want int
	}{
		{"today", year, 0, 52*7 + today},
		{"the week before", year, 7 * 24 * time.Hour, 51*7 + today},
		{"more than a year ago", year, 400 * 24 * time.Hour, -1},
		{"tomorrow", year, -24 * time.Hour, -1},
		{"this hour", week, 0, walltest.T0.Hour()*7 + 6},
		{"yesterday", week, 24 * time.Hour, walltest.T0.Hour()*7 + 5},
		{"a week ago", week, 7 * 24 * time.Hour, -1},
	} {
		if got := tc.w.cell(walltest.T0, walltest.T0.Add(-tc.ago)); got != tc.want {
			t.Errorf("%s: got cell %d, want %d", tc.name, got, tc.want)
		}
	}
	for v, want := range map[float64]int{0: 0, 1: 1, 50: 3, 100: 5, 900: 5} {
		if got := levelOf(v, 0, 100); got != want {
			t.Errorf("level of %v: got %d, want %d", v, got, want)
		}
	}
}
