package kit

import (
	"image"
	"image/color"

	"dashboard/config/value"
	"dashboard/render"
)

// within describes the surroundings of a widget. Some defaults of the widget depend on them.
type within struct {
	outer  bool // true for the outermost widget and for the pages of an outermost pages widget
	Card   bool // true inside a card
	stack  bool // true inside a stack
	ground ground
}

// Sized is a widget that reports the size of its content.
type Sized interface {
	// Natural returns the size of the content after the last Update, for the given maximum width in px.
	Natural(width int) image.Point
}

// Hideable is a widget that may be hidden.
type Hideable interface {
	// Refresh updates the visibility and reports whether the widget is shown.
	Refresh(t render.Tick) bool
}

// Frame draws the parts around the content of a widget: margin, background, card and title line. It also shows and hides the widget.
type Frame struct {
	b     *Builder
	size  image.Point
	rect  image.Rectangle // rectangle of the widget without its margin
	Body  image.Rectangle // rectangle of the content
	Inner render.Widget
	hides Hideable // Inner, or nil if Inner is not Hideable. A type assertion in each frame would be slow on 32-bit ARM
	rated Stated   // Inner, or nil if Inner is not Stated
	tints Tinted   // Inner, or nil if Inner is not Tinted

	When  *When
	Shown bool
	Stays bool // true for a page, because the pages widget decides whether the page is shown

	behind  backdrop
	surface Plate
	outline Plate           // plate behind `surface`. Only a line around `surface` stays visible
	tinted  int             // number of the photo from which the current colors were taken
	frost   *frost          // blur behind a translucent card, nil for an opaque card or without blur
	corners *render.Stencil // stencil for round corners, nil if the corners are square
	round   image.Point     // top left corner of the part with round corners
	opacity Input
	layer   *render.Layer
	opaque  uint8

	Head    *Head
	Values  watched
	Failing *Failing // replaces the content while Values.Failed is set, nil before the first failure
	waiting *Caption // replaces the content while Values.waiting is set. nil before waiting is first set
	awaited *Caption // sentence at the bottom while Values.waiting is set

	sign    *Mark      // icon of the state next to the value, nil before the first icon
	signInk color.RGBA // color of sign

	state State      // state of the value in the content
	tint  color.RGBA // color at the top of the card, which the content chooses
	glow  *glow      // nil until a tint is shown
}

// Framing describes the frame of a kind of widget.
type Framing struct {
	Card   bool // true if the widget has a card by default
	Padded bool // true if a widget without a card keeps the padding, so that its content is aligned with cards
	Bleed  bool // true if the theme's margin is not used
	Round  bool // true if a picture has the round corners of a card, unless it fills the wall
	Passes bool // true if the children count as outermost widgets
	// Titled reports whether content of the given size shows the title and the icon itself. If Titled is nil, the content never shows
	// them.
	Titled func(b *Builder, f *Framed, size image.Point) bool
}

// Frame builds a widget with its frame. It calls `build` with the size that remains for the content.
func (b *Builder) Frame(s *Spec, fr Framing, f *Framed, size image.Point, build func(size image.Point) render.Widget) render.Widget {
	c := b.Common(s)
	w := &Frame{b: b, size: size, rect: image.Rectangle{Max: size}, Shown: true, opaque: 255}
	here := b.Within
	outer := b.watch
	b.watch = nil // values in the condition and in the title line do not count as values of the parent
	defer func() { b.watch = outer }()
	w.rect = Inset(w.rect, b.margin(c, fr, here))
	w.When = b.When(s, c.When)
	w.opacity = InputOf(b, s, c.Opacity, func(v value.Share) any { return float64(v) })
	ground := w.rect
	if here.outer { // the background reaches the edges of the wall
		ground = image.Rectangle{Max: size}
	}
	w.behind = b.backdrop(s, c.Background, ground)
	w.Body = w.rect
	inner := within{outer: here.outer && fr.Passes, Card: here.Card, stack: s.Kind == "stack"}
	if f != nil {
		b.Modern = true
		w.chrome(s, fr, f, here)
		inner.Card = here.Card || w.surface.Color.A > 0
	}
	inner.ground = w.ground(c, here, inner.stack)
	b.Within = inner
	b.watching(&w.Values, func() { w.Inner = build(w.Body.Size()) })
	if f == nil {
		w.Values.Cells = nil // a classic widget shows the state of its values itself
	}
	b.Within = here
	if w.Inner == nil {
		return nil
	}
	w.hides, _ = w.Inner.(Hideable)
	w.rated, _ = w.Inner.(Stated)
	w.tints, _ = w.Inner.(Tinted)
	if w.rated != nil && w.Head != nil {
		w.rated.HasHead()
	}
	return w
}

