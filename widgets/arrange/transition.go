package arrange

import (
	"image"
	"time"

	"dashboard/config/value"
	"dashboard/render"
	"dashboard/widgets/kit"
)

// transition is the animation from one child to another. Each of the two children is painted once into a picture, and the pictures move.
type transition struct {
	lender   *render.Transitions
	size     image.Point
	motion   render.Motion
	to       render.Direction
	from     int // index of the child that leaves
	duration time.Duration
	ease     float64 // 0 selects the default easing
	since    time.Time
	progress float64
	step     int
	pictures *render.Transition // nil while no transition is running
	painted  bool               // true if both pictures are painted

	held bool    // true during a drag, so that only the finger moves the pictures
	goes float64 // progress when the finger left the screen. From there, the progress goes to 1 or, if `back` is true, to 0
	back bool
}

// transitionTime is the default duration of a transition.
const transitionTime = 360 * time.Millisecond

// motionOf returns the motion and the direction of a transition. `kind` is the name of the transition. The parameter `from` is the side
// from which the new content comes.
func motionOf(kind, from string) (render.Motion, render.Direction) {
	motion := map[string]render.Motion{"slide": render.Slide, "push": render.Push, "fade": render.Through}[kind]
	return motion, map[string]render.Direction{"left": render.Right, "up": render.Down, "down": render.Up}[from]
}

// newTransition creates a transition from a configured value. If v is nil, `usual` is the name of the transition. With reduced motion, the
// pages change without a motion.
func newTransition(b *kit.Builder, v *value.Transition, usual string, size image.Point) transition {
	m := transition{lender: b.Transitions, size: size, duration: transitionTime}
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

// begin() starts the transition from one child to another.
func (m *transition) begin(now time.Time, from, to int) {
	if m.motion == render.Cut || from == to {
		m.end()
		return
	}
	if m.pictures == nil {
		m.pictures = m.lender.Take(m.size, m.motion, m.to)
	}
	m.from, m.since, m.progress, m.step, m.painted = from, now, 0, 0, false
	m.held, m.goes, m.back = false, 0, false
}

// end() ends the transition and returns its buffers to the lender.
func (m *transition) end() {
	if m.pictures != nil {
		m.lender.Give(m.pictures)
		m.pictures = nil
	}
	m.held, m.goes, m.back = false, 0, false
}

// under() reports whether a transition is running. A transition during a drag counts as running.
func (m *transition) under() bool { return m.pictures != nil }

// update advances the transition to the time of the tick. If the clock was set back, the transition ends.
func (m *transition) update(t render.Tick) {
	if m.pictures == nil {
		return
	}
	if !m.held && !m.advance(t.Now()) {
		m.end()
		t.DamageAll()
		return
	}
	if step := m.pictures.Step(m.progress); step != m.step || !m.painted {
		m.step = step
		t.DamageAll()
	}
	if !m.held {
		t.Wake(t.Now())
	}
}

// advance updates the progress for the time `now`. It returns false if the transition has ended.
func (m *transition) advance(now time.Time) bool {
	passed, lasts := now.Sub(m.since), m.duration
	if m.goes > 0 || m.back {
		lasts = settleTime
	}
	if passed >= lasts || passed < 0 {
		return false
	}
	x := m.pace(float64(passed) / float64(lasts))
	switch {
	case m.back:
		m.progress = m.goes * (1 - x)
	case m.goes > 0:
		m.progress = m.goes + (1-m.goes)*x
	default:
		m.progress = x
	}
	return true
}

// pace() returns the progress of a transition. x is the elapsed share of its duration. If the file sets no ease, the transition starts fast
// and slows down.
func (m *transition) pace(x float64) float64 {
	switch {
	case m.ease > 0:
		return eased(x, m.ease)
	case m.motion == render.Through: // package render eases each half of this motion
		return x
	}
	return decelerated(x)
}

// decelerated() returns the value of CSS's cubic-bezier(0.2, 0, 0, 1) at the share x of the duration (CSS Easing Functions Level 1, section
// 2.2).
func decelerated(x float64) float64 {
	low, high := 0.0, 1.0
	for range 24 { // 24 bisections are finer than a pixel of any screen
		t := (low + high) / 2
		if 0.6*(1-t)*(1-t)*t+t*t*t < x {
			low = t
		} else {
			high = t
		}
	}
	t := (low + high) / 2
	return 3*(1-t)*t*t + t*t*t
}

// settleTime is the time that dragged content needs to reach its final place.
const settleTime = 250 * time.Millisecond

// drag shows a transition that follows a finger. The parameter `share` is the progress of the transition, from 0 to 1. If `fresh` is
// true, drag starts a new transition.
func (m *transition) drag(from int, to render.Direction, fresh bool, share float64) {
	if m.pictures == nil || fresh || m.pictures.To != to {
		m.end()
		m.pictures = m.lender.Take(m.size, render.Push, to)
		m.from, m.step, m.painted = from, 0, false
	}
	m.held, m.progress = true, min(1, max(0, share))
}

// release ends a drag. If `back` is true, the pictures move back. Otherwise, they continue to the end of the transition.
func (m *transition) release(now time.Time, back bool) {
	m.held, m.since, m.goes, m.back = false, now, m.progress, back
}

// paint paints the child `current`. During a transition, it paints the pictures of the leaving child and of `current`.
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
