// Package touch recognizes gestures: taps, holds, swipes and drags.
package touch

import (
	"image"
	"time"
)

// Thresholds of gestures. Lengths are in pixels on a wall whose shorter side has 720 px, and scale with it.
const (
	// HoldTime is the minimum time of a hold.
	HoldTime = 800 * time.Millisecond
	// tapTime is the maximum duration of a tap.
	tapTime = 400 * time.Millisecond
	// againTime is the maximum time between the two taps of a double tap.
	againTime = 350 * time.Millisecond
	// slack is the maximum movement of a tap or a hold, because a fingertip rolls.
	slack = 12
	// againSlack is the maximum distance between the taps of a double tap.
	againSlack = 40
	// swipeShare is the minimum length of a swipe, as a share of the wall's side.
	swipeShare = 0.15
	// flickShare is the minimum length of a quick swipe, which ends within flickTime.
	flickShare = 0.04
	flickTime  = 250 * time.Millisecond
	// usual is the shorter side to which the lengths refer.
	usual = 720
)

// A Kind is the kind of a gesture.
type Kind uint8

// Kinds of gestures.
const (
	None   Kind = iota
	Down        // the first finger touches, and the gesture is not decided yet
	Drag        // the finger moves. From, At and To give the distance and the direction
	Tap         // the finger left at the same place. Count is 2 for the second tap of a double tap
	Hold        // the finger rests
	Swipe       // the finger moved far enough and left. To is the direction
	Cancel      // the drag is undone, because it was too short or another finger touched
	Up          // all fingers have left after anything except Tap, Swipe and Cancel
	Alone       // no second tap followed the last one, whose Count was 1
)

// String returns the kind's name.
func (k Kind) String() string {
	return [...]string{"none", "down", "drag", "tap", "hold", "swipe", "cancel", "up", "alone"}[min(k, Alone)]
}

// A Direction is the direction of a movement.
type Direction uint8

// Directions of movements.
const (
	Left Direction = iota
	Right
	Upward
	Downward
)

// String returns the word that files use.
func (d Direction) String() string { return [...]string{"left", "right", "up", "down"}[d&3] }

// Sideways reports whether the direction is left or right.
func (d Direction) Sideways() bool { return d == Left || d == Right }

// A Gesture is a gesture of a finger, in pixels of the wall.
type Gesture struct {
	Kind     Kind
	From, At image.Point // first and current position of the finger
	To       Direction   // direction of Drag and Swipe
	Count    int         // count of Tap: 1, or 2 for the second tap of a double tap
}

// By returns the distance in the gesture's direction, negative if the finger turned back.
func (g Gesture) By() int {
	d := g.At.Sub(g.From)
	return [...]int{-d.X, d.X, -d.Y, d.Y}[g.To&3]
}

// phase is the state of a finger.
type phase uint8

const (
	idle    phase = iota
	resting       // the finger touches, and may become a tap or a hold
	moving        // the finger drags
	ignored       // the finger was held, was ignored, or there are other fingers. Nothing happens until all have left
)

// A Machine recognizes the gestures on one screen. It does not read a clock. Times count from any start and never go back. Size
// must be set.
type Machine struct {
	Size image.Point // size of the wall, in px

	phase    phase
	from, at image.Point
	began    time.Duration
	to       Direction
	tapped   time.Duration // end of the last tap
	tappedAt image.Point
	count    int  // number of consecutive taps
	single   bool // true if a second tap may still follow the last one
}

// length scales a length to the wall's size.
func (m *Machine) length(px int) int {
	return max(px*2/3, px*min(m.Size.X, m.Size.Y)/usual)
}

// Step takes the number of fingers and the position of the first one. It returns the gesture, or None.
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

// Late reports that there was no input until a time. A resting finger then becomes a hold, and a tap becomes a single tap.
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

// alone ends the wait for a second tap. The first tap is then a single tap.
func (m *Machine) alone() Gesture {
	if !m.single {
		return Gesture{}
	}
	m.single, m.count = false, 0
	return m.gesture(Alone)
}

// Due returns the time at which to call Late if there is no further input. It is negative if Late need not be called.
func (m *Machine) Due() time.Duration {
	switch {
	case m.phase == resting:
		return m.began + HoldTime
	case m.single:
		return m.tapped + againTime
	}
	return -1
}

// Ignore ignores the fingers that touch until all have left. It returns Cancel if a finger was dragging, and Alone if a second tap
// might have followed.
func (m *Machine) Ignore() Gesture {
	if m.phase == idle {
		return m.alone()
	}
	return m.cancel()
}

// Rest reports whether no finger is down.
func (m *Machine) Rest() bool { return m.phase == idle }

func (m *Machine) gesture(k Kind) Gesture { return Gesture{Kind: k, From: m.from, At: m.at, To: m.to} }

// cancel ends the current gesture.
func (m *Machine) cancel() Gesture {
	was := m.phase
	m.phase, m.count = ignored, 0
	if was == moving {
		return m.gesture(Cancel)
	}
	return Gesture{}
}

// slipped reports whether a finger left its first position.
func (m *Machine) slipped(at image.Point) bool { return far(m.from, at) > m.length(slack) }

// far returns the larger one of the horizontal and vertical distances between points.
func far(a, b image.Point) int {
	d := a.Sub(b)
	return max(d.X, -d.X, d.Y, -d.Y)
}

// move follows a finger in the direction of its first movement. Movement across that direction is ignored.
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
	if by := m.gesture(Drag).By(); by < 0 { // the finger moved back beyond its first position
		m.to ^= 1
	}
	return m.gesture(Drag)
}

// direction returns the main direction of a movement.
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

// end returns the gesture after all fingers have left.
func (m *Machine) end(now time.Duration) Gesture {
	was := m.phase
	m.phase = idle
	switch {
	case was == resting && now-m.began < tapTime:
		return m.tap(now)
	case was == resting && now-m.began >= HoldTime: // there was no input in time
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

// swiped reports whether a finger that left has moved far enough, or has moved quickly over a shorter distance.
func (m *Machine) swiped(now time.Duration) bool {
	side := m.Size.X
	if !m.to.Sideways() {
		side = m.Size.Y
	}
	by := float64(m.gesture(Drag).By())
	return by >= swipeShare*float64(side) || now-m.began <= flickTime && by >= flickShare*float64(side)
}
