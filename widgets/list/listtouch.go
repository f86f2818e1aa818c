package list

import (
	"image"

	"dashboard/control"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/speech"
)

// Tap implements kit.Tappable. It returns the action of the row.
func (w *List) Tap(p image.Point) (control.Action, bool) {
	for _, s := range w.slots {
		if s.used && p.In(s.rect) && s.item != nil && s.item.OnTap != nil {
			return s.asked()
		}
	}
	return control.Action{}, false
}

// asked() returns the action for a tap on a row. It returns false if the row has no action.
func (r *listRow) asked() (control.Action, bool) {
	switch {
	case r.item == nil || r.item.OnTap == nil:
		return control.Action{}, false
	case r.item.OnTap.Verb == control.Toggle:
		return control.Toggled(r.item.Entity.ID, r.item.Provider), true
	case ticks(r.item):
		return r.from.tick()
	}
	return *r.item.OnTap, true
}

// Handles implements kit.Handled.
func (w *List) Handles(each func(r image.Rectangle, a *control.Action, speak func(*speech.Speech))) {
	for n, s := range w.slots {
		row := w.pager.from + n
		if !s.used || row >= len(w.src.rows) {
			continue
		}
		if a, ok := s.asked(); ok {
			each(s.rect, &a, func(words *speech.Speech) { w.row(words, row) })
		}
	}
}

// checkTap checks the action of a row: `done` needs an entry with a task, and `toggle` needs an entity. `entries` is true if r is the
// form of a program's entries.
func checkTap(b *kit.Builder, s *kit.Spec, r *RowItem, entries bool) {
	switch a := r.OnTap; {
	case ticks(r) && !entries:
		s.Complain("on_tap", "done is about the task of an entry: write items: !data PROGRAM and 'item' with on_tap: done")
	case a == nil, ticks(r):
	case a.Verb == control.Toggle && r.Entity == nil:
		s.Complain("on_tap", "toggle is about the row's own entity, and it has none: write 'entity' beside it, or {action: light.toggle, entity: light.hall}")
	case a.Verb != control.Toggle:
		b.CheckAction(s, "on_tap", a)
	}
}
