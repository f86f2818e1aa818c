package notice

import (
	"image"
	"math"
	"strings"
	"time"

	"dashboard/render"
	"dashboard/widgets/kit"
)

// leftStep is the minimum time between two updates of the line for the remaining time.
const leftStep = 100 * time.Millisecond

// aim() starts the motion of the notice to a rectangle of the wall. A new notice starts outside the wall.
func (n *notice) aim(w *overlay, to image.Rectangle, place string) {
	n.away = w.outside(to, n, place)
	switch was := n.rect.Min.Add(n.off); {
	case !n.placed:
		n.from, n.placed = n.away, true
	case n.rect.Min == to.Min:
		n.rect = to
		return
	default:
		n.from, n.since = was.Sub(to.Min), w.now
	}
	n.rect, n.moving = to, true
	if w.b.Reduced || w.b.Look.Ink {
		n.since = w.now.Add(-moveTime)
	}
	n.off = n.from
}

// leave() starts the motion of the notice to the outside of the wall.
func (n *notice) leave(w *overlay) {
	if n.going {
		return
	}
	n.going, n.moving, n.since, n.from = true, true, w.now, n.off
	if w.b.Reduced || w.b.Look.Ink || n.covered {
		n.since = w.now.Add(-moveTime)
	}
}

// outside() returns the offset at which a notice is outside the wall. The rectangle of the notice on the wall is r.
func (w *overlay) outside(r image.Rectangle, n *notice, place string) image.Point {
	reach := 0
	if n.shadow != nil {
		reach = n.shadow.Reach() + w.b.Px(shadowBelow)
	}
	switch {
	case strings.HasSuffix(place, "right"):
		return image.Pt(w.size.X-r.Min.X+reach, 0)
	case strings.HasSuffix(place, "left"):
		return image.Pt(-r.Max.X-reach, 0)
	case strings.HasPrefix(place, "top"):
		return image.Pt(0, -r.Max.Y-reach)
	}
	return image.Pt(0, w.size.Y-r.Min.Y+reach)
}

// update updates the motion, the picture and the line for the remaining time.
func (n *notice) update(t render.Tick) {
	n.move(t)
	if n.covered {
		return
	}
	if n.film.Pic != nil {
		n.film.Run(t.In(n.picture.Add(n.rect.Min).Add(n.off)))
	}
	n.remain(t)
}

// move updates the motion. A notice becomes slower while it arrives and faster while it leaves.
func (n *notice) move(t render.Tick) {
	if !n.moving {
		return
	}
	x := float64(t.Now().Sub(n.since)) / float64(moveTime)
	var off image.Point
	switch {
	case x >= 1 || x < 0:
		n.moving = false
		if n.going {
			off = n.away
		}
	case n.going:
		off = onTheWay(n.from, n.away, x*x*x)
	default:
		off = onTheWay(n.from, image.Point{}, 1-(1-x)*(1-x)*(1-x))
	}
	if off != n.off || !n.moving {
		t.Damage(n.reach())
		n.off = off
		t.Damage(n.reach())
	}
	if n.moving {
		t.Wake(t.Now())
	}
}

// onTheWay returns a point between the points `a` and `b`. `share` is the distance of this point from `a`, as a share of the whole
// distance.
func onTheWay(a, b image.Point, share float64) image.Point {
	mix := func(a, b int) int { return a + int(math.Round(share*float64(b-a))) }
	return image.Pt(mix(a.X, b.X), mix(a.Y, b.Y))
}

// remain() updates the line for the remaining time.
func (n *notice) remain(t render.Tick) {
	if n.line.Empty() || n.until.IsZero() || n.going {
		return
	}
	wide, left := n.line.Dx(), max(0, n.until.Sub(t.Now()))
	px := min(wide, int(math.Ceil(float64(wide)*float64(left)/float64(max(n.whole, 1)))))
	if px != n.left {
		r := n.line
		if n.left >= 0 { // damage only the part by which the line became shorter
			r.Min.X, r.Max.X = n.line.Min.X+min(px, n.left), n.line.Min.X+max(px, n.left)
			if n.b.Locale.RightToLeft {
				r = n.line
			}
		}
		n.left = px
		t.Damage(r.Add(n.rect.Min).Add(n.off))
	}
	t.Wake(t.Now().Add(max(leftStep, n.whole/time.Duration(max(1, wide)))))
}

