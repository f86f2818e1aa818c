package ink

import "image"

// A Region is a part of a frame that is either dithered or flat.
type Region struct {
	Rect  image.Rectangle // rectangle in px of the frame
	Photo bool            // the region is dithered. Otherwise each pixel becomes the nearest ink
}

// MaxRegions bounds the regions of a frame. On a wall with more photos, the further ones are shown in flat inks.
const MaxRegions = 32

// Regions holds the photos of a frame and the content over them. If two regions overlap, the later one counts. Pixels outside of
// all regions are flat. The zero value is empty. It may be copied and never allocates.
type Regions struct {
	n    int
	list [MaxRegions]Region
}

// Add adds a region over the earlier ones. A flat region without a photo under it changes nothing.
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

// List returns the regions, the lowest first. The slice is valid until the next Add or Reset.
func (r *Regions) List() []Region { return r.list[:r.n:r.n] }

// Turn rotates all regions by 180 degrees about the center of a frame.
func (r *Regions) Turn(frame image.Rectangle) {
	both := frame.Min.Add(frame.Max)
	for i := range r.list[:r.n] {
		at := r.list[i].Rect
		r.list[i].Rect = image.Rectangle{Min: both.Sub(at.Max), Max: both.Sub(at.Min)}
	}
}
