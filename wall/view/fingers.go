package view

import (
	"image"
	"sync"
	"time"

	"dashboard/control"
	"dashboard/control/touch"
	"dashboard/widgets/screen"
)

const (
	// maxGestures is the maximum number of gestures in the queue. Even ten fingers make fewer gestures between two passes of the loop.
	maxGestures = 16
	// MaxAsked is the maximum number of actions by touches and keys that run at the same time. Equally many actions can wait.
	MaxAsked = 4
)

// fingers is the state of the touches on a view.
type fingers struct {
	gestures gestures        // gestures that the loop has not handled yet
	taken    []touch.Gesture // gestures that the loop handles in this pass
	first    control.Action  // action of a tap that may become a double tap; used by the loop
	twice    *control.Action // action of the double tap, or nil if no tap waits; used by the loop
}

// gestures is the queue of a view's gestures since the last pass of the loop. Drags that follow each other become one drag.
type gestures struct {
	mu  sync.Mutex
	all []touch.Gesture
}

// put appends g to the queue. If the queue is full, put drops g, unless g ends a gesture. In this case g replaces the newest entry.
func (q *gestures) put(g touch.Gesture) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.all)
	switch {
	case n > 0 && g.Kind == touch.Drag && q.all[n-1].Kind == touch.Drag && q.all[n-1].From == g.From:
		q.all[n-1] = g
	case n < maxGestures:
		q.all = append(q.all, g)
	case g.Kind == touch.Cancel || g.Kind == touch.Swipe || g.Kind == touch.Up || g.Kind == touch.Alone:
		q.all[n-1] = g
	}
}

// take moves all gestures from the queue to dst, whose content it replaces.
func (q *gestures) take(dst []touch.Gesture) []touch.Gesture {
	q.mu.Lock()
	defer q.mu.Unlock()
	dst = append(dst[:0], q.all...)
	q.all = q.all[:0]
	return dst
}

// Touched queues a gesture on the view's screen.
func (v *View) Touched(g touch.Gesture) {
	v.gestures.put(g)
	v.Loop.Wake()
}

// TouchedFar queues a touch by a remote caller. x and y are positions from 0 to 1 in the width and the height of the picture. Such a
// touch does not count as presence, and it works while the screens are off.
func (v *View) TouchedFar(x, y float64, gesture string) {
	size := v.Size()
	p := image.Pt(min(int(x*float64(size.X)), size.X-1), min(int(y*float64(size.Y)), size.Y-1))
	if v.Shown.Load().Graphics.Flip {
		p = size.Sub(p).Sub(image.Pt(1, 1))
	}
	one := touch.Gesture{Kind: touch.Tap, From: p, At: p, Count: 1}
	all := []touch.Gesture{one, {Kind: touch.Alone, From: p, At: p}}
	switch gesture {
	case "double_tap":
		two := one
		two.Count = 2
		all = []touch.Gesture{one, two}
	case "hold":
		all = []touch.Gesture{{Kind: touch.Hold, From: p, At: p}, {Kind: touch.Up, From: p, At: p}}
	}
	for _, g := range all {
		v.gestures.put(g)
	}
	v.Loop.Wake()
}

// handle runs the actions of the queued gestures. The loop calls it at the beginning of a pass.
func (v *View) handle(now time.Time) {
	v.taken = v.gestures.take(v.taken)
	if len(v.taken) > 0 {
		v.Pages.Touched(now)
	}
	for _, g := range v.taken {
		if v.answered(g) {
			continue
		}
		root, ok := v.Shown.Load().Tree().Root.(*screen.Screen)
		if !ok {
			return
		}
		switch a, twice, ok := root.Touch(g, now); {
		case ok && twice != nil && g.Count == 1:
			v.first, v.twice = a, twice
		case ok:
			v.touched(a)
		}
	}
}

// answered() handles the gesture g after a tap that may become a double tap. If g is the second tap, it requests the action of the double
// tap and returns true. If g is a finger that touches down, the first tap still waits. Any other gesture ends the wait, so answered
// requests the action of the first tap.
func (v *View) answered(g touch.Gesture) bool {
	twice := v.twice
	if twice == nil || g.Kind == touch.Down {
		return false
	}
	v.twice = nil
	if g.Kind == touch.Tap && g.Count == 2 {
		v.touched(*twice)
		return true
	}
	v.touched(v.first)
	return false
}

// touched() requests the action of a widget that was touched.
func (v *View) touched(a control.Action) {
	v.ask(control.Caller{Via: "touch", From: a.By.From}, a)
}
