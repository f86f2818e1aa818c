package view

import (
	"image"
	"sync"
	"time"

	"dashboard/control"
	"dashboard/control/touch"
	"dashboard/widgets/kit"
)

const (
	// maxGestures bounds what fingers did since the last pass: more than ten fingers do within one.
	maxGestures = 16
	// MaxAsked bounds the actions of touches and keys that are carried out at a time.
	MaxAsked = 4
)

// fingers are what touches of a view have begun.
type fingers struct {
	gestures gestures        // that the loop has not seen
	taken    []touch.Gesture // the loop's
	first    control.Action  // the loop's: of a tap that waits for a second one
	twice    *control.Action // the loop's: what two taps ask for; nil while none waits
}

// gestures are what fingers did on a view since its last pass. Moves that follow each other are one.
type gestures struct {
	mu  sync.Mutex
	all []touch.Gesture
}

// put appends g. If the queue is full, put drops g unless it ends a gesture.
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

// take empties the queue into dst.
func (q *gestures) take(dst []touch.Gesture) []touch.Gesture {
	q.mu.Lock()
	defer q.mu.Unlock()
	dst = append(dst[:0], q.all...)
	q.all = q.all[:0]
	return dst
}

// Touched takes over what a finger did on the view's screen.
func (v *View) Touched(g touch.Gesture) {
	v.gestures.put(g)
	v.Loop.Wake()
}

// TouchedFar takes over a touch at a point of the picture from elsewhere, given in shares of its sides. It is no sign of presence, and
// works while the screens are off.
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

// handle has the wall take what fingers did, at the start of a pass.
func (v *View) handle(now time.Time) {
	v.taken = v.gestures.take(v.taken)
	if len(v.taken) > 0 {
		v.Pages.Touched(now)
	}
	for _, g := range v.taken {
		if v.answered(g) {
			continue
		}
		root, ok := v.Shown.Load().Tree().Root.(*kit.Screen)
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

// answered carries out a tap that waited for a second one, if a gesture decides whether that came. It reports whether
// it did: the two taps mean one action together.
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

// touched requests the action of a touched widget.
func (v *View) touched(a control.Action) {
	v.ask(control.Caller{Via: "touch", From: a.By.From}, a)
}
