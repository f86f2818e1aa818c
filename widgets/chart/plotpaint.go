package chart

import (
	"image"
	"image/color"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// Paint implements render.Widget.
func (w *chart) Paint(c render.Canvas) {
	if w.empty.Raw != "" {
		w.empty.Paint(c, w.muted)
		return
	}
	w.paintGround(c)
	for _, s := range w.series {
		col := s.rows
		c.ShapeRows(&s.area, image.Point{}, col)
	}
	w.paintLimits(c)
	w.paintNow(c)
	for _, s := range w.series {
		s.paint(c)
	}
	w.paintWords(c)
}

// paintGround draws the bands and the lines of the grid.
func (w *chart) paintGround(c render.Canvas) {
	for _, band := range w.p.Bands {
		col := w.b.Shade("accent", 0.12)
		if band.Color != nil {
			col = render.Premultiply(band.Color.NRGBA)
			if col.A == 255 {
				col = kit.Tint(col, 0.12)
			}
		}
		c.Fill(w.rows(band.From, band.To), col)
	}
	side := &w.sides[0]
	if !side.used {
		side = &w.sides[1]
	}
	if w.p.Axes == "none" {
		return
	}
	for _, v := range side.ticks {
		y := int(float64(w.plot.Max.Y) - side.scale.At(v)*float64(w.plot.Dy()) + 0.5)
		c.Fill(image.Rect(w.plot.Min.X, y, w.plot.Max.X, y+piece.Hairline(w.b)), w.grid)
	}
}

// rows() returns the rectangle of the plot between two values of the first value axis.
func (w *chart) rows(from, to float64) image.Rectangle {
	if to < from {
		from, to = to, from
	}
	return image.Rect(w.plot.Min.X, int(w.yAt(0, to)+0.5), w.plot.Max.X, int(w.yAt(0, from)+0.5)).Intersect(w.plot)
}

// paintLimits draws a dashed line for each threshold and shades the area beyond the threshold. On e-paper and in a curve without axes, it
// draws only the lines.
func (w *chart) paintLimits(c render.Canvas) {
	for i := range w.limits {
		l := &w.limits[i]
		col := render.Premultiply(l.Color.NRGBA)
		lo, hi := w.sides[0].scale.Min, w.sides[0].scale.Max
		if l.Above != nil {
			lo = *l.Above
			w.dashed(c, *l.Above, col)
		}
		if l.Below != nil {
			hi = *l.Below
			w.dashed(c, *l.Below, col)
		}
		if hi > lo && !w.b.Look.Ink && !w.bare {
			c.Fill(w.rows(lo, hi), kit.Tint(col, 0.1))
		}
	}
}

// dashed() draws the line of a threshold, aligned to whole pixels.
func (w *chart) dashed(c render.Canvas, v float64, col color.RGBA) {
	y := int(w.yAt(0, v) + 0.5)
	line := image.Rect(w.plot.Min.X, y, w.plot.Max.X, y+w.b.Px(1))
	if y < w.plot.Min.Y || y > w.plot.Max.Y || !c.Sees(line) {
		return
	}
	on, step := w.b.Px(dash), w.b.Px(dash)+w.b.Px(noDash)
	for x := line.Min.X; x < line.Max.X; x += step {
		c.Fill(image.Rect(x, line.Min.Y, min(x+on, line.Max.X), line.Max.Y), col)
	}
}

// paintNow draws a line at the current time in a chart with future data, unless the key `now` is false.
func (w *chart) paintNow(c render.Canvas) {
	if !w.future || w.p.Now != nil && !*w.p.Now {
		return
	}
	x := int(w.xAt(w.now))
	if w.b.Locale.RightToLeft {
		x -= w.b.Px(2)
	}
	c.Fill(image.Rect(x, w.plot.Min.Y, x+w.b.Px(2), w.plot.Max.Y), w.ink)
}

func (w *chart) paintWords(c render.Canvas) {
	for i := range w.sides {
		for _, t := range w.sides[i].texts {
			t.Paint(c, w.muted)
		}
	}
	for _, t := range w.bottom[:w.shownBottom] {
		t.Paint(c, w.muted)
	}
	if w.latest != nil {
		w.latest.Paint(c, w.ink)
	}
	n := 0
	for _, l := range w.limits {
		if l.Text != "" && l.Above != nil && n < len(w.words) {
			w.words[n].Paint(c, render.Premultiply(l.Color.NRGBA))
			n++
		}
	}
	for ; n < len(w.words); n++ {
		w.words[n].Paint(c, w.muted)
	}
	n = 0
	for _, s := range w.series {
		if s.text.Text() != "" && n < len(w.legend) {
			t := w.legend[n]
			side := w.b.Px(swatch)
			y := (t.Box.Min.Y + t.Box.Max.Y - side) / 2
			box := image.Rect(t.Box.Min.X-side-w.b.Px(6), y+side/2-w.b.Px(1.5), t.Box.Min.X-w.b.Px(6), y+side/2+w.b.Px(1.5))
			if w.b.Locale.RightToLeft {
				box = box.Add(image.Pt(t.Box.Dx()+side+2*w.b.Px(6), 0))
			}
			c.Fill(box, s.ink)
			t.Paint(c, w.muted)
			n++
		}
		for _, mark := range []*kit.Caption{s.high, s.low} {
			if mark != nil {
				mark.Paint(c, w.ink)
			}
		}
	}
}
