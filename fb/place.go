package fb

import (
	"fmt"
	"image"
)

// A Rotation is a clockwise rotation of the picture on the screen, in degrees: 0, 90, 180 or 270.
type Rotation int

// Validate returns an error unless r is one of the four rotations.
func (r Rotation) Validate() error {
	switch r {
	case 0, 90, 180, 270:
		return nil
	}
	return fmt.Errorf("fb: rotation %d is not 0, 90, 180 or 270", int(r))
}

// size returns the size that a device with w by h pixels has after rotation.
func (r Rotation) size(w, h int) image.Point {
	if r == 90 || r == 270 {
		return image.Pt(h, w)
	}
	return image.Pt(w, h)
}

// upright() returns the position on the upright screen for the device's pixel (x, y). w and h are the width and height of the device.
func (r Rotation) upright(x, y, w, h int) image.Point {
	switch r {
	case 90:
		return image.Pt(y, w-1-x)
	case 180:
		return image.Pt(w-1-x, h-1-y)
	case 270:
		return image.Pt(h-1-y, x)
	}
	return image.Pt(x, y)
}

// rect converts a rectangle of the upright screen to a rectangle of the device. w and h are the width and height of the device.
func (r Rotation) rect(u image.Rectangle, w, h int) image.Rectangle {
	switch r {
	case 90:
		return image.Rect(w-u.Max.Y, u.Min.X, w-u.Min.Y, u.Max.X)
	case 180:
		return image.Rect(w-u.Max.X, h-u.Max.Y, w-u.Min.X, h-u.Min.Y)
	case 270:
		return image.Rect(u.Min.Y, h-u.Max.X, u.Max.Y, h-u.Min.X)
	}
	return u
}

// A placement is the position of the frame on the upright screen.
type placement struct {
	frame  image.Point // size of frames
	screen image.Point // size of the screen after rotation
	target image.Point // size of the picture on the screen, which is the frame after scaling
	scaled bool        // true if frame and target have different sizes
	origin image.Point // position of the picture's top left corner. It may be negative
	shift  image.Point // vector from the picture's normal position to its present position
	edged  bool        // true if the picture's outermost pixels are repeated up to the edge of the screen
}

// newPlacement places a frame on a screen. If `frame` is zero, frames have the size of the screen, minus `shift` px on each side for the
// movement against burn-in.
func newPlacement(frame, screen image.Point, fullscreen bool, shift int) placement {
	room := image.Pt(2*shift, 2*shift)
	if room.X >= screen.X || room.Y >= screen.Y {
		room, shift = image.Point{}, 0
	}
	if frame == (image.Point{}) {
		frame = screen.Sub(room)
	}
	p := placement{frame: frame, screen: screen, target: frame}
	if fullscreen {
		p.target = screen.Sub(room)
		p.scaled = frame != p.target
	}
	left := screen.Sub(p.target)
	p.edged = shift > 0 && left.X >= 0 && left.Y >= 0 && left.X <= room.X && left.Y <= room.Y
	p.origin = left.Div(2)
	return p
}

// move sets the position of the picture. `by` is the vector from the picture's normal position to the new position.
func (p *placement) move(by image.Point) {
	p.origin, p.shift = p.origin.Sub(p.shift).Add(by), by
}

// bounds returns a rectangle with the size of the frame.
func (p placement) bounds() image.Rectangle { return image.Rectangle{Max: p.frame} }

// covered() returns the part of the upright screen that the frame covers.
func (p placement) covered() image.Rectangle {
	return image.Rectangle{Max: p.target}.Add(p.origin).Intersect(image.Rectangle{Max: p.screen})
}

// onTarget returns the part of the picture that changes if the rectangle r of the frame changes.
func (p placement) onTarget(r image.Rectangle) image.Rectangle {
	if !p.scaled {
		return r.Intersect(image.Rectangle{Max: p.target})
	}
	x0, x1 := spread(r.Min.X, r.Max.X, p.frame.X, p.target.X)
	y0, y1 := spread(r.Min.Y, r.Max.Y, p.frame.Y, p.target.Y)
	return image.Rect(x0, y0, x1, y1).Intersect(image.Rectangle{Max: p.target})
}

// onScreen returns the part of the upright screen that changes if the rectangle r of the frame changes.
func (p placement) onScreen(r image.Rectangle) image.Rectangle {
	r = p.onTarget(r)
	if r.Empty() {
		return image.Rectangle{}
	}
	if p.edged {
		return p.reach(r)
	}
	return r.Add(p.origin).Intersect(image.Rectangle{Max: p.screen})
}

// reach returns the part of the upright screen that shows the part r of the picture, including edge pixels that repeat it.
func (p placement) reach(r image.Rectangle) image.Rectangle {
	seen := r.Add(p.origin)
	if r.Min.X == 0 {
		seen.Min.X = 0
	}
	if r.Min.Y == 0 {
		seen.Min.Y = 0
	}
	if r.Max.X == p.target.X {
		seen.Max.X = p.screen.X
	}
	if r.Max.Y == p.target.Y {
		seen.Max.Y = p.screen.Y
	}
	return seen.Intersect(image.Rectangle{Max: p.screen})
}

// spread returns the range of pixels of a scaled row that depend on the pixels a to b-1 of the original row. n and m are the lengths of
// the original and the scaled row. Scaling uses a triangle filter. Its reach is one source pixel when it enlarges, and n/m source pixels
// when it shrinks. One more pixel on each side allows for rounding.
func spread(a, b, n, m int) (int, int) {
	support := 1 + (n+m-1)/m
	return (a-support)*m/n - 1, ((b+support)*m+n-1)/n + 1
}
