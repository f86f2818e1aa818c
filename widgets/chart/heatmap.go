package chart

import (
	"image"
	"image/color"
	"math"
	"time"

	"dashboard/config"
	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/render/path"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/history"
	"dashboard/widgets/kit/piece"
)

// HeatmapParams are the parameters of the heatmap widget.
type HeatmapParams struct {
	kit.Framed
	kit.Typed
	format.Wording
	// Numbers, pairs [time, number] or mappings {at, value}. The last plain number belongs to today or the current hour, earlier numbers
	// to the days or hours before.
	Values *config.Live[Points] `yaml:"values" required:"true"`
	// year: the days of a year. week: the hours of a week.
	Form string `yaml:"kind" default:"year" enum:"year,week"`
	// Number that gets the weakest color. Default: 0.
	Min *config.Live[float64] `yaml:"min"`
	// Number that gets the strongest color. Default: from the data.
	Max *config.Live[float64] `yaml:"max"`
}

// Limits of a heatmap. heatGap, heatLeast and heatMost are in px on a screen whose shorter side has 720 px.
const (
	heatLevels  = 5
	yearWeeks   = 53
	heatGap     = 3  // gap between two cells
	heatLeast   = 7  // minimum side of a cell
	heatMost    = 30 // maximum side of a cell in a year
	heatWeakest = 0.25
)

// heatmap shows a square for each day of a year, or for each hour of a week.
type heatmap struct {
	b        *kit.Builder
	size     image.Point
	week     bool
	in       kit.Input
	min, max kit.Input
	accent   kit.Input
	empty    *kit.Caption
	words    string

	points []history.Datum
	sums   []float64 // sum of each cell, NaN if it is unknown
	cols   int
	rows   int
	levels [heatLevels + 1]path.Shape // shape of each level. Level 0 is for cells without a number and for numbers up to the minimum
	colors [heatLevels + 1]color.RGBA
	labels []*kit.Caption
	shown  int
	day    time.Time // start of the last drawn day (form year) or hour (form week)
	drawn  bool
}

func buildHeatmap(b *kit.Builder, s *kit.Spec, p *HeatmapParams, size image.Point) render.Widget {
	w := &heatmap{
		b: b, size: size, week: p.Form == "week", in: kit.InputOf(b, s, p.Values, listOf), words: p.Empty,
		min: kit.InputOf(b, s, p.Min, kit.AnyOf[float64]), max: kit.InputOf(b, s, p.Max, kit.AnyOf[float64]), accent: kit.InputOf(b, s, p.Color, kit.ColorOf),
	}
	if p.Color == nil {
		w.accent = kit.InputOf(b, s, p.Accent, kit.ColorOf)
	}
	w.empty = b.Caption(b.Face("body"), image.Rectangle{Max: size}, kit.EdgeCenter)
	return w
}

// Natural implements kit.Sized.
func (w *heatmap) Natural(width int) image.Point { return image.Pt(width, width/5) }

// midnight() returns the start of a day in the wall's time zone. `ahead` is the number of days from the day of t.
func (w *heatmap) midnight(t time.Time, ahead int) time.Time {
	return piece.MidnightOf(t.In(w.b.Location), ahead)
}

// days() returns the number of days between two midnights. It rounds because days with a clock change have 23 or 25 hours.
func days(from, to time.Time) int { return int(math.Round(to.Sub(from).Hours() / 24)) }

// Update implements render.Widget.
func (w *heatmap) Update(t render.Tick) {
	changed := w.in.Update(t)
	for _, in := range [...]*kit.Input{&w.min, &w.max, &w.accent} {
		changed = in.Update(t) || changed
	}
	step := w.midnight(t.Now(), 0)
	if w.week { // hours of the wall's zone, which may begin at half hours of UTC
		past := time.Duration(t.Now().In(w.b.Location).Minute()) * time.Minute
		step = t.Now().Add(-past).Truncate(time.Minute)
	}
	if changed || !w.drawn || !step.Equal(w.day) {
		w.day, w.drawn = step, true
		w.draw(t.Now())
		t.DamageAll()
	}
	if w.week {
		t.Wake(step.Add(time.Hour))
	} else {
		t.Wake(w.midnight(step, 1))
	}
}

