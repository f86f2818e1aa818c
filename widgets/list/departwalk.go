package list

import (
	"image"
	"math"
	"time"

	"dashboard/widgets/kit"
)

const walkIcon = "mdi:walk"

// walkState returns the state that the title line shows: the time to walk to the stop. The note in the file has priority.
func (w *departures) walkState() kit.State {
	n := int(math.Ceil(time.Duration(w.p.Walk).Minutes()))
	if n == 0 || w.p.Note != nil {
		return kit.State{}
	}
	l := w.b.Locale
	words := append(l.AppendNumber(nil, float64(n), 0, false), ' ')
	return kit.State{Icon: walkIcon, Word: string(words) + l.UnitOfTime(time.Minute, n), Color: w.b.Role("muted")}
}

// State implements kit.Stated.
func (w *departures) State() kit.State { return w.walk }

// HasHead implements kit.Stated.
func (w *departures) HasHead() { w.walk = w.walkState() }

// Painted implements kit.Stated. Its result leaves no place for the icon outside the title line.
func (w *departures) Painted() (value, below image.Rectangle) {
	const far = 1 << 20
	return image.Rect(-far, -far, far, far), image.Rectangle{}
}
