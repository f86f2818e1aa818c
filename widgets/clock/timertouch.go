package clock

import (
	"image"

	"dashboard/control"
	"dashboard/control/verb"
)

// Tap implements kit.Tappable. A tap on a preset starts the timer with the duration of the preset. Any other tap starts or stops the
// timer, unless the file defines an action for taps.
func (w *timerWidget) Tap(p image.Point) (control.Action, bool) {
	name := w.timer.Name()
	for i, r := range w.plates {
		if p.In(r.Inset(-r.Dy() / 4)) { // the touch area is larger than the plate, because a fingertip is wider than the plate is high
			return control.Action{Verb: "timer", Args: verb.Args{"name": name, "action": "start", "duration": w.presets[i]}}, true
		}
	}
	return control.Action{Verb: "timer", Args: verb.Args{"name": name, "action": "toggle"}}, !w.asked
}
