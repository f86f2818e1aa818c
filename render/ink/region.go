package ink

import "image"

// A Region is a part of a frame that is shown in one way.
type Region struct {
	Rect  image.Rectangle // px of the frame
	Photo bool            // dithered. Else each pixel is the nearest ink
}

// MaxRegions bounds the regions of a frame. A wall with more photos at once shows those beyond it in flat inks.
const MaxRegions = 32

// Regions is the photos of a frame, and what lies over them: where two overlap the later one counts. Outside of them all is
// flat. The zero value is empty. It may be copied and never allocates.
type Regions struct {
	n    int
	list [MaxRegions]Region
}

// Add adds a region over those before it. A flat region with no photo under it changes nothing.
func (r *Regions) Add(add Region) {
	if add.Rect.Empty() || r.n == MaxRegions || !add.Photo && !r.over(add.Rect) {
		return
	}
	r.list[r.n] = add
	r.n++
}

// over reports whether there is a photo under a rectangle.
func (r *Regions) over(rect image.Rectangle) bool {
	for _, have := range r.list[:r.n] {
		if have.Photo && have.Rect.Overlaps(rect) {
			return true
		}
	}
	return false
}

// Reset empties it.
func (r *Regions) Reset() { r.n = 0 }

// List returns the added rectangles, the lowest first. The slice holds until the next Add or Reset.
func (r *Regions) List() []Region { return r.list[:r.n:r.n] }

// Turn turns all regions by 180 degrees about the middle of a frame.
func (r *Regions) Turn(frame image.Rectangle) {
	both := frame.Min.Add(frame.Max)
	for i := range r.list[:r.n] {
		at := r.list[i].Rect
		r.list[i].Rect = image.Rectangle{Min: both.Sub(at.Max), Max: both.Sub(at.Min)}
	}
}