// paint draws the notice at its current position.
func (n *notice) paint(c render.Canvas) {
	if n.covered || !c.Sees(n.reach()) {
		return
	}
	c = c.At(n.rect.Min.Add(n.off))
	all := image.Rectangle{Max: n.size}
	if n.shadow != nil {
		shade := kit.Tint(render.Premultiply(dark), 0.5)
		c.CardShadow(n.shadow, image.Pt(0, n.b.Px(shadowBelow)), shade, all.Inset(n.b.Px(n.b.Look.Sizes.Radius)))
	}
	c = c.In(all)
	if c.Clip.Empty() {
		return
	}
	n.stencil.Save(c)
	n.paintGround(c, all)
	n.paintParts(c)
	n.stencil.Restore(c)
}

func (n *notice) paintGround(c render.Canvas, all image.Rectangle) {
	if n.frame > 0 {
		c.Fill(all, n.ink)
		all = all.Inset(n.frame)
	}
	c.Fill(all, n.ground)
	n.paintPicture(c)
	if n.scrim {
		shade := render.Premultiply(dark)
		from := n.size.Y * 52 / 100
		for y := from; y < n.size.Y; y++ {
			share := 0.8 * float64(y-from) / float64(max(1, n.size.Y-from))
			c.Fill(image.Rect(0, y, n.size.X, y+1), kit.Tint(shade, share))
		}
	}
}

// paintPicture draws the picture or, while it is not loaded, an icon.
func (n *notice) paintPicture(c render.Canvas) {
	if n.picture.Empty() || !c.Sees(n.picture) {
		return
	}
	in := c.In(n.picture)
	n.round.Save(in)
	in.Fill(image.Rectangle{Max: n.picture.Size()}, n.b.Role("surface"))
	if n.film.Pic == nil {
		n.missing.Paint(c, n.b.Role("faint"))
	} else {
		n.film.Paint(in.At(n.picture.Size().Sub(n.n.Box).Div(2))) // center the picture, because it may have been decoded for another theme's size
	}
	n.round.Restore(in)
}

func (n *notice) paintParts(c render.Canvas) {
	n.icon.Paint(c, n.accent)
	n.title.Paint(c, n.ink)
	inkOfTime := n.muted
	if !n.pill.Rect.Empty() {
		n.pill.Paint(c)
		inkOfTime = n.ink
	}
	n.paintButtons(c)
	n.time.Paint(c, inkOfTime)
	if !n.words.Empty() && c.Sees(n.words) {
		col := n.muted
		if n.title.Raw == "" {
			col = n.ink
		}
		if n.marks != nil {
			n.marks.paint(c.In(n.words), col)
		} else {
			n.text.Paint(c.In(n.words), col)
		}
	}
	if !n.bar.Empty() {
		n.done.Paint(c, n.muted)
		c.FillRound(n.bar, n.barCorner, n.rule)
		part := c
		full := n.bar
		full.Max.X = full.Min.X + int(math.Round(n.share*float64(n.bar.Dx())))
		if n.b.Locale.RightToLeft {
			full = full.Add(image.Pt(n.bar.Max.X-full.Max.X, 0))
		}
		part.Clip = part.Clip.Intersect(full.Add(c.Org))
		part.FillRound(n.bar, n.barCorner, n.accent)
	}
	n.paintLeft(c)
}

// paintLeft draws the line for the remaining time.
func (n *notice) paintLeft(c render.Canvas) {
	if n.line.Empty() || n.until.IsZero() {
		return
	}
	c.Fill(n.line, n.rule)
	r := n.line
	r.Max.X = r.Min.X + max(0, n.left)
	if n.b.Locale.RightToLeft {
		r = r.Add(image.Pt(n.line.Max.X-r.Max.X, 0))
	}
	c.Fill(r, n.accent)
}
