// Package notice draws over the whole wall: notifications, the banner and the sign.
package notice

import (
	"image"

	"dashboard/widgets/kit"
)

// Layers returns the layers over the widgets of a screen: notifications, the banner and the sign.
func Layers(b *kit.Builder, size image.Point) (all []kit.Layer) {
	if w := newOverlay(b, size); w != nil {
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
