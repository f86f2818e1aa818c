package fb

import (
	"image"
	"time"
)

// shiftInterval is the time between two movements of the picture by one pixel.
const shiftInterval = time.Minute

// MaxShift bounds how far the picture moves from its normal position, in px.
const MaxShift = 16

// walk returns the positions of a picture that moves to prevent burn-in, in order. The result contains every position up to r px from the
// center in each direction. Neighboring positions are one pixel apart. The picture moves outwards in a square spiral, and back on the same
// way. The center is the mean of all positions.
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

// shiftTo requests a position of the picture, as a vector from its normal position. The next draw of the whole frame moves the picture.
func (d *Display) shiftTo(by image.Point) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wanted = by
}

// shift moves the picture to the requested position if rs is the whole frame.
func (d *Display) shift(rs []image.Rectangle) {
	if d.wanted == d.place.shift || len(rs) == 0 || !d.place.bounds().In(rs[0]) {
		return
	}
	d.told.Lock()
	d.place.move(d.wanted)
	d.told.Unlock()
	d.forget()
}

// edges() paints the pixels between the picture and the edge of the screen. These pixels repeat the picture's outermost pixels. edges()
// paints only the pixels that depend on the part r of the picture. Pixel p of the picture is pixel p+at of src.
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

// continued() fills d.strip with the pixels for `edge`, a rectangle at the edge of the screen. Each pixel of the strip is a copy of the
// nearest pixel of the picture.
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
