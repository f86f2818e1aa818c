package list

import (
	"image"

	"dashboard/widgets/kit"
)

// Tap implements kit.Tappable: a row runs its own action.
func (w *List) Tap(p image.Point) (kit.Wish, bool) {
	for _, s := range w.slots {
		if !s.used || !p.In(s.rect) || s.item == nil || s.item.OnTap == nil {
			continue
		}
		wish := kit.Wish{Action: s.item.OnTap}
		if wish.Action.Toggle {
			wish.Entity, wish.Provider = s.item.Entity, s.item.Provider
		}
		return wish, true
	}
	return kit.Wish{}, false
}

// checkTap wants what the action of a row is about.
func checkTap(b *kit.Builder, s *kit.Spec, r *RowItem) {
	if a := r.OnTap; a != nil && a.Toggle && r.Entity == nil {
		s.Complain("on_tap", "toggle is about the row's own entity, and it has none: write 'entity' beside it, or {action: light.toggle, entity: light.hall}")
	} else if a != nil && !a.Toggle {
		b.CheckAction(s, "on_tap", a)
	}
}
