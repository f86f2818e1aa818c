package clock

import (
	"image"

	"dashboard/widgets/kit"
)

// Tap implements kit.Tappable: a preset begins a run of its length, and all else starts or stops the timer.
func (w *timerWidget) Tap(p image.Point) (kit.Wish, bool) {
	name := w.timer.Name()
	for i, r := range w.plates {
		if p.In(r.Inset(-r.Dy() / 4)) { // a fingertip is wider than a plate is high
			return kit.Wish{Timer: name, Length: w.presets[i]}, true
		}
	}
	return kit.Wish{Timer: name}, !w.asked
}
