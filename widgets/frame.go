package widgets

import (
	"image"
	"image/color"

	"dashboard/config/value"
	"dashboard/internal/locale"
	"dashboard/render"
)

// within is where a widget is: what its defaults depend on.
type within struct {
	outer  bool // the outermost widget, or a page of it
	card   bool // inside a card
	stack  bool // inside a stack
	ground ground
}

// sized is a widget that knows how large its content is.
type sized interface {
	// natural is the size of the content, as of the last Update, in at most so much width, px.
	natural(width int) image.Point
}

// hideable is a widget that may not be shown.
type hideable interface {
	// refresh brings what decides about it to now and reports whether it is shown.
	refresh(t render.Tick) bool
}

// frame is what is around a widget's content: margin, background, card, title line; and whether it is shown.
type frame struct {
	b     *Builder
	size  image.Point
	rect  image.Rectangle // without the margin
	body  image.Rectangle // the content's
	inner render.Widget

	when  *condition
	shown bool
	stays bool // it is a page: whether it is shown is for its pages to say

	behind  backdrop
	surface plate
	frost   *frost          // of what lies behind; nil where the card hides that
	corners *render.Stencil // of a picture; nil for square ones
	round   image.Point     // where what has the corners begins
	opacity input
	layer   *render.Layer
	opaque  uint8

	head    *head
	values  watched
	failing *failing // in place of the content while values.failed says so; nil as long as it never did

	tint color.RGBA // of the top of the card, as its content asks for
	glow *glow      // nil before the first
}

// framing is what a kind's frame depends on.
type framing struct {
	card   bool // on a card if nothing else is said
	padded bool // keeps the padding without a card, so as to stand in line with cards
	bleed  bool // no margin of the theme around it
	round  bool // a picture: it has a card's corners where it is not the whole wall
	passes bool // its children are outermost as well
}

// frame builds a widget with what is around it. build is called with the size of the content.
func (b *Builder) frame(s *Spec, fr framing, f *Framed, size image.Point, build func(size image.Point) render.Widget) render.Widget {
	c := b.common(s)
	w := &frame{b: b, size: size, rect: image.Rectangle{Max: size}, shown: true, opaque: 255}
	here := b.within
	outer := b.watch
	b.watch = nil // whether it is shown, and its title line, are no values of the widget around it
	defer func() { b.watch = outer }()
	w.rect = inset(w.rect, b.margin(c, fr, here))
	w.when = b.condition(s, c.When)
	w.opacity = inputOf(b, s, c.Opacity, func(v value.Share) any { return float64(v) })
	ground := w.rect
	if here.outer { // the wall's own ground, to its edges
		ground = image.Rectangle{Max: size}
	}
	w.behind = b.backdrop(s, c.Background, ground)
	w.body = w.rect
	inner := within{outer: here.outer && fr.passes, card: here.card, stack: s.Kind == "stack"}
	if f != nil {
		w.chrome(s, fr, f, here)
		inner.card = here.card || w.surface.color.A > 0
	}
	inner.ground = w.ground(c, here, inner.stack)
	b.within = inner
	b.watching(&w.values, func() { w.inner = build(w.body.Size()) })
	if f == nil {
		w.values.cells = nil // a classic widget has its own words
	}
	b.within = here
	if w.inner == nil {
		return nil
	}
	return w
}

// margin is the room around a widget, px.
func (b *Builder) margin(c *Common, fr framing, here within) int {
	switch {
	case c.Margin != nil:
		return b.written(*c.Margin)
	case here.outer && !fr.bleed && !fr.passes:
		return b.px(b.Look.Sizes.Margin)
	}
	return 0
}

// small is a shorter side, px, below which what is on no card has no padding.
const small = 400

// narrowest is the part of a narrow card's width, 1/narrowest, that is padding on either side.
const narrowest = 6

// chrome lays out card, padding and title line.
func (w *frame) chrome(s *Spec, fr framing, f *Framed, here within) {
	b := w.b
	card := fr.card && !here.card
	if f.Card != nil {
		card = *f.Card
	}
	sizes := b.Look.Sizes
	padX, padY := 0, 0
	keeps := (fr.padded || fr.card) && !here.card && !here.stack && b.shorter() >= small
	if card || keeps {
		padX, padY = b.px(sizes.Padding), b.px(sizes.PaddingY)
	}
	if b.shorter() < small && card {
		padX, padY = b.px(sizes.Padding*0.75), b.px(sizes.PaddingY*0.75)
	}
	if 4*padX > w.rect.Dx() { // it would be more than the content is
		padX = w.rect.Dx() / narrowest
	}
	if f.Padding != nil {
		padX = b.written(*f.Padding)
		padY = padX
	}
	if card && !b.Look.Ink {
		radius := b.chosen(f.Radius, sizes.Radius)
		w.surface = plate{rect: w.rect, corner: render.NewCorner(radius, w.rect.Size()), color: b.role("surface")}
		w.frosted(b.chosen(f.blur, sizes.Blur), radius)
	}
	w.body = image.Rect(w.rect.Min.X+padX, w.rect.Min.Y+padY, w.rect.Max.X-padX, w.rect.Max.Y-padY)
	if w.body.Empty() {
		w.body = w.rect
	}
	rounds := fr.round && !here.outer && !here.stack && !card && !b.Look.Ink || f.Radius != nil && !card
	ownGround := b.common(s).Background != nil
	box := w.body
	if rounds && (ownGround || !fr.round) {
		box = w.clear(box, b.chosen(f.Radius, sizes.Radius))
	}
	w.entitle(s, f, box)
	if rounds {
		w.rounded(b.chosen(f.Radius, sizes.Radius), fr.round && w.head != nil && !ownGround)
	}
}

