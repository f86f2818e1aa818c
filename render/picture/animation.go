package picture

import (
	"image"
	"image/draw"
	"time"

	"dashboard/internal/budget"
)

const (
	// leastDelay is the shortest allowed delay. Like browsers, the decoder replaces shorter delays by usualDelay, because authors rely
	// on this behavior.
	leastDelay = 20 * time.Millisecond
	usualDelay = 100 * time.Millisecond
)

// disposal describes what happens to a layer before the next layer is drawn.
type disposal int

const (
	keep    disposal = iota // the layer stays
	erase                   // the layer's rectangle becomes transparent
	restore                 // the layer's rectangle gets back the content that it had before the layer was drawn
)

// layer is one encoded frame of an animation: an image for a part of the canvas.
type layer struct {
	img     image.Image
	at      image.Point
	op      draw.Op
	dispose disposal
	delay   time.Duration
}

// animation draws layers on a canvas. It collects copies of the canvas as frames, scaled to their final size.
type animation struct {
	canvas, saved *image.RGBA
	last          layer
	to            target
	pl            placement
	step          int // only every step-th layer becomes a frame
	layers        int // number of layers drawn so far
	out           Picture
}

// newAnimation prepares for n layers, at least one, on a canvas of the given size.
func newAnimation(size image.Point, n, loops int, to target) *animation {
	pl := place(size, to.box, to.fit)
	each := max(1, pixels(pl.rect.Size()))
	// Use int64, because the number of pixels of 1,000 frames of 7680x4320 does not fit in 32 bits.
	fit := max(1, room(budget.Of(to.ctx).Frames, each*int64(n))/each)
	return &animation{
		canvas: image.NewRGBA(image.Rectangle{Max: size}),
		to:     to, pl: pl,
		step: int((int64(n) + fit - 1) / fit),
		out:  Picture{Rect: pl.rect, Opaque: true, Loops: loops},
	}
}

// layersWithin returns how many of n layers can be decoded within MaxFrames and MaxAnimationPixels.
func layersWithin(n int, canvas image.Point) int {
	return max(1, min(n, MaxFrames, int(MaxAnimationPixels/pixels(canvas))))
}

// add draws a layer over the earlier layers.
func (a *animation) add(l layer) {
	a.disposeLast()
	r := rectAt(l)
	if l.dispose == restore {
		if a.saved == nil {
			a.saved = image.NewRGBA(a.canvas.Rect)
		}
		draw.Draw(a.saved, r, a.canvas, r.Min, draw.Src)
	}
	draw.Draw(a.canvas, r, l.img, l.img.Bounds().Min, l.op)
	if l.delay < leastDelay {
		l.delay = usualDelay
	}
	a.last = l
	a.emit(l.delay)
}

// emit adds a scaled copy of the canvas as a frame, or extends the delay of the last frame.
func (a *animation) emit(delay time.Duration) {
	if a.layers%a.step == 0 {
		img := render(a.canvas, upright, a.pl, a.to.smooth)
		a.out.Frames = append(a.out.Frames, Frame{Img: img})
		a.out.Opaque = a.out.Opaque && img.Opaque()
	}
	a.out.Frames[len(a.out.Frames)-1].Delay += delay
	a.layers++
}

func (a *animation) disposeLast() {
	if a.last.img == nil {
		return
	}
	switch r := rectAt(a.last); a.last.dispose {
	case erase:
		draw.Draw(a.canvas, r, image.Transparent, image.Point{}, draw.Src)
	case restore:
		draw.Draw(a.canvas, r, a.saved, r.Min, draw.Src)
	}
}

func rectAt(l layer) image.Rectangle {
	return image.Rectangle{Max: l.img.Bounds().Size()}.Add(l.at)
}

// picture returns the collected frames.
func (a *animation) picture() *Picture {
	p := a.out
	if len(p.Frames) == 1 {
		p.Frames[0].Delay = 0
		return &p
	}
	end := time.Duration(0)
	for _, f := range p.Frames {
		end += f.Delay
		p.ends = append(p.ends, end)
	}
	hold(budget.Of(a.to.ctx).Frames, &p)
	return &p
}
