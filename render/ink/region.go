package ink

import "image"

// A Region is a part of a frame that is dithered or flat.
type Region struct {
	Rect  image.Rectangle // rectangle in px, in frame coordinates
	Photo bool            // true: the region is dithered. false: each pixel becomes the nearest ink
}

// MaxRegions bounds the regions of a frame. Further photos of the wall are not dithered.
const MaxRegions = 32

// Regions lists the photos of a frame and the content that covers parts of them. If two regions overlap, the later region counts. Pixels
// outside all regions are not dithered. The zero value is empty. A Regions value may be copied. Its methods never allocate memory.
type Regions struct {
	n    int
	list [MaxRegions]Region
}

// Add adds a region on top of the earlier regions. A region that is not a photo and covers no photo is ignored.
func (r *Regions) Add(add Region) {
	if add.Rect.Empty() || r.n == MaxRegions || !add.Photo && !r.over(add.Rect) {
		return
	}
	r.list[r.n] = add
	r.n++
}

// over() reports whether `rect` overlaps a photo.
func (r *Regions) over(rect image.Rectangle) bool {
	for _, have := range r.list[:r.n] {
		if have.Photo && have.Rect.Overlaps(rect) {
			return true
		}
	}
	return false
}

// None reports whether there are no regions.
func (r *Regions) None() bool { return r.n == 0 }

// Reset removes all regions.
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
