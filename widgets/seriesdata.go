package widgets

import (
	"fmt"

	"dashboard/config"
	"dashboard/render"
	"dashboard/theme"
)

func (w *chart) newSeries(s *Spec, p *SeriesKeys, c *config.Live[theme.RoleColor]) *series {
	x := &series{c: w, form: p.Form, smooth: w.p.Smooth, color: inputOf(w.b, s, c, colorOf), text: inputOf(w.b, s, p.Text, anyOf[string])}
	if p.Axis == "right" {
		x.side = 1
	}
	if p.Values != nil {
		x.in = inputOf(w.b, s, p.Values, listOf)
		return x
	}
	x.in = inputOf(w.b, s, p.Value, plainOf)
	if p.Value != nil {
		of, program := s.pastKey(p.Value, programOf(p.Value))
		x.past = w.b.pastOf(of, program, w.span)
		w.b.history(s, &p.Thing, x.past)
	} else {
		x.past = w.b.pastOf(p, "", w.span)
	}
	return x
}

// take reads a series of a list from data.
func (s *series) take(m map[string]any, i int) {
	s.given = m["values"]
	s.text = input{plain: m["text"]}
	s.color = input{plain: m["color"]}
	s.form, _ = m["kind"].(string)
	s.side = 0
	if m["axis"] == "right" {
		s.side = 1
	}
	s.stale = s.c.list.stale
}

func (s *series) update(t render.Tick) bool {
	changed := s.in.update(t)
	if s.past != nil {
		s.past.recall(t)
		if changed {
			s.past.follow(&s.in)
		}
		changed = changed || s.recalls != s.past.recalls
		s.recalls = s.past.recalls
	}
	if s.in.cell != nil {
		s.stale = s.in.stale
	}
	changed = s.color.update(t) || changed
	return s.text.update(t) || changed
}

// gather reads the points of the moment.
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
	s.ink = s.color.color(w.b, w.b.role(fmt.Sprint("series", i%6+1)))
	switch {
	case s.past != nil:
		s.remember()
	case s.given != nil:
		s.points, s.timed = readPoints(s.points, s.given, &w.b.Env)
	default:
		if v, ok := s.in.value(); ok {
			s.points, s.timed = readPoints(s.points, v, &w.b.Env)
		}
	}
	if w.p.Bucket > 0 && s.timed {
		s.points = bucket(s.points, s.bucketLength(), w.p.Combine, w.b.Location)
	}
	if w.named {
		s.points = s.points[:min(len(s.points), len(w.names))]
		for j := range s.points {
			s.points[j].at = float64(j)
		}
	}
}

func (s *series) bucketLength() float64 { return float64(s.c.p.Bucket) / 1e9 }

// remember is the past of a value up to now: what it was last, it is until something else is known.
func (s *series) remember() {
	w := s.c
	s.timed = true
	from := w.now - w.span.Seconds()
	for i, d := range s.past.data {
		if d.at < from && i+1 < len(s.past.data) && s.past.data[i+1].at <= from {
			continue
		}
		s.points = append(s.points, datum{max(d.at, from), d.v})
	}
	if n := len(s.points); n > 0 && s.points[n-1].at < w.now && !s.in.stale && s.kind != "bar" {
		s.points = append(s.points, datum{w.now, s.points[n-1].v})
	}
}

// stack finds where each point is drawn to and from.
func (w *chart) stack() {
	type sum struct{ up, down float64 }
	var sums map[datum]sum
	if w.p.Stacked {
		sums = map[datum]sum{}
	}
	for _, s := range w.series {
		s.tops, s.bases = s.tops[:0], s.bases[:0]
		for _, d := range s.points {
			base := 0.0
			if sums != nil && !d.gap() && (s.kind == "bar" || s.kind == "area") {
				key := datum{d.at, float64(s.side)}
				have := sums[key]
				if d.v >= 0 {
					base = have.up
					have.up += d.v
				} else {
					base = have.down
					have.down += d.v
				}
				sums[key] = have
			}
			s.tops, s.bases = append(s.tops, base+d.v), append(s.bases, base)
		}
	}
}
