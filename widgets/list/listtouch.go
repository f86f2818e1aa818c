package list

import (
	"image"

	"dashboard/control"
	"dashboard/widgets/kit"
)

// Tap implements kit.Tappable: a row runs its own action.
func (w *List) Tap(p image.Point) (control.Action, bool) {
	for _, s := range w.slots {
		if !s.used || !p.In(s.rect) || s.item == nil || s.item.OnTap == nil {
			continue
		}
		return asked(s.item), true
	}
	return control.Action{}, false
}

// asked is the action of a row that has one.
func asked(r *RowItem) control.Action {
	if r.OnTap.Verb == control.Toggle {
		return control.Toggled(r.Entity.ID, r.Provider)
	}
	return *r.OnTap
}

// Handles implements kit.Handled.
func (w *List) Handles(each func(r image.Rectangle, a *control.Action, speak func(*kit.Speech))) {
	for n, s := range w.slots {
		row := w.pager.from + n
		if s.used && s.item != nil && s.item.OnTap != nil && row < len(w.src.rows) {
			a := asked(s.item)
			each(s.rect, &a, func(words *kit.Speech) { w.row(words, row) })
		}
	}
}

// checkTap requires the subject of a row's action.
func checkTap(b *kit.Builder, s *kit.Spec, r *RowItem) {
	if a := r.OnTap; a != nil && a.Verb == control.Toggle && r.Entity == nil {
		s.Complain("on_tap", "toggle is about the row's own entity, and it has none: write 'entity' beside it, or {action: light.toggle, entity: light.hall}")
	} else if a != nil && a.Verb != control.Toggle {
		b.CheckAction(s, "on_tap", a)
	}
}