// entitle puts the title line into a box, and the content below it.
func (w *frame) entitle(s *Spec, f *Framed, box image.Rectangle) {
	b := w.b
	if w.head = b.newHead(s, f, box); w.head == nil {
		return
	}
	top := w.head.box.Max.Y + b.px(headBelow)
	if line := b.face("body").size * 5 / 4; w.body.Max.Y-top < line && w.body.Dy() >= line {
		w.head = nil // the content counts
	} else {
		w.body.Min.Y = min(w.body.Max.Y, top)
	}
}

// clear is a box for a title line that keeps clear of the round corners, at its sides and above.
func (w *frame) clear(box image.Rectangle, radius int) image.Rectangle {
	if radius <= 0 {
		return box
	}
	side, top := max(radius, w.b.px(headBelow)), w.b.px(headBelow)/2
	return image.Rect(max(box.Min.X, w.rect.Min.X+side), max(box.Min.Y, w.rect.Min.Y+top), min(box.Max.X, w.rect.Max.X-side), box.Max.Y)
}

// rounded gives all of the widget round corners, or its content alone: of a picture below a title line.
func (w *frame) rounded(radius int, content bool) {
	r := w.rect
	if content {
		r = w.body
	}
	w.corners, w.round = render.NewStencil(radius, r.Size()), r.Min
}

func inset(r image.Rectangle, n int) image.Rectangle {
	if n <= 0 || 2*n >= min(r.Dx(), r.Dy()) {
		return r
	}
	return r.Inset(n)
}

// refresh implements hideable.
func (w *frame) refresh(t render.Tick) bool {
	shown := w.when.holds(t)
	if h, ok := w.inner.(hideable); ok {
		shown = h.refresh(t) && shown
	}
	return shown
}

// natural implements sized.
func (w *frame) natural(width int) image.Point {
	around := w.size.Sub(w.body.Size())
	if w.size.X < w.body.Dx() {
		around = image.Point{}
	}
	p := image.Point{}
	if in, ok := w.inner.(sized); ok {
		p = in.natural(max(1, width-around.X))
	}
	if w.head != nil {
		p.X = max(p.X, w.head.natural(w.b))
	}
	return p.Add(around)
}

// Update implements render.Widget.
func (w *frame) Update(t render.Tick) {
	if shown := w.refresh(t) || w.stays; shown != w.shown {
		w.shown = shown
		t.DamageAll()
	}
	if !w.shown {
		w.inner.Update(t.Hidden())
		return
	}
	w.fade(t)
	w.frost.update(t)
	w.behind.update(t)
	if w.surface.color.A == 255 {
		t.Flat(w.rect)
	}
	if w.values.update(t) {
		w.tell(t)
	}
	if w.head != nil && w.head.update(t, w.b) {
		t.Damage(w.head.box)
	}
	if !w.values.failed.IsZero() {
		w.inner.Update(t.Hidden())
		return
	}
	w.inner.Update(t.In(w.body))
	if k, ok := w.inner.(tinted); ok && k.tintOf() != w.tint {
		w.tint = k.tintOf()
		t.DamageAll()
	}
}

// tell shows what became of the values: since when they stand still, or that there is no answer.
func (w *frame) tell(t render.Tick) {
	b, v := w.b, &w.values
	if !v.failed.IsZero() {
		if w.failing == nil {
			w.failing = b.failing(w.body.Size())
		}
		w.failing.say(v.failed, t.Now())
	}
	if w.head != nil {
		w.head.since = ""
		if !v.stale.IsZero() {
			w.head.since = string(b.Locale.AppendPhrase(nil, locale.Since, b.since(v.stale, t.Now())))
		}
		w.head.load(b)
	}
	t.DamageAll()
}

// fade follows the opacity.
func (w *frame) fade(t render.Tick) {
	w.opacity.update(t)
	opaque := uint8(255)
	if v, ok := w.opacity.number(); ok {
		opaque = uint8(min(max(v, 0), 1)*255 + 0.5)
	}
	if opaque == w.opaque {
		return
	}
	w.opaque = opaque
	if opaque < 255 && w.layer == nil {
		w.layer = render.NewLayer(w.size)
	}
	t.DamageAll()
}

// Paint implements render.Widget.
func (w *frame) Paint(c render.Canvas) {
	switch {
	case !w.shown || w.opaque == 0:
		return
	case w.opaque == 255:
		w.paint(c)
		return
	}
	r := c.Clip.Sub(c.Org).Intersect(w.layer.Bounds())
	if r.Empty() {
		return
	}
	w.frost.take(c)
	w.paint(w.layer.Begin(r, c.Org.Add(c.Base)))
	w.layer.Show(c, image.Point{}, w.opaque)
}

func (w *frame) paint(c render.Canvas) {
	cell := c.At(w.round)
	w.corners.Save(cell)
	w.paintInside(c)
	w.corners.Restore(cell)
}

func (w *frame) paintInside(c render.Canvas) {
	w.frost.paint(c)
	w.behind.paint(c)
	if w.surface.color.A > 0 {
		w.surface.paint(c)
		w.paintTint(c)
		w.frost.paintRim(c)
	}
	if w.head != nil && c.Sees(w.head.box) {
		w.head.paint(c)
	}
	if !c.Sees(w.body) {
		return
	}
	if !w.values.failed.IsZero() {
		w.failing.paint(c.In(w.body))
		return
	}
	w.inner.Paint(c.In(w.body))
}

func (w *frame) reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return w.shown && w.opaque > 0 && w.values.failed.IsZero() && p.In(w.body) && each(w.inner, p.Sub(w.body.Min))
}