// margin() returns the margin around a widget, in px.
func (b *Builder) margin(c *Common, fr Framing, here within) int {
	switch {
	case c.Margin != nil:
		return b.Written(*c.Margin)
	case here.outer && !fr.Bleed && !fr.Passes:
		return b.Px(b.Look.Sizes.Margin)
	}
	return 0
}

// Small is a length of the picture's shorter side, in px. In a smaller picture, a widget without a card has no padding.
const Small = 400

// `narrowest` is a divisor. In a narrow card, the padding on each side is the card's width divided by narrowest.
const narrowest = 6

// chrome() places the card, the padding and the title line.
func (w *Frame) chrome(s *Spec, fr Framing, f *Framed, here within) {
	b := w.b
	card := fr.Card && !here.Card && !b.bare
	if f.Card != nil {
		card = *f.Card
	}
	sizes := b.Look.Sizes
	padX, padY := w.pads(fr, f, here, card)
	if card && !b.Look.Ink {
		radius := b.Chosen(f.Radius, sizes.Radius)
		w.surface = Plate{Rect: w.rect, Corner: render.NewCorner(radius, w.rect.Size()), Color: b.Role("surface")}
		w.outlined(sizes.Outline, radius)
		w.frosted(b.Chosen(f.CardBlur, sizes.Blur), radius)
		if f.Padding != nil && 3*padX < radius { // with so little padding, the content could reach the round corners
			w.corners, w.round = render.NewStencil(radius, w.rect.Size()), w.rect.Min
		}
	}
	w.Body = image.Rect(w.rect.Min.X+padX, w.rect.Min.Y+padY, w.rect.Max.X-padX, w.rect.Max.Y-padY)
	if w.Body.Empty() {
		w.Body = w.rect
	}
	rounds := fr.Round && !here.outer && !here.stack && !card && !b.Look.Ink || f.Radius != nil && !card
	ownGround := b.Common(s).Background != nil
	box := w.Body
	if rounds && (ownGround || !fr.Round) {
		box = w.clear(box, b.Chosen(f.Radius, sizes.Radius))
	}
	w.entitle(s, f, box, fr.Titled)
	if rounds {
		w.rounded(b.Chosen(f.Radius, sizes.Radius), fr.Round && w.Head != nil && !ownGround)
	}
}

// pads() returns the horizontal and the vertical padding of the content, in px.
func (w *Frame) pads(fr Framing, f *Framed, here within, card bool) (x, y int) {
	b, sizes := w.b, w.b.Look.Sizes
	switch {
	case b.bare:
	case card && b.Shorter() < Small:
		x, y = b.Px(sizes.Padding*0.75), b.Px(sizes.PaddingY*0.75)
	case card, (fr.Padded || fr.Card) && !here.Card && !here.stack && b.Shorter() >= Small:
		x, y = b.Px(sizes.Padding), b.Px(sizes.PaddingY)
	}
	if 4*x > w.rect.Dx() { // otherwise, the two paddings would be wider than the content
		x = w.rect.Dx() / narrowest
	}
	if f.Padding != nil {
		x = b.Written(*f.Padding)
		y = x
	}
	return x, y
}

// outlined() adds a line along the edge of the card, inside the card.
func (w *Frame) outlined(themed float64, radius int) {
	line := w.b.Px(themed)
	if line == 0 || 4*line > min(w.rect.Dx(), w.rect.Dy()) {
		return
	}
	inside := w.rect.Inset(line)
	w.outline = Plate{Rect: w.rect, Corner: w.surface.Corner, Color: w.b.Role("line")}
	w.surface.Rect, w.surface.Corner = inside, render.NewCorner(max(0, radius-line), inside.Size())
}

// `titled` are the kinds that keep their title line in a glance (key `glance`).
var titled = map[string]bool{"card": true, "gauge": true, "progress": true, "countdown": true, "chart": true}

// entitle places the title line at the top of a box and the content below the title line.
func (w *Frame) entitle(s *Spec, f *Framed, box image.Rectangle, inside func(*Builder, *Framed, image.Point) bool) {
	b := w.b
	if b.bare && !titled[s.Kind] {
		return
	}
	if w.Head = b.NewHead(s, f, box); w.Head == nil {
		return
	}
	if inside != nil && inside(b, f, box.Size()) {
		w.Head.Inside = true
		return
	}
	top := w.Head.Box.Max.Y + b.Px(HeadBelow)
	body := b.Face("body")
	line := body.Size * 5 / 4
	if thin := w.rect.Dy() - body.Line; w.Body.Dy() < line && thin >= 0 { // the content is more important than the padding
		w.Body.Min.Y, w.Body.Max.Y = w.rect.Min.Y+thin/2, w.rect.Max.Y-(thin-thin/2)
	}
	if w.Body.Max.Y-top < line && w.Body.Dy() >= line {
		w.Head = nil // no room for the title line, because the content is more important
	} else {
		w.Body.Min.Y = min(w.Body.Max.Y, top)
	}
}

