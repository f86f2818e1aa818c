package widgets

import "image"

// tap implements tappable: a row does what is written for it.
func (w *list) tap(p image.Point) (Wish, bool) {
	for _, s := range w.slots {
		if !s.used || !p.In(s.rect) || s.item == nil || s.item.OnTap == nil {
			continue
		}
		wish := Wish{Action: s.item.OnTap}
		if wish.Action.Toggle {
			wish.Entity, wish.Provider = s.item.Entity, s.item.Provider
		}
		return wish, true
	}
	return Wish{}, false
}
