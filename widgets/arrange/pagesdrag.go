package arrange

import (
	"time"

	"dashboard/render"
)

// Drag moves the pages with a finger that is the given px to the right of its first place, or to the left below 0. The
// adjacent page comes in. If motion is off, or no other page is in turn, they stay.
func (w *pages) Drag(by int) {
	way, to := 1, render.Left
	if by > 0 {
		way, to = -1, render.Right
	}
	if w.motion.motion == render.Cut {
		return
	}
	if by == 0 {
		if w.motion.held {
			w.motion.progress = 0
		}
		return
	}
	beside := w.place.Beside(way)
	if beside == w.current {
		return
	}
	fresh := !w.hauled || beside != w.beside || !w.motion.held
	w.hauled, w.beside = true, beside
	w.motion.drag(w.current, to, fresh, float64(max(by, -by))/float64(w.size.X))
	w.way = way
}

// Several implements kit.Turner.
func (w *pages) Several() bool { return len(w.children) > 1 }

// LetGo ends a drag: the adjacent page comes in fully, or returns. Pages that did not move turn as they do by hand.
func (w *pages) LetGo(now time.Time, turn bool, way int) {
	switch {
	case !w.hauled || !w.motion.held:
		if turn {
			w.place.Turn(way, now)
		}
	case turn && w.place.Turn(w.way, now):
		w.hauled = false
		w.motion.release(now, false)
		w.current = w.beside
	default:
		w.motion.release(now, true)
	}
}
