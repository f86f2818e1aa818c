// Package touch decides what fingers on a wall mean: taps, holds, swipes, and what is dragged meanwhile.
package touch

import (
	"image"
	"time"
)

// What tells gestures apart. Lengths are pixels of a wall whose shorter side is 720, and grow with it.
const (
	// HoldTime is how long a finger rests that holds.
	HoldTime = 800 * time.Millisecond
	// tapTime is the longest tap.
	tapTime = 400 * time.Millisecond
	// againTime is the longest time between two taps that are one double tap.
	againTime = 350 * time.Millisecond
	// slack is how far a finger may slip and still tap or hold: a fingertip rolls.
	slack = 12
	// againSlack is how far apart the two taps of a double one may be.
	againSlack = 40
	// swipeShare is the part of the wall's side that a swipe passes,
	swipeShare = 0.15
	// flickShare is enough for a quick one, which ends within flickTime.
	flickShare = 0.04
	flickTime  = 250 * time.Millisecond
	// usual is the shorter side that the lengths are for.
	usual = 720
)

// A Kind is what a gesture is.
type Kind uint8

// The kinds.
const (
	None   Kind = iota
	Down        // the first finger came; nothing is known yet
	Drag        // it moves: From, At and To say how far and in which direction
	Tap         // it came and went in one place; Count is 2 of the second in a row
	Hold        // it rests
	Swipe       // it moved far enough, and went: To
	Cancel      // what was dragged goes back: it was not far enough, or another finger came
	Up          // all fingers are gone, after anything else but Tap, Swipe and Cancel
	Alone       // no second tap followed the last one, whose Count was 1
)

// String is the kind's name.
func (k Kind) String() string {
	return [...]string{"none", "down", "drag", "tap", "hold", "swipe", "cancel", "up", "alone"}[min(k, Alone)]
}

// A Direction is where a finger moves to.
type Direction uint8

// The directions.
const (
	Left Direction = iota
	Right
	Upward
	Downward
)

// String is the word that walls write.
func (d Direction) String() string { return [...]string{"left", "right", "up", "down"}[d&3] }

// Sideways reports whether it is left or right.
func (d Direction) Sideways() bool { return d == Left || d == Right }

// A Gesture is what a finger did, in pixels of the wall.
type Gesture struct {
	Kind     Kind
	From, At image.Point // where the finger came down, and where it is
	To       Direction   // of Drag, Swipe
	Count    int         // of Tap: 1, or 2 for the second of two
}

// By is how far the finger has moved in the gesture's direction, below 0 if it has turned back.
func (g Gesture) By() int {
	d := g.At.Sub(g.From)
	return [...]int{-d.X, d.X, -d.Y, d.Y}[g.To&3]
}

// phase is what a finger is doing.
type phase uint8

const (
	idle    phase = iota
	resting       // it came down, and may tap or hold
	moving        // it drags
	ignored       // it held, or was swallowed, or others are there: nothing until all are gone
)

// A Machine follows the fingers on one screen. It reads no clock: times are since any moment, and never go back. Its zero value
// needs Size.
type Machine struct {
	Size image.Point // of the wall, px

	phase    phase
	from, at image.Point
	began    time.Duration
	to       Direction
	tapped   time.Duration // when the last tap ended
	tappedAt image.Point
	count    int  // of taps in a row
	single   bool // a second tap may still follow the last one
}

// length is one for the wall's size.
func (m *Machine) length(px int) int {
	return max(px*2/3, px*min(m.Size.X, m.Size.Y)/usual)
}

// Step tells how many fingers are down, and where the first of them is. It returns what that means, None for nothing new.
func (m *Machine) Step(now time.Duration, fingers int, at image.Point) Gesture {
	switch {
	case m.phase == idle && fingers > 0:
		m.phase, m.from, m.at, m.began, m.single = resting, at, at, now, false
		return m.gesture(Down)
	case m.phase == idle:
		return Gesture{}
	case fingers == 0:
		return m.end(now)
	case fingers > 1 && m.phase != ignored:
		return m.cancel()
	case m.phase == ignored:
		return Gesture{}
	}
	if now-m.began >= HoldTime && m.phase == resting && !m.slipped(at) {
		m.phase = ignored
		return m.gesture(Hold)
	}
	return m.move(at)
}

