package outputs

import "image"

const (
	// quietMargin is the margin of a badge in an empty corner, in px if the short side of the screen has 720 px. At this size, the badge
	// is 14 px inside the edge of a card.
	quietMargin = 34
	// loudMargin is the margin of a badge that covers content, in the unit of quietMargin.
	loudMargin = 20
	// quietStep is the distance between two compared pixels, in px.
	quietStep = 3
	// quietShare is the limit for an empty area: at most 1 of quietShare compared pixels may differ from the next compared pixel.
	quietShare = 200
)

// quietCorner returns the place of a badge. It tries the corners lower left, lower right, upper left and upper right, and returns the first
// corner that is empty. If no corner is empty, it returns the lower right corner.
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

// quiet() reports whether an area is empty, which means that almost no neighboring pixels differ clearly. Slow gradients are empty too.
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

// differs() reports whether the colors of two pixels differ clearly.
func differs(a, b []uint8) bool {
	const near = 12 // maximum difference of two similar colors in each channel, from 0 to 255
	for i := range 3 {
		if d := int(a[i]) - int(b[i]); d > near || d < -near {
			return true
		}
	}
	return false
}
