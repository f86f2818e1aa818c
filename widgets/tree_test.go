package widgets

import "image"

// differ() returns the first pixel at which two pictures differ.
func differ(a, b *image.RGBA) (image.Point, bool) {
	for i := range a.Pix {
		if a.Pix[i] != b.Pix[i] {
			return image.Pt(i%a.Stride/4, i/a.Stride), true
		}
	}
	return image.Point{}, false
}
