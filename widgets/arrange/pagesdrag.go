package arrange

import (
	"time"

	"dashboard/render"
)

// Drag moves the pages with a finger. by is the finger's distance from its start, in px, negative to the left. The adjacent page
// moves in. If motion is off, or no other page is in turn, the pages do not move.
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

// LetGo ends a drag. If turn is true, the adjacent page moves in completely, otherwise it returns. Pages that the drag did not
// move turn without it.
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
