package arrange

import (
	"image"
	"math"
	"time"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/geometry"
)

// Limits for the changes that a layout makes when its widgets become more or less urgent.
const (
	importancePause = 10 * time.Minute // minimum time between two changes
	importanceLeast = 0.25             // smallest change of a track's weight after which the layout is arranged again
)

// importance holds the weights of a layout's tracks. A weight is 1 plus the urgency of the most urgent widget in the track, so it is at
// most 2.
type importance struct {
	b             *kit.Builder
	areas         *geometry.Areas
	grid          AreaGrid
	size          image.Point
	divided       bool
	columns, rows []float64 // weights of the current arrangement
	wide, high    []float64 // weights that the current urgency requires
	changed       time.Time // time of the last change, zero before the first
}

// weigh arranges the children again if the weights of the tracks changed enough, but at most once in importancePause. It reports whether
// it arranged the children.
func (w *layout) weigh(t render.Tick) bool {
	m := w.importance
	if m == nil {
		return false
	}
	now := t.Now()
	if next := m.changed.Add(importancePause); now.Before(next) && !now.Before(m.changed) {
		t.Wake(next)
		return false
	}
	columns, rows := m.wide, m.high
	for _, weights := range [...][]float64{columns, rows} {
		for i := range weights {
			weights[i] = 1
		}
	}
	for _, k := range w.children {
		cells, ok := m.areas.Cells(k.Common.Area)
		weight := 1 + kit.UrgencyOf(k.Widget, now)
		if !ok || weight == 1 {
			continue
		}
		for x := cells.Min.X; x < cells.Max.X; x++ {
			columns[x] = math.Max(columns[x], weight)
		}
		for y := cells.Min.Y; y < cells.Max.Y; y++ {
			rows[y] = math.Max(rows[y], weight)
		}
	}
	if apart(m.columns, columns) < importanceLeast && apart(m.rows, rows) < importanceLeast {
		return false
	}
	copy(m.columns, columns)
	copy(m.rows, rows)
	m.changed = now
	t.Wake(now.Add(importancePause))
	w.place(m.b, m.areas, &m.grid, m.size)
	if m.divided {
		w.rules = w.rules[:0]
		w.draw(m.b, m.b.Chosen(m.grid.Gap, m.b.Look.Sizes.Gap), m.size)
	}
	return true
}

// apart() returns the largest difference between two weights with the same index in the lists `a` and `b`.
func apart(a, b []float64) (most float64) {
	for i := range a {
		most = math.Max(most, math.Abs(a[i]-b[i]))
	}
	return most
}

// weighted() multiplies the shares of tracks by their weights. It does not change lengths and percentages.
func weighted(all []geometry.Track, weights []float64) []geometry.Track {
	for i := range weights {
		all[i].Share *= weights[i]
	}
	return all
}
