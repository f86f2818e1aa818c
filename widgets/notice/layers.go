// Package notice draws the layers above the whole wall: the notifications, the banner, and the sign, which is a message that fills the
// screen.
package notice

import (
	"image"

	"dashboard/widgets/kit"
)

// Layers returns the layers above the widgets of a screen: the notifications, the banner and the sign.
func Layers(b *kit.Builder, size image.Point) (all []kit.Layer) {
	notices := newOverlay(b, size)
	if notices != nil {
		all = append(all, notices)
	}
	switch {
	case b.Banner == nil:
	case b.Themed || b.Modern:
		banner := newThemedBanner(b, size)
		if notices != nil {
			notices.below = banner
		}
		all = append(all, banner)
	default:
		all = append(all, newBanner(&b.Env, size))
	}
	if w := newSign(&b.Env, size); w != nil {
		all = append(all, w)
	}
	return all
}
