package calendar

import (
	"image"

	"dashboard/control"
	"dashboard/widgets/kit/speech"
)

// Tap implements kit.Tappable. A tap on the row of a task completes the task or reopens it.
func (w *agenda) Tap(p image.Point) (control.Action, bool) {
	for _, r := range w.slots[:w.used] {
		if a, ok := r.tick(); ok && p.In(r.rect) {
			return a, true
		}
	}
	return control.Action{}, false
}

// tick() returns the action that completes or reopens the task of a row. It returns false if the row shows no task, or if the task cannot
// be changed.
func (r *agendaRow) tick() (control.Action, bool) {
	if r.isHeading() || r.entry.event.Task == nil || r.entry.event.Task.Key == "" {
		return control.Action{}, false
	}
	return control.Ticked(r.entry.event.Task.Key, r.entry.event.Task.Done), true
}

// Handles implements kit.Handled.
func (w *agenda) Handles(each func(r image.Rectangle, a *control.Action, speak func(*speech.Speech))) {
	for _, r := range w.slots[:w.used] {
		if a, ok := r.tick(); ok {
			each(r.rect, &a, func(words *speech.Speech) { w.entry(words, r.entry) })
		}
	}
}