// clear() returns the part of `box` in which a title line does not touch the round corners.
func (w *Frame) clear(box image.Rectangle, radius int) image.Rectangle {
	if radius <= 0 {
		return box
	}
	side, top := max(radius, w.b.Px(HeadBelow)), w.b.Px(HeadBelow)/2
	return image.Rect(max(box.Min.X, w.rect.Min.X+side), max(box.Min.Y, w.rect.Min.Y+top), min(box.Max.X, w.rect.Max.X-side), box.Max.Y)
}

// rounded() gives round corners to the whole widget. If `content` is true, only the content has round corners, because it is a picture
// below a title line.
func (w *Frame) rounded(radius int, content bool) {
	r := w.rect
	if content {
		r = w.Body
	}
	w.corners, w.round = render.NewStencil(radius, r.Size()), r.Min
}

// Inset shrinks a rectangle by n px on each side. If the rectangle is too small, Inset does not change it.
func Inset(r image.Rectangle, n int) image.Rectangle {
	if n <= 0 || 2*n >= min(r.Dx(), r.Dy()) {
		return r
	}
	return r.Inset(n)
}

// Natural implements Sized.
func (w *Frame) Natural(width int) image.Point {
	around := w.size.Sub(w.Body.Size())
	if w.size.X < w.Body.Dx() {
		around = image.Point{}
	}
	p := image.Point{}
	if in, ok := w.Inner.(Sized); ok {
		p = in.Natural(max(1, width-around.X))
	}
	if w.Head != nil && !w.Head.Inside {
		p.X = max(p.X, w.Head.natural(w.b))
	}
	return p.Add(around)
}

// Update implements render.Widget.
func (w *Frame) Update(t render.Tick) {
	if shown := w.Refresh(t) || w.Stays; shown != w.Shown {
		w.Shown = shown
		t.DamageAll()
	}
	if !w.Shown {
		w.Inner.Update(t.Hidden())
		return
	}
	if w.opacity.written() {
		w.fade(t)
	}
	w.frost.update(t)
	w.takeTint(t)
	w.behind.update(t)
	if w.surface.Color.A == 255 {
		t.Flat(w.rect)
	}
	if w.Values.update(t) {
		w.tell(t)
	}
	if w.Head != nil && w.Head.update(t, w.b) {
		t.Damage(w.Head.Box)
	}
	if !w.Values.Failed.IsZero() {
		w.Failing.Update(t.In(w.Body), w.Values.next)
		w.Inner.Update(t.Hidden())
		return
	}
	w.Inner.Update(t.In(w.Body))
	w.follow(t)
	if w.tints != nil && w.tints.TintOf() != w.tint {
		w.tint = w.tints.TintOf()
		if w.Head != nil {
			w.Head.lit(w.b, w.tint)
		}
		t.DamageAll()
	}
}

// fade() updates the opacity of the widget.
func (w *Frame) fade(t render.Tick) {
	w.opacity.Update(t)
	opaque := uint8(255)
	if v, ok := w.opacity.Number(); ok {
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
func (w *Frame) Paint(c render.Canvas) {
	switch {
	case !w.Shown || w.opaque == 0:
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

func (w *Frame) paint(c render.Canvas) {
	cell := c.At(w.round)
	w.corners.Save(cell)
	w.paintInside(c)
	w.corners.Restore(cell)
}

func (w *Frame) paintInside(c render.Canvas) {
	w.frost.paint(c)
	w.behind.paint(c)
	if w.surface.Color.A > 0 {
		w.outline.Paint(c)
		w.surface.Paint(c)
		if w.state.Bad {
			(&Plate{Rect: w.surface.Rect, Corner: w.surface.Corner, Color: Tint(w.state.Color, badTint)}).Paint(c)
		}
		w.paintTint(c)
		w.frost.paintRim(c)
	}
	if w.Head != nil && !w.Head.Inside && c.Sees(w.Head.Box) {
		w.Head.Paint(c)
	}
	if w.sign != nil && w.Values.Failed.IsZero() && !w.Values.waiting {
		w.sign.Paint(c, w.signInk)
	}
	if !c.Sees(w.Body) {
		return
	}
	if !w.Values.Failed.IsZero() {
		w.Failing.Paint(c.In(w.Body))
		return
	}
	if w.Values.waiting && w.waiting != nil {
		w.waiting.Paint(c.In(w.Body), w.b.Role("muted"))
		w.awaited.Paint(c.In(w.Body), w.b.Role("muted"))
		return
	}
	w.Inner.Paint(c.In(w.Body))
}

// Reach implements kit.Holder.
func (w *Frame) Reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return w.Shown && w.opaque > 0 && w.Values.Failed.IsZero() && p.In(w.Body) && each(w.Inner, p.Sub(w.Body.Min))
}
