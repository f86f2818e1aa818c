package outputs

import "image"

const (
	// quietMargin is the margin of a badge from the edge, px at a shorter side of 720 px: 14 px inside of a card there.
	quietMargin = 34
	// loudMargin is the margin in a corner in which it covers something.
	loudMargin = 20
	// quietStep is the distance of the pixels that are compared.
	quietStep = 3
	// quietShare bounds the pixels of other colors in an empty area: one in this many.
	quietShare = 200
)

// quietCorner returns the place of a badge on a wall: the first of the lower left, lower right, upper left and upper right corner in
// which it covers nothing painted, otherwise the lower right one.
func quietCorner(wall *image.RGBA, badge image.Point, turned bool) image.Rectangle {
	size := wall.Rect.Size()
	shorter := min(size.X, size.Y)
	margin := quietMargin * shorter / 720
	far := size.Sub(badge).Sub(image.Pt(margin, margin))
	for _, at := range []image.Point{{margin, far.Y}, far, {margin, margin}, {far.X, margin}} {
		place := image.Rectangle{Min: at, Max: at.Add(badge)}
		seen := place
		if turned {
			seen = image.Rectangle{Min: size.Sub(place.Max), Max: size.Sub(place.Min)}
		}
		if quiet(wall, seen.Add(wall.Rect.Min)) {
			return place
		}
	}
	margin = loudMargin * shorter / 720
	at := size.Sub(badge).Sub(image.Pt(margin, margin))
	return image.Rectangle{Min: at, Max: at.Add(badge)}
}

// quiet reports whether an area has hardly more than one color: slow gradients count as one.
func quiet(wall *image.RGBA, area image.Rectangle) bool {
	if !area.In(wall.Rect) {
		return false
	}
	all, other := 0, 0
	for y := area.Min.Y; y < area.Max.Y; y += quietStep {
		for x := area.Min.X; x < area.Max.X-quietStep; x += quietStep {
			all++
			if differs(wall.Pix[wall.PixOffset(x, y):], wall.Pix[wall.PixOffset(x+quietStep, y):]) {
				other++
			}
		}
	}
	return other*quietShare <= all
}

// differs reports whether two pixels are of clearly different colors.
func differs(a, b []uint8) bool {
	const near = 12 // of 255, in one channel
	for i := range 3 {
		if d := int(a[i]) - int(b[i]); d > near || d < -near {
			return true
		}
	}
	return false
}
