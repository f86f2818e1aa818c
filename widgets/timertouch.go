package widgets

import "image"

// tap implements tappable: a preset begins a run of its length, and all else starts or stops the timer.
func (w *timerWidget) tap(p image.Point) (Wish, bool) {
	name := w.timer.Name()
	for i, r := range w.plates {
		if p.In(r.Inset(-r.Dy() / 4)) { // a fingertip is wider than a plate is high
			return Wish{Timer: name, Length: w.presets[i]}, true
		}
	}
	return Wish{Timer: name}, !w.asked
}