// draw assigns the numbers to cells and builds the shapes of the cells.
func (w *heatmap) draw(now time.Time) {
	v, ok := w.in.Value()
	var timed bool
	w.points, timed = readPoints(w.points[:0], v, w.b.Location)
	if len(w.points) == 0 {
		w.empty.Set("—")
		if ok {
			w.empty.Set(w.b.Locale.Say(locale.NoData))
			if w.words != "" {
				w.empty.Set(w.words)
			}
		}
		return
	}
	w.empty.Set("")
	label := w.b.Face("label")
	grid, side := w.lay(label)
	w.fill(now, timed)
	w.shapes(grid, side)
	w.name(now, grid, side, label)
}

// lay computes the number of columns, the position of the first cell, and the size of a cell with its gap.
func (w *heatmap) lay(label kit.Face) (grid image.Point, side image.Point) {
	b := w.b
	if w.week {
		w.cols, w.rows = 24, 7
		grid = image.Pt(w.dayWidth(label)+b.Px(6), 0)
		side = image.Pt((w.size.X-grid.X)/24, w.labelled(label)/7)
		if side.X < b.Px(heatLeast) || w.labelled(label) == w.size.Y {
			grid.X = 0
			side.X = max(1, w.size.X/24)
		}
		return grid, image.Pt(side.X, max(1, side.Y))
	}
	w.rows = 7
	grid.Y = w.size.Y - w.labelled(label)
	one := min((w.size.Y-grid.Y)/7, b.Px(heatMost))
	one = max(min(one, w.size.X/yearWeeks), b.Px(heatLeast))
	w.cols = min(yearWeeks, max(1, w.size.X/one))
	if grid.Y+7*one > w.size.Y {
		one = max(1, (w.size.Y-grid.Y)/7)
		w.cols = min(yearWeeks, w.size.X/one)
	}
	grid.Y += max(0, (w.size.Y-grid.Y-7*one)/2)
	return grid, image.Pt(one, one)
}

// labelled() returns the height that the labels leave for the cells. If there is no room for labels, it returns the whole height.
func (w *heatmap) labelled(label kit.Face) int {
	if high := w.size.Y - label.Line; high >= 7*w.b.Px(heatLeast) {
		return high
	}
	return w.size.Y
}

// dayWidth returns the width of the longest day name with a space after it, in px.
func (w *heatmap) dayWidth(label kit.Face) int {
	wide := 0
	for day := range time.Saturday + 1 {
		wide = max(wide, w.b.TextWidth(label, w.b.Locale.Day(day, true)+" "))
	}
	return wide
}

// fill computes the sum of each cell.
func (w *heatmap) fill(now time.Time, timed bool) {
	n := w.cols * w.rows
	w.sums = w.sums[:0]
	for range n {
		w.sums = append(w.sums, math.NaN())
	}
	for i, d := range w.points {
		at := history.Moment(d.At)
		if !timed {
			ago := len(w.points) - 1 - i
			if at = now.Add(-time.Duration(ago) * time.Hour); !w.week {
				at = w.midnight(now, -ago)
			}
		}
		if cell := w.cell(now, at); cell >= 0 && cell < n && !d.Gap() {
			if math.IsNaN(w.sums[cell]) {
				w.sums[cell] = 0
			}
			w.sums[cell] += d.V
		}
	}
}

// cell() returns the index of the cell for a time, or -1 if the time is not shown. Cells are counted column by column.
func (w *heatmap) cell(now, at time.Time) int {
	back := days(w.midnight(at, 0), w.midnight(now, 0))
	if back < 0 {
		return -1
	}
	if w.week {
		if back > 6 {
			return -1
		}
		return at.In(w.b.Location).Hour()*7 + 6 - back
	}
	today := w.row(now)
	weeks := (back + 6 - today) / 7
	if weeks >= w.cols {
		return -1
	}
	return (w.cols-1-weeks)*7 + w.row(at)
}

// row() returns the day of the week, counted from the day on which the week starts in the wall's language.
func (w *heatmap) row(at time.Time) int {
	return (int(at.In(w.b.Location).Weekday()) - int(w.b.Locale.FirstDay) + 7) % 7
}

