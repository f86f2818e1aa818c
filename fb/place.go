package fb

import (
	"fmt"
	"image"
)

// A Rotation turns the picture clockwise on the screen, in degrees: 0, 90, 180
// or 270.
type Rotation int

// Validate reports whether r is one of the four rotations.
func (r Rotation) Validate() error {
	switch r {
	case 0, 90, 180, 270:
		return nil
	}
	return fmt.Errorf("fb: rotation %d is not 0, 90, 180 or 270", int(r))
}

// size returns the upright size of a screen that is w by h pixels as the device
// sees it.
func (r Rotation) size(w, h int) image.Point {
	if r == 90 || r == 270 {
		return image.Pt(h, w)
	}
	return image.Pt(w, h)
}

// upright returns the upright position that the device shows at (x, y), where
// w and h are the device's width and height.
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

// rect returns the device's rectangle of an upright one; w and h are the
// device's width and height.
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

// A placement says where the frame lies on the upright screen.
type placement struct {
	frame  image.Point // size of the frame
	screen image.Point // upright size of the screen
	scaled bool        // the frame is scaled to the screen
	origin image.Point // where the frame's 0,0 lies; may be negative
}

// newPlacement places a frame; the zero frame has the size of the screen.
func newPlacement(frame, screen image.Point, fullscreen bool) placement {
	if frame == (image.Point{}) {
		frame = screen
	}
	p := placement{frame: frame, screen: screen}
	if fullscreen {
		p.scaled = frame != screen
		return p
	}
	p.origin = screen.Sub(frame).Div(2)
	return p
}

// bounds returns the frame's rectangle, from 0,0.
func (p placement) bounds() image.Rectangle { return image.Rectangle{Max: p.frame} }

// covered returns the part of the upright screen that shows the frame.
func (p placement) covered() image.Rectangle {
	all := image.Rectangle{Max: p.screen}
	if p.scaled {
		return all
	}
	return p.bounds().Add(p.origin).Intersect(all)
}

// onScreen returns the upright rectangle in which a change of the frame's
// rectangle r can be seen.
func (p placement) onScreen(r image.Rectangle) image.Rectangle {
	all := image.Rectangle{Max: p.screen}
	if !p.scaled {
		return r.Add(p.origin).Intersect(all)
	}
	x0, x1 := spread(r.Min.X, r.Max.X, p.frame.X, p.screen.X)
	y0, y1 := spread(r.Min.Y, r.Max.Y, p.frame.Y, p.screen.Y)
	return image.Rect(x0, y0, x1, y1).Intersect(all)
}

// spread maps the pixels a..b of a row of n onto one of m, with everything that
// a triangle filter lets them touch: its support is one source pixel when
// enlarging and n/m of them when shrinking. One more pixel on either side
// covers rounding in any scaler.
func spread(a, b, n, m int) (int, int) {
	support := 1 + (n+m-1)/m
	return (a-support)*m/n - 1, ((b+support)*m+n-1)/n + 1
}
