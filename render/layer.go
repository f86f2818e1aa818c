package render

import (
	"image"
	"image/color"

	"dashboard/render/blend"
)

// Layer is a separate picture for content that moves, is transparent, or is mixed with other content. It is premultiplied RGBA. Unpainted
// pixels are transparent.
type Layer struct {
	// Opaque is true if the content covers the whole layer. Then its rows are copied instead of blended.
	Opaque bool

	pic *image.RGBA
}

// NewLayer returns an empty layer of the given size in px.
func NewLayer(size image.Point) *Layer {
	return &Layer{pic: image.NewRGBA(image.Rectangle{Max: size})}
}

// Bounds returns the layer's rectangle, whose top left corner is (0,0).
func (l *Layer) Bounds() image.Rectangle { return l.pic.Rect }

// Begin returns a canvas for the content, clipped to r. If the layer is not Opaque, Begin first clears r. `base` is the position of the
// layer's (0,0) on the frame.
func (l *Layer) Begin(r image.Rectangle, base image.Point) Canvas {
	c := Canvas{Dst: l.pic, Clip: r.Intersect(l.pic.Rect), Base: base}
	if !l.Opaque {
		c.Set(l.pic.Rect, color.RGBA{})
	}
	return c
}

// Show blends the layer onto c with its top left corner at p. Its opacity is multiplied by opacity/255.
func (l *Layer) Show(c Canvas, p image.Point, opacity uint8) {
	if opacity == 255 {
		c.Image(p, l.pic, l.Opaque)
		return
	}
	c.ImageAs(p, l.pic, opacity)
}

// Motion is the kind of movement with which new content replaces the old content.
type Motion uint8

// The motions.
const (
	Cut     Motion = iota // without an animation
	Slide                 // the new content slides over the old content, which moves a quarter of the way and becomes darker
	Push                  // the new content pushes the old content out
	Fade                  // the old content fades into the new content
	Through               // the old content fades out, then the new content fades in, so that two texts never overlap
)

// slideBehind and slideShade set the movement and the darkening of the old content in a Slide. `leaving` is the part of a Through during
// which the old content fades out.
const (
	slideBehind = 4          // the old content moves 1/slideBehind of the way
	slideShade  = 102        // final alpha of the black over the old content, which then has 60 % of its brightness
	leaving     = 100. / 360 // share of the transition, for example 100 ms of 360 ms
)

// Direction is a direction of movement.
type Direction uint8

// The directions.
const (
	Left Direction = iota
	Right
	Up
	Down
)

// unit returns a vector of one pixel in the direction d.
func (d Direction) unit() image.Point {
	return [...]image.Point{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}[d&3]
}

// Transition shows the change from one content to the next. NewTransition allocates all its memory: two layers and a row.
type Transition struct {
	Motion Motion
	To     Direction
	// Last and Next are the pictures at the start and at the end of the transition. Paint the content on them with Begin.
	Last, Next *Layer

	row []uint8
}

// NewTransition returns a transition between contents of the given size in px.
func NewTransition(size image.Point, m Motion, to Direction) *Transition {
	return &Transition{Motion: m, To: to, Last: NewLayer(size), Next: NewLayer(size), row: make([]uint8, 4*size.X)}
}

// Reset prepares t for another transition between contents of the same size. It reuses t's memory.
func (t *Transition) Reset(m Motion, to Direction) {
	t.Motion, t.To = m, to
	t.Last.Opaque, t.Next.Opaque = false, false
}

// Step converts a progress (0 to 1) to a step number. The transition needs a repaint only when this number changes.
func (t *Transition) Step(progress float64) int {
	return int(min(1, max(0, progress))*float64(t.steps()) + 0.5)
}

// steps() returns the number of the last step.
func (t *Transition) steps() int {
	switch size := t.Next.Bounds().Size(); {
	case t.Motion == Fade, t.Motion == Through:
		return blend.Steps
	case t.Motion == Cut:
		return 1
	case t.To == Up || t.To == Down:
		return size.Y
	default:
		return size.X
	}
}

// Paint paints the transition at the given progress (0 to 1) onto c.
func (t *Transition) Paint(c Canvas, progress float64) {
	step := t.Step(progress)
	c = c.In(t.Next.Bounds())
	switch t.Motion {
	case Fade:
		t.fade(c, step)
	case Cut:
		t.at(step).Show(c, image.Point{}, 255)
	case Through:
		t.through(c, step)
	case Slide:
		last, next := t.places(step)
		c := c
		over := c
		c.Clip = c.Clip.Intersect(uncovered(t.Next.Bounds(), next).Add(c.Org))
		t.Last.Show(c, last.Div(slideBehind), 255)
		c.Fill(t.Next.Bounds(), color.RGBA{A: uint8(slideShade * step / max(1, t.steps()))})
		t.Next.Show(over, next, 255)
	case Push:
		last, next := t.places(step)
		t.Last.Show(c, last, 255)
		t.Next.Show(c, next, 255)
	}
}

// uncovered() returns the part of the rectangle `all` that is outside a copy of `all` moved by the vector `by`. The move is along one
// axis. The old content is painted only in this part, so it does not show through transparent pixels of the new content.
func uncovered(all image.Rectangle, by image.Point) image.Rectangle {
	switch {
	case by.X > 0:
		all.Max.X = by.X
	case by.X < 0:
		all.Min.X = all.Max.X + by.X
	case by.Y > 0:
		all.Max.Y = by.Y
	case by.Y < 0:
		all.Min.Y = all.Max.Y + by.Y
	default:
		return image.Rectangle{}
	}
	return all
}

func (t *Transition) at(step int) *Layer {
	if step == 0 {
		return t.Last
	}
	return t.Next
}

// places() returns the positions of the layers Last and Next after a movement of `step` px.
func (t *Transition) places(step int) (last, next image.Point) {
	u, size := t.To.unit(), t.Next.Bounds().Size()
	last = u.Mul(step)
	return last, last.Sub(image.Pt(u.X*size.X, u.Y*size.Y))
}

// through() fades the layer Last out, and then fades the layer Next in.
func (t *Transition) through(c Canvas, step int) {
	const turn = leaving * blend.Steps
	if at := float64(step); at < turn {
		t.Last.Show(c, image.Point{}, uint8(255*(1-at/turn)))
	} else {
		t.Next.Show(c, image.Point{}, uint8(255*(at-turn)/(blend.Steps-turn)))
	}
}

// fade mixes the layers row by row.
func (t *Transition) fade(c Canvas, step int) {
	r := c.local(t.Next.Bounds())
	opaque := t.Last.Opaque && t.Next.Opaque
	for y := r.Min.Y; y < r.Max.Y; y++ {
		from := r.Sub(c.Org)
		last, next := rowOf(t.Last.pic, from, y-c.Org.Y), rowOf(t.Next.pic, from, y-c.Org.Y)
		if opaque {
			blend.Fade(rowOf(c.Dst, r, y), last, next, step)
			continue
		}
		row := t.row[:4*r.Dx()]
		blend.Fade(row, last, next, step)
		blend.Over(rowOf(c.Dst, r, y), row)
	}
}
