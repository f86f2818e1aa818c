package widgets

import (
	"image"
	"time"

	"dashboard/config/value"
	"dashboard/render"
)

// transition is how one of several gives way to another: both are painted once, and the two pictures move.
type transition struct {
	lender   *render.Transitions
	size     image.Point
	motion   render.Motion
	to       render.Direction
	from     int // the one that goes
	duration time.Duration
	ease     float64
	since    time.Time
	progress float64
	step     int
	pictures *render.Transition // nil while nothing moves
	painted  bool               // they are
}

// The duration and ease of a transition that says nothing of them.
const (
	transitionTime = 600 * time.Millisecond
	transitionEase = 2
)

// motionOf is what a transition is called, and where one that comes from a side goes to.
func motionOf(kind, from string) (render.Motion, render.Direction) {
	motion := map[string]render.Motion{"slide": render.Slide, "push": render.Push, "fade": render.Fade}[kind]
	return motion, map[string]render.Direction{"left": render.Right, "up": render.Down, "down": render.Up}[from]
}

// transition makes what a parameter asks for; without it, or where motion is reduced, usual or none.
func (b *Builder) transition(v *value.Transition, usual string, size image.Point) transition {
	m := transition{lender: b.Transitions, size: size, duration: transitionTime, ease: transitionEase}
	kind, from := usual, ""
	if v != nil {
		kind, from = v.Kind, v.From
		if v.Duration > 0 {
			m.duration = time.Duration(v.Duration)
		}
		if v.Ease > 0 {
			m.ease = v.Ease
		}
	}
	if m.motion, m.to = motionOf(kind, from); b.Reduced || size.X < 1 || size.Y < 1 {
		m.motion = render.Cut
	}
	return m
}

// begin starts the way from one to another.
func (m *transition) begin(now time.Time, from, to int) {
	if m.motion == render.Cut || from == to {
		m.end()
		return
	}
	if m.pictures == nil {
		m.pictures = m.lender.Take(m.size, m.motion, m.to)
	}
	m.from, m.since, m.progress, m.step, m.painted = from, now, 0, 0, false
}

// end gives the pictures back.
func (m *transition) end() {
	if m.pictures != nil {
		m.lender.Give(m.pictures)
		m.pictures = nil
	}
}

// under reports whether a transition is under way.
func (m *transition) under() bool { return m.pictures != nil }

// update brings what moves to now. A clock set back ends it.
func (m *transition) update(t render.Tick) {
	if m.pictures == nil {
		return
	}
	passed := t.Now().Sub(m.since)
	if passed >= m.duration || passed < 0 {
		m.end()
		t.DamageAll()
		return
	}
	m.progress = eased(float64(passed)/float64(m.duration), m.ease)
	if step := m.pictures.Step(m.progress); step != m.step || !m.painted {
		m.step = step
		t.DamageAll()
	}
	t.Wake(t.Now())
}

// paint paints the present one, and while a transition is under way the one that goes.
func (m *transition) paint(c render.Canvas, current int, one func(i int, c render.Canvas)) {
	if m.pictures == nil {
		one(current, c)
		return
	}
	if !m.painted {
		m.painted = true
		all, base := image.Rectangle{Max: m.size}, c.Org.Add(c.Base)
		one(m.from, m.pictures.Last.Begin(all, base))
		one(current, m.pictures.Next.Begin(all, base))
	}
	m.pictures.Paint(c, m.progress)
}
