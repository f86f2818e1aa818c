package arrange

import (
	"time"

	"dashboard/render"
)

// Drag moves the current page with a finger while the adjacent page moves in. `by` is the distance in px from the point where the drag
// started. A distance to the left is negative. The pages do not move if motion is off or if no other page can be shown.
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

// Several implements screen.Turner.
func (w *pages) Several() bool { return len(w.children) > 1 }

// LetGo ends a drag. If `turn` is true, the adjacent page moves in completely. Otherwise, it moves back. If `turn` is true and the pages
// did not move during the drag, they turn with the usual transition. The parameter `way` is the direction of this turn: 1 is to the next
// page, -1 is to the previous page.
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