// shapes() builds one shape for each level. The shape contains all cells of the level.
func (w *heatmap) shapes(grid, side image.Point) {
	lo, hi := 0.0, math.Inf(-1)
	for _, v := range w.sums {
		if !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if v, ok := w.min.Number(); ok {
		lo = v
	}
	if v, ok := w.max.Number(); ok {
		hi = v
	}
	ink := w.accent.Color(w.b, w.b.Role("accent"))
	w.colors[0] = w.b.Role("line")
	gap := float64(min(w.b.Px(heatGap), max(1, side.X/4), side.X-1, side.Y-1))
	o := &w.b.Outlines
	for level := range w.levels {
		if level > 0 {
			w.colors[level] = kit.Tint(ink, heatWeakest+(1-heatWeakest)*float64(level-1)/(heatLevels-1))
		}
		o.Begin()
		for i, v := range w.sums {
			if levelOf(v, lo, hi) != level {
				continue
			}
			x, y := float64(grid.X+i/7*side.X), float64(grid.Y+i%7*side.Y)
			if w.b.Locale.RightToLeft {
				x = float64(w.size.X) - x - float64(side.X) + gap
			}
			o.Area.RoundRect(x, y, x+float64(side.X)-gap, y+float64(side.Y)-gap, min(3, float64(side.X)/5))
		}
		o.Fill(&w.levels[level], image.Rectangle{Max: w.size})
	}
}

// levelOf returns the level of a number. Higher numbers have higher levels. Missing numbers and numbers up to `lo` have level 0. Numbers
// from `hi` on have the highest level.
func levelOf(v, lo, hi float64) int {
	if math.IsNaN(v) || !(v > lo) {
		return 0
	}
	if v >= hi { // also if the file sets a maximum that is not above the minimum
		return heatLevels
	}
	return 1 + int((v-lo)/(hi-lo)*heatLevels*0.9999)
}

// name() places the labels. In a year, the months are above the cells. In a week, the hours are below the cells, and the days are next to
// the cells.
func (w *heatmap) name(now time.Time, grid, side image.Point, f kit.Face) {
	w.shown = 0
	if w.labelled(f) == w.size.Y {
		return
	}
	if w.week {
		for i := range 7 {
			if grid.X > 0 && side.Y >= f.Size {
				day := w.midnight(now, i-6)
				y := grid.Y + i*side.Y
				w.write(w.b.Locale.Day(day.Weekday(), true), image.Rect(0, y, grid.X, y+side.Y-w.b.Px(heatGap)), f)
			}
		}
		for hour := 0; hour < 24; hour += 6 {
			x, y := grid.X+hour*side.X, grid.Y+7*side.Y
			text := string(w.b.Locale.Append(nil, time.Date(2026, 1, 1, hour, 0, 0, 0, time.UTC), locale.Hour))
			if w.b.TextWidth(f, text)+w.b.Px(nameApart) > 6*side.X {
				return
			}
			w.write(text, image.Rect(x, y, x+6*side.X, y+f.Line), f)
		}
		return
	}
	first := w.midnight(now, -w.row(now)-7*(w.cols-1))
	from := 0
	for col := range w.cols {
		day := w.midnight(first, 7*col)
		name := w.b.Locale.Month(day.Month(), true)
		x := grid.X + col*side.X
		if day.Day() > 7 || x < from || x+w.b.TextWidth(f, name) > w.size.X {
			continue
		}
		w.write(name, image.Rect(x, grid.Y-f.Line, w.size.X, grid.Y), f)
		from = x + w.b.TextWidth(f, name) + w.b.Px(10)
	}
}

// write places a label. `box` is the place of the label in a language that is written from left to right.
func (w *heatmap) write(s string, box image.Rectangle, f kit.Face) {
	if w.shown == len(w.labels) {
		w.labels = append(w.labels, w.b.Caption(f, box, w.b.EdgeOf("start")))
	}
	c := w.labels[w.shown]
	c.Box, c.Raw = w.b.Mirrored(box, w.size.X), ""
	c.Set(s)
	w.shown++
}

// Paint implements render.Widget.
func (w *heatmap) Paint(c render.Canvas) {
	if w.empty.Raw != "" {
		w.empty.Paint(c, w.b.Role("muted"))
		return
	}
	for i := range w.levels {
		col := w.colors[i]
		if w.in.Stale {
			col = kit.Faint(col)
		}
		c.Shape(&w.levels[i], image.Point{}, col)
	}
	for _, l := range w.labels[:w.shown] {
		l.Paint(c, w.b.Role("muted"))
	}
}
