package chart

import (
	"fmt"

	"dashboard/config"
	"dashboard/render"
	"dashboard/theme"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/history"
)

func (w *chart) newSeries(s *kit.Spec, p *SeriesKeys, c *config.Live[theme.RoleColor]) *series {
	x := &series{c: w, form: p.Form, smooth: w.p.Smooth, color: kit.InputOf(w.b, s, c, kit.ColorOf), text: kit.InputOf(w.b, s, p.Text, kit.AnyOf[string])}
	if p.Axis == "right" {
		x.side = 1
	}
	if p.Values != nil {
		x.in = kit.InputOf(w.b, s, p.Values, listOf)
		return x
	}
	x.in = kit.InputOf(w.b, s, p.Value, kit.PlainOf)
	if p.Value != nil {
		of, program := s.PastKey(p.Value, kit.ProgramOf(p.Value))
		x.past = w.b.PastOf(of, program, w.span)
		w.b.History(s, &p.Thing, x.past)
	} else {
		x.past = w.b.PastOf(p, "", w.span)
	}
	return x
}

// take reads the series from a list of series that a program returns. m is the element of the list, and i is its index.
func (s *series) take(m map[string]any, i int) {
	s.given = m["values"]
	s.text = kit.Input{Plain: m["text"]}
	s.color = kit.Input{Plain: m["color"]}
	s.form, _ = m["kind"].(string)
	s.side = 0
	if m["axis"] == "right" {
		s.side = 1
	}
	s.stale = s.c.list.Stale
}

func (s *series) update(t render.Tick) bool {
	changed := s.in.Update(t)
	if s.past != nil {
		s.past.Recall(t)
		if changed {
			s.past.Follow(&s.in)
		}
		changed = changed || s.recalls != s.past.Recalls
		s.recalls = s.past.Recalls
	}
	if s.in.Cell != nil {
		s.stale = s.in.Stale
	}
	changed = s.color.Update(t) || changed
	return s.text.Update(t) || changed
}

// gather reads the current points.
func (s *series) gather(i int) {
	w := s.c
	s.points, s.timed = s.points[:0], false
	s.kind = s.form
	if s.kind == "" {
		s.kind = w.p.Form
	}
	if s.kind == "" {
		s.kind = "line"
	}
	s.ink = s.color.Color(w.b, w.b.Role(fmt.Sprint("series", i%6+1)))
	if s.stale {
		s.ink = w.b.Old(s.ink)
	}
	switch {
	case s.past != nil:
		s.remember()
	case s.given != nil:
		s.points, s.timed = readPoints(s.points, s.given, w.b.Location)
	default:
		if v, ok := s.in.Value(); ok {
			s.points, s.timed = readPoints(s.points, v, w.b.Location)
		}
	}
	if w.p.Bucket > 0 && s.timed {
		s.points = bucket(s.points, s.bucketLength(), w.p.Combine, w.b.Location)
	}
	if w.named {
		s.points = s.points[:min(len(s.points), len(w.names))]
		for j := range s.points {
			s.points[j].At = float64(j)
		}
	}
}

func (s *series) bucketLength() float64 { return float64(s.c.p.Bucket) / 1e9 }

// remember reads the points from the history of a value. Each value is valid until the next value. Therefore, the last value gets another
// point at the current time, unless the value is outdated or shown as a bar.
func (s *series) remember() {
	w := s.c
	s.timed = true
	from := w.now - w.span.Seconds()
	for i, d := range s.past.Data {
		if d.At < from && i+1 < len(s.past.Data) && s.past.Data[i+1].At <= from {
			continue
		}
		s.points = append(s.points, history.Datum{At: max(d.At, from), V: d.V})
	}
	if n := len(s.points); n > 0 && s.points[n-1].At < w.now && !s.in.Stale && s.kind != "bar" {
		s.points = append(s.points, history.Datum{At: w.now, V: s.points[n-1].V})
	}
}

// stack() computes the top and the base of each point.
func (w *chart) stack() {
	type sum struct{ up, down float64 }
	var sums map[history.Datum]sum
	if w.p.Stacked {
		sums = map[history.Datum]sum{}
	}
	for _, s := range w.series {
		s.tops, s.bases = s.tops[:0], s.bases[:0]
		for _, d := range s.points {
			base := 0.0
			if sums != nil && !d.Gap() && (s.kind == "bar" || s.kind == "area") {
				key := history.Datum{At: d.At, V: float64(s.side)}
				have := sums[key]
				if d.V >= 0 {
					base = have.up
					have.up += d.V
				} else {
					base = have.down
					have.down += d.V
				}
				sums[key] = have
			}
			s.tops, s.bases = append(s.tops, base+d.V), append(s.bases, base)
		}
	}
}
