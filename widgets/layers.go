package widgets

import "image"

// layers returns what is drawn over the widgets of a screen: notifications, the banner and the sign.
func layers(b *Builder, size image.Point) (all []Layer) {
	if w := b.newOverlay(size); w != nil {
		all = append(all, w)
	}
	if w := newBanner(&b.Env, size); w != nil {
		all = append(all, w)
	}
	if w := newSign(&b.Env, size); w != nil {
		all = append(all, w)
	}
	return all
}
