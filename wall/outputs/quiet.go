package outputs

import "image"

const (
	// quietMargin is the margin of a badge in an empty corner, in px for a short side of 720 px. It leaves 14 px to the edge of a card.
	quietMargin = 34
	// loudMargin is the margin of a badge that covers content.
	loudMargin = 20
	// quietStep is the distance between compared pixels.
	quietStep = 3
	// quietShare limits the pixels of other colors in an empty area. At most one of quietShare pixels has another color.
	quietShare = 200
)

// quietCorner returns the rectangle of a badge. It is in the first corner where the badge covers no content: lower left, lower right, upper
// left, upper right. If there is no such corner, the badge is at the lower right.
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

// quiet reports whether an area has almost only one color. Slow gradients count as one color.
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

// differs reports whether the colors of two pixels differ clearly.
func differs(a, b []uint8) bool {
	const near = 12 // maximum difference in one channel, from 0 to 255
	for i := range 3 {
		if d := int(a[i]) - int(b[i]); d > near || d < -near {
			return true
		}
	}
	return false
}