// Late tells that nothing came until a moment. A finger that rests holds, then, and a tap was the only one.
func (m *Machine) Late(now time.Duration) Gesture {
	switch {
	case m.phase == idle && m.single && now-m.tapped >= againTime:
		return m.alone()
	case m.phase == resting && now-m.began >= HoldTime:
		m.phase = ignored
		return m.gesture(Hold)
	}
	return Gesture{}
}

// alone ends the wait for a second tap.
func (m *Machine) alone() Gesture {
	if !m.single {
		return Gesture{}
	}
	m.single, m.count = false, 0
	return m.gesture(Alone)
}

// Due is when Late is to be called if no finger moves before; below 0 for never.
func (m *Machine) Due() time.Duration {
	switch {
	case m.phase == resting:
		return m.began + HoldTime
	case m.single:
		return m.tapped + againTime
	}
	return -1
}

// Ignore has nothing come of the fingers that are down until all are gone. It returns Cancel if something was dragged, Alone if a
// second tap may have followed.
func (m *Machine) Ignore() Gesture {
	if m.phase == idle {
		return m.alone()
	}
	return m.cancel()
}

// Rest reports whether no finger is down.
func (m *Machine) Rest() bool { return m.phase == idle }

func (m *Machine) gesture(k Kind) Gesture { return Gesture{Kind: k, From: m.from, At: m.at, To: m.to} }

// cancel ends what is under way.
func (m *Machine) cancel() Gesture {
	was := m.phase
	m.phase, m.count = ignored, 0
	if was == moving {
		return m.gesture(Cancel)
	}
	return Gesture{}
}

// slipped reports whether a finger is no longer where it came down.
func (m *Machine) slipped(at image.Point) bool { return far(m.from, at) > m.length(slack) }

// far is the longer one of the two distances between points.
func far(a, b image.Point) int {
	d := a.Sub(b)
	return max(d.X, -d.X, d.Y, -d.Y)
}

// move follows a finger. Its direction is that in which it left the place where it came down; across that nothing moves.
func (m *Machine) move(at image.Point) Gesture {
	if at == m.at {
		return Gesture{}
	}
	m.at = at
	if m.phase == resting {
		if !m.slipped(at) {
			return Gesture{}
		}
		m.phase, m.to = moving, direction(at.Sub(m.from))
	}
	if by := m.gesture(Drag).By(); by < 0 { // it has passed where it came down
		m.to ^= 1
	}
	return m.gesture(Drag)
}

// direction is where a way leads to, mostly.
func direction(d image.Point) Direction {
	switch {
	case max(d.X, -d.X) >= max(d.Y, -d.Y) && d.X < 0:
		return Left
	case max(d.X, -d.X) >= max(d.Y, -d.Y):
		return Right
	case d.Y < 0:
		return Upward
	}
	return Downward
}

// end tells what it was when all fingers are gone.
func (m *Machine) end(now time.Duration) Gesture {
	was := m.phase
	m.phase = idle
	switch {
	case was == resting && now-m.began < tapTime:
		return m.tap(now)
	case was == resting && now-m.began >= HoldTime: // nothing came in time
		return m.gesture(Hold)
	case was == moving && m.swiped(now):
		m.count = 0
		return m.gesture(Swipe)
	case was == moving:
		m.count = 0
		return m.gesture(Cancel)
	}
	m.count = 0
	return m.gesture(Up)
}

func (m *Machine) tap(now time.Duration) Gesture {
	if m.count == 1 && m.began-m.tapped <= againTime && far(m.tappedAt, m.from) <= m.length(againSlack) {
		m.count = 2
	} else {
		m.count = 1
	}
	m.tapped, m.tappedAt, m.single = now, m.from, m.count == 1
	g := m.gesture(Tap)
	g.Count = m.count
	return g
}

// swiped reports whether a finger that is gone had moved far enough, or so quickly that less is.
func (m *Machine) swiped(now time.Duration) bool {
	side := m.Size.X
	if !m.to.Sideways() {
		side = m.Size.Y
	}
	by := float64(m.gesture(Drag).By())
	return by >= swipeShare*float64(side) || now-m.began <= flickTime && by >= flickShare*float64(side)
}
