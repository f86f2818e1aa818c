package clock

import (
	"image"

	"dashboard/control"
	"dashboard/control/verb"
)

// Tap implements kit.Tappable: a preset begins a run of its length, and all else starts or stops the timer.
func (w *timerWidget) Tap(p image.Point) (control.Action, bool) {
	name := w.timer.Name()
	for i, r := range w.plates {
		if p.In(r.Inset(-r.Dy() / 4)) { // a fingertip is wider than a plate is high
			return control.Action{Verb: "timer", Args: verb.Args{"name": name, "action": "start", "duration": w.presets[i]}}, true
		}
	}
	return control.Action{Verb: "timer", Args: verb.Args{"name": name, "action": "toggle"}}, !w.asked
}
