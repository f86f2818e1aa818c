// Package touch recognizes gestures on a touchscreen: taps, holds, swipes and drags.
package touch

import (
	"image"
	"time"
)

// Thresholds. Lengths are in pixels for a wall whose shorter side has 720 pixels. For other walls, these lengths are scaled.
const (
	// HoldTime is the minimum duration of a hold.
	HoldTime = 800 * time.Millisecond
	// tapTime is the maximum duration of a tap.
	tapTime = 400 * time.Millisecond
	// againTime is the maximum time from the first to the second tap of a double tap.
	againTime = 350 * time.Millisecond
	// slack is the maximum movement of the finger during a tap or a hold. A fingertip moves slightly while it touches.
	slack = 12
	// againSlack is the maximum distance from the first to the second tap of a double tap.
	againSlack = 40
	// swipeShare is the minimum length of a swipe, as a part of the wall's width or height, depending on the direction of the swipe.
	swipeShare = 0.15
	// flickShare is the minimum length of a quick swipe, as a part of the wall's width or height. A quick swipe takes at most flickTime.
	flickShare = 0.04
	flickTime  = 250 * time.Millisecond
	// `usual` is the length of the shorter side for which the thresholds are given.
	usual = 720
)

// Kind is the kind of a gesture.
type Kind uint8

// Kinds of gestures.
const (
	None   Kind = iota
	Down        // the first finger touches, but the gesture is not known yet
	Drag        // the finger moves. From, At and To describe the distance and the direction
	Tap         // the finger was lifted at the same place. Count is 2 for the second tap of a double tap
	Hold        // the finger stays at the same place
	Swipe       // the finger moved far enough and was lifted. To is the direction
	Cancel      // the drag must be undone, because it was too short or because another finger touched
	Up          // all fingers were lifted without another gesture at this moment, for example after a Hold or an earlier Cancel
	Alone       // the last tap stays a single tap, because no second tap followed
)

// String returns the name of the kind.
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

// String returns the word for the direction that files use.
func (d Direction) String() string { return [...]string{"left", "right", "up", "down"}[d&3] }

// Sideways reports whether d is Left or Right.
func (d Direction) Sideways() bool { return d == Left || d == Right }

// A Gesture describes what a finger does. Positions are in pixels of the wall.
type Gesture struct {
	Kind     Kind
	From, At image.Point // first and current position of the finger
	To       Direction   // direction of a Drag or a Swipe
	Count    int         // 1 for a Tap, or 2 for the second tap of a double tap
}

// By returns the distance from From to At in the direction To, in pixels. It is negative if the finger moved back beyond From.
func (g Gesture) By() int {
	d := g.At.Sub(g.From)
	return [...]int{-d.X, d.X, -d.Y, d.Y}[g.To&3]
}

// phase is the state of the touch.
type phase uint8

const (
	idle    phase = iota
	resting       // the finger touches and has not moved. It may become a tap or a hold
	moving        // the finger moves
	ignored       // no gesture is recognized until all fingers are lifted
)

// A Machine recognizes the gestures on one screen. It does not read a clock. Callers pass the time since any fixed start; it must never
// decrease. Size must be set.
type Machine struct {
	Size image.Point // size of the wall, in pixels

	phase    phase
	from, at image.Point
	began    time.Duration
	to       Direction
	tapped   time.Duration // time when the last tap ended
	tappedAt image.Point
	count    int  // number of consecutive taps
	single   bool // whether a second tap may still follow the last tap
}

// length converts a threshold to a length on this wall, in pixels. The length is at least two thirds of the threshold.
func (m *Machine) length(px int) int {
	return max(px*2/3, px*min(m.Size.X, m.Size.Y)/usual)
}

// Step gets the number of fingers that touch, and the position of the first finger. It returns the recognized gesture, or None.
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

// Late must be called at the time that Due returns if there was no input until then. A finger that stays becomes a hold, and a tap that
// waits becomes a single tap.
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

// alone() ends the wait for a second tap and returns Alone. It returns None if nothing was waiting.
func (m *Machine) alone() Gesture {
	if !m.single {
		return Gesture{}
	}
	m.single, m.count = false, 0
	return m.gesture(Alone)
}

// Due returns the time at which the caller must call Late if there is no further input. It is negative if there is nothing to wait for.
func (m *Machine) Due() time.Duration {
	switch {
	case m.phase == resting:
		return m.began + HoldTime
	case m.single:
		return m.tapped + againTime
	}
	return -1
}

// Ignore ignores all fingers until they are lifted. If a drag must be undone, it returns Cancel. If a tap was waiting for a second tap,
// it returns Alone.
func (m *Machine) Ignore() Gesture {
	if m.phase == idle {
		return m.alone()
	}
	return m.cancel()
}

// Rest reports whether no finger touches.
func (m *Machine) Rest() bool { return m.phase == idle }

func (m *Machine) gesture(k Kind) Gesture { return Gesture{Kind: k, From: m.from, At: m.at, To: m.to} }

// cancel ends the current gesture. It returns Cancel if a drag must be undone.
func (m *Machine) cancel() Gesture {
	was := m.phase
	m.phase, m.count = ignored, 0
	if was == moving {
		return m.gesture(Cancel)
	}
	return Gesture{}
}

// slipped() reports whether the finger has left its first position.
func (m *Machine) slipped(at image.Point) bool { return far(m.from, at) > m.length(slack) }

// far() returns the horizontal or vertical distance between two points, whichever is larger.
func far(a, b image.Point) int {
	d := a.Sub(b)
	return max(d.X, -d.X, d.Y, -d.Y)
}

// move handles a movement of the finger. The first movement decides whether the horizontal or the vertical distance counts.
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
	if by := m.gesture(Drag).By(); by < 0 { // the finger is now on the other side of its first position
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

// end returns the gesture that ends when all fingers are lifted.
func (m *Machine) end(now time.Duration) Gesture {
	was := m.phase
	m.phase = idle
	switch {
	case was == resting && now-m.began < tapTime:
		return m.tap(now)
	case was == resting && now-m.began >= HoldTime: // Late was not called in time
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

// swiped() reports whether the finger has moved far enough for a swipe, or for a quick swipe.
func (m *Machine) swiped(now time.Duration) bool {
	side := m.Size.X
	if !m.to.Sideways() {
		side = m.Size.Y
	}
	by := float64(m.gesture(Drag).By())
	return by >= swipeShare*float64(side) || now-m.began <= flickTime && by >= flickShare*float64(side)
}
