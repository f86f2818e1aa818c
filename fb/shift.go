package fb

import (
	"image"
	"time"
)

// shiftInterval is the time between two positions of the picture, which are one pixel apart.
const shiftInterval = time.Minute

// MaxShift bounds the distance, in px, that the picture is moved.
const MaxShift = 16

// walk returns the path of a picture that moves against burn-in. It visits every position that is at most r px from the center, in
// steps of one pixel: outwards in a square spiral and back the same way. The mean of all positions is the center.
func walk(r int) []image.Point {
	n := (2*r + 1) * (2*r + 1)
	way := make([]image.Point, 0, 2*n)
	at, step := image.Point{}, image.Pt(1, 0)
	for side := 1; len(way) < n; side++ {
		for range 2 {
			for range side {
				if len(way) < n {
					way = append(way, at)
				}
				at = at.Add(step)
			}
			step = image.Pt(-step.Y, step.X)
		}
	}
	for i := n - 1; i >= 0; i-- {
		way = append(way, way[i])
	}
	return way
}

// shiftTo sets the distance of the picture from its normal position. It takes effect at the next draw of the whole frame.
func (d *Display) shiftTo(by image.Point) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wanted = by
}

// shift moves the picture if that is due and the rectangles are the whole frame.
func (d *Display) shift(rs []image.Rectangle) {
	if d.wanted == d.place.shift || len(rs) == 0 || !d.place.bounds().In(rs[0]) {
		return
	}
	d.told.Lock()
	d.place.move(d.wanted)
	d.told.Unlock()
	d.forget()
}

// edges repeats the picture's outermost pixels up to the edge of the screen, where the part r of the picture ends at the picture's
// edge. Pixel p of the picture is pixel p+at of src.
func (d *Display) edges(src *image.RGBA, at image.Point, r image.Rectangle) {
	p := &d.place
	if !p.edged {
		return
	}
	inner, outer := image.Rectangle{Min: p.origin, Max: p.origin.Add(p.target)}, p.reach(r)
	seen := r.Add(p.origin)
	for _, edge := range [...]image.Rectangle{
		image.Rect(outer.Min.X, outer.Min.Y, outer.Max.X, inner.Min.Y),
		image.Rect(outer.Min.X, inner.Max.Y, outer.Max.X, outer.Max.Y),
		image.Rect(outer.Min.X, seen.Min.Y, inner.Min.X, seen.Max.Y),
		image.Rect(inner.Max.X, seen.Min.Y, outer.Max.X, seen.Max.Y),
	} {
		edge = edge.Intersect(outer)
		if edge.Empty() {
			continue
		}
		d.continued(src, at, edge)
		d.painter.paint(&d.strip, edge.Min.Mul(-1), edge)
	}
}

// continued fills the strip at an edge. Each pixel is a copy of the nearest pixel of the picture.
func (d *Display) continued(src *image.RGBA, at image.Point, edge image.Rectangle) {
	w, p := edge.Dx(), &d.place
	d.strip.Pix, d.strip.Stride, d.strip.Rect = d.strip.Pix[:4*w*edge.Dy()], 4*w, image.Rectangle{Max: edge.Size()}
	for y := edge.Min.Y; y < edge.Max.Y; y++ {
		to := d.strip.Pix[4*w*(y-edge.Min.Y):][:4*w]
		from := at.Y + within(y-p.origin.Y, p.target.Y)
		for x := edge.Min.X; x < edge.Max.X; x++ {
			i := src.PixOffset(at.X+within(x-p.origin.X, p.target.X), from)
			copy(to[4*(x-edge.Min.X):][:4], src.Pix[i:i+4])
		}
	}
}
