package widgets

import (
	"image"
	"math"
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

// transition is how one of several gives way to another.
type transition struct {
	size     image.Point
	kind     string
	from     int // the one that goes
	dir      string
	duration time.Duration
	ease     float64
	since    time.Time
	moving   bool
	progress float64
	layer    *render.Layer
}

// The duration and ease of a transition that says nothing of them.
const (
	transitionTime = 600 * time.Millisecond
	transitionEase = 2
)

// transition makes what a parameter asks for; without it, or where motion is reduced, usual or none.
func (b *Builder) transition(v *value.Transition, usual string, size image.Point) transition {
	m := transition{size: size, kind: usual, dir: "right", duration: transitionTime, ease: transitionEase}
	if v != nil {
		m.kind = v.Kind
		if v.From != "" {
			m.dir = v.From
		}
		if v.Duration > 0 {
			m.duration = time.Duration(v.Duration)
		}
		if v.Ease > 0 {
			m.ease = v.Ease
		}
	}
	if b.Reduced {
		m.kind = "none"
	}
	if m.kind == "fade" {
		m.layer = render.NewLayer(size)
	}
	return m
}

// begin starts the way from one to another.
func (m *transition) begin(now time.Time, from, to int) {
	m.moving = m.kind != "none" && m.kind != "" && from != to
	m.from, m.since, m.progress = from, now, 0
}

// under reports whether a transition is under way.
func (m *transition) under() bool { return m.moving }

func (m *transition) update(t render.Tick) {
	if !m.moving {
		return
	}
	passed := t.Now().Sub(m.since)
	if passed >= m.duration || passed < 0 {
		m.moving = false
	} else {
		m.progress = eased(float64(passed)/float64(m.duration), m.ease)
		t.Wake(t.Now())
	}
	t.DamageAll()
}

// paint paints the present one, and while a transition is under way the one that goes.
func (m *transition) paint(c render.Canvas, current int, one func(i int, c render.Canvas)) {
	if !m.moving {
		one(current, c)
		return
	}
	all := image.Rectangle{Max: m.size}
	c = c.In(all)
	switch m.kind {
	case "fade":
		one(m.from, c)
		r := c.Clip.Sub(c.Org).Intersect(all)
		if !r.Empty() {
			one(current, m.layer.Begin(r, c.Org.Add(c.Base)))
			m.layer.Show(c, image.Point{}, uint8(math.Round(m.progress*255)))
		}
	default:
		off := m.offset(1 - m.progress)
		behind := image.Point{}
		if m.kind == "push" {
			behind = off.Sub(m.offset(1))
		}
		old := c
		if m.kind == "slide" { // the one that goes stays, and is covered
			old.Clip = old.Clip.Intersect(uncovered(all, all.Add(off)).Add(c.Org))
		}
		if p := all.Add(behind); old.Sees(p) {
			one(m.from, old.In(p))
		}
		if p := all.Add(off); c.Sees(p) {
			one(current, c.In(p))
		}
	}
}

// uncovered is the part of a rectangle that one of the same size, moved along one axis, does not cover.
func uncovered(all, over image.Rectangle) image.Rectangle {
	switch {
	case over.Min.X > all.Min.X:
		all.Max.X = over.Min.X
	case over.Min.X < all.Min.X:
		all.Min.X = over.Max.X
	case over.Min.Y > all.Min.Y:
		all.Max.Y = over.Min.Y
	case over.Min.Y < all.Min.Y:
		all.Min.Y = over.Max.Y
	default:
		return image.Rectangle{}
	}
	return all
}

// offset is how far the one that comes still has to go.
func (m *transition) offset(share float64) image.Point {
	x, y := int(math.Round(share*float64(m.size.X))), int(math.Round(share*float64(m.size.Y)))
	switch m.dir {
	case "left":
		return image.Pt(-x, 0)
	case "up":
		return image.Pt(0, -y)
	case "down":
		return image.Pt(0, y)
	}
	return image.Pt(x, 0)
}
