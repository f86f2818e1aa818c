package widgets

import (
	"image"
	"time"

	"dashboard/config/value"
	"dashboard/render"
)

// PagesParams are the parameters of the pages widget.
type PagesParams struct {
	Framed
	Dwell      value.Duration    `yaml:"dwell" default:"30s" doc:"How long a page is shown that says nothing itself."`
	Transition *value.Transition `yaml:"transition" doc:"How one page gives way to the next; slide without it."`
}

// pages shows one of its children, each for its time, while its condition holds.
type pages struct {
	b        *Builder
	size     image.Point
	children []*child
	dwell    []time.Duration
	motion   transition

	current int
	since   time.Time
}

func buildPages(b *Builder, s *Spec, p *PagesParams, size image.Point) render.Widget {
	w := &pages{b: b, size: size, children: b.kids(s, size), motion: b.transition(p.Transition, "slide", size)}
	for _, k := range w.children {
		k.rect = image.Rectangle{Max: size}
		d := time.Duration(p.Dwell)
		if k.common.Dwell > 0 {
			d = time.Duration(k.common.Dwell)
		}
		w.dwell = append(w.dwell, max(d, shortestDwell))
	}
	return w
}

// shortestDwell is the least time that a page stays: a wall is no film.
const shortestDwell = time.Second

// Update implements render.Widget.
func (w *pages) Update(t render.Tick) {
	refreshAll(t, w.children)
	now := t.Now()
	if w.since.IsZero() || now.Before(w.since) {
		w.since = now
		if !w.inTurn(w.current) {
			w.current = w.after(w.current)
		}
	}
	next := w.current
	if !w.inTurn(w.current) || now.Sub(w.since) >= w.dwell[w.current] {
		next = w.after(w.current)
	}
	if next != w.current {
		w.motion.begin(now, w.current, next)
		w.current, w.since = next, now
		t.DamageAll()
	} else if now.Sub(w.since) >= w.dwell[w.current] {
		w.since = now
	}
	t.Wake(w.since.Add(w.dwell[w.current]))
	w.motion.update(t)
	for i, k := range w.children {
		if i == w.current || w.motion.under() && i == w.motion.from {
			k.widget.Update(t)
		} else {
			k.widget.Update(t.Hidden())
		}
	}
}

// inTurn reports whether a page is among those that take turns now.
func (w *pages) inTurn(i int) bool {
	k := w.children[i]
	if !k.shown {
		return false
	}
	if k.common.Only {
		return true
	}
	for _, other := range w.children {
		if other.shown && other.common.Only {
			return false
		}
	}
	return true
}

// after is the next page whose turn it is; the present one stays if there is none.
func (w *pages) after(from int) int {
	for n := 1; n <= len(w.children); n++ {
		if i := (from + n) % len(w.children); w.inTurn(i) {
			return i
		}
	}
	return from
}

// Paint implements render.Widget.
func (w *pages) Paint(c render.Canvas) {
	w.motion.paint(c, w.current, func(i int, c render.Canvas) { w.children[i].widget.Paint(c) })
}
