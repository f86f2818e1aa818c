package widgets

import (
	"image"
	"image/color"
	"time"

	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme/look"
)

// figure is a value in large type with its unit behind it.
type figure struct {
	b     *Builder
	box   image.Rectangle
	in    input
	unit  input
	color input
	word  *wording
	empty string

	main, tail *caption
	ink, muted color.RGBA
	said       shown
	stale      bool
	centered   bool // in its box, both ways
	edge       edge
	valign     text.VAlign
	member     *member
	small      look.Style // of the unit
}

// Proportions of a figure, of its size.
const (
	unitShare = 0.34
	unitGap   = 0.18
)

// The sizes between which a widget's main figure may be, px at a shorter side of 720 px.
const (
	figureLeast = 56
	figureMost  = 92
)

// figure makes a value's figure at the top of a box, aligned as its file says.
func (b *Builder) figure(s *Spec, t *Typed, w *Wording, in input, box image.Rectangle, empty string) *figure {
	big := b.typed(s, t, "figure")
	if t.Style == "" && t.TextSize == 0 {
		big = b.roomy(big, box)
	}
	return b.figureAt(s, t, w, in, box, empty, big)
}

// figureAt makes a value's figure in a face.
func (b *Builder) figureAt(s *Spec, t *Typed, w *Wording, in input, box image.Rectangle, empty string, big face) *figure {
	f := &figure{
		b: b, box: box, in: in, unit: inputOf(b, s, w.Unit, anyOf[string]), color: inputOf(b, s, t.Color, colorOf),
		word: b.wording(s, w), empty: empty, muted: b.role("muted"), edge: b.edgeOf(t.Align), valign: verticalOf(t.VerticalAlign),
	}
	st := b.Look.Styles["figure"]
	if t.Style != "" {
		st = b.Look.Styles[t.Style]
	}
	st.Weight, st.Tracking = 400, 0
	f.small = st
	small := b.faceAt(st, max(b.least(), int(float64(big.size)*unitShare)))
	f.main = b.caption(big, box, edgeStart)
	f.main.least = min(big.size, b.least())
	f.member = b.member(s, t)
	f.tail = b.caption(small, box, edgeStart)
	f.say(time.Time{})
	return f
}

// roomy makes a figure larger where its box has room, within its role.
func (b *Builder) roomy(f face, box image.Rectangle) face {
	st := b.Look.Styles["figure"]
	factor := float64(f.size) / max(1, st.Size)
	px := min(float64(box.Dy())*0.7, float64(box.Dx())*0.3, figureMost*factor)
	px = max(px, min(float64(f.size), figureLeast*factor))
	return b.faceAt(st, int(min(px, float64(box.Dy()))))
}

// say puts the present value into words.
func (f *figure) say(now time.Time) {
	v, ok := f.in.value()
	f.said = f.word.say(v, ok, now)
	if f.said.none {
		f.said.text = "—"
		if ok && f.empty != "" {
			f.said.text = f.empty
		}
	}
	f.ink = f.color.color(f.b, f.b.role("text"))
	if f.said.color != nil {
		f.ink = render.Premultiply(*f.said.color)
	}
	if f.said.none {
		f.ink = f.muted
	}
	unit := f.unit.text()
	if f.said.none || !f.said.isNum {
		unit = ""
	}
	f.place(unit)
	if f.member != nil && f.main.fits > 0 {
		f.resize(f.member.fit(f.main.fits), unit)
	}
}

// resize gives the number at most the size of its group, px.
func (f *figure) resize(px int, unit string) {
	if px == f.main.most {
		return
	}
	f.main.limit(px)
	f.tail.face = f.b.faceAt(f.small, max(f.b.least(), int(float64(f.size())*unitShare)))
	f.tail.raw = ""
	f.place(unit)
}

// size is that of the number's type, px: its face's, or that of its group.
func (f *figure) size() int {
	if most := f.main.most; most > 0 && most < f.main.face.size {
		return most
	}
	return f.main.face.size
}

// high is the height of the number's line, px.
func (f *figure) high() int { return f.main.face.line * f.size() / max(1, f.main.face.size) }

// place sets the texts and puts the unit behind the number.
func (f *figure) place(unit string) {
	box := f.box
	f.tail.set(unit)
	gap := 0
	if unit != "" && !hugs(unit) {
		gap = int(float64(f.size()) * unitGap)
	}
	raised := hugs(unit)
	if raised { // a degree sign has the figure's own size
		f.tail.set("")
		f.main.place(image.Rect(box.Min.X, box.Min.Y, box.Max.X, box.Min.Y+f.high()))
		f.main.set(f.said.text + "°")
		if rest := unit[len("°"):]; unit != "°" && rest != "" {
			f.tail.set(rest)
		}
	} else {
		room := f.tail.width() + gap
		f.main.place(image.Rect(box.Min.X, box.Min.Y, max(box.Min.X, box.Max.X-room), box.Min.Y+f.high()))
		f.main.set(f.said.text)
		if unit != "" && f.main.shortened() {
			f.tail.set("")
			f.main.place(image.Rect(box.Min.X, box.Min.Y, box.Max.X, box.Min.Y+f.high()))
		}
	}
	if x := f.main.at.X + f.main.width() + gap; f.tail.raw != "" && x+f.tail.width() > box.Max.X {
		f.tail.set("") // no room: the number counts
	}
	if f.tail.raw != "" {
		x := f.main.at.X + f.main.width() + gap
		f.tail.place(image.Rect(x, box.Min.Y, max(x, box.Max.X), box.Min.Y+f.high()))
		f.tail.at.Y = f.main.at.Y
		f.tail.ink = f.tail.line.Ink().Add(f.tail.at)
	}
	switch {
	case f.centered:
		f.center(gap)
	case f.edge != edgeStart || f.valign != text.Top:
		f.stand(gap)
	}
}

// stand moves number and unit to where they are aligned in the box.
func (f *figure) stand(gap int) {
	wide, high := f.main.width(), f.high()
	if f.tail.raw != "" {
		wide += gap + f.tail.width()
	}
	f.main.arrange()
	at := image.Pt(f.box.Min.X, f.main.at.Y)
	switch f.edge {
	case edgeCenter:
		at.X += (f.box.Dx() - wide) / 2
	case edgeEnd:
		at.X += f.box.Dx() - wide
	}
	switch f.valign {
	case text.Middle:
		at.Y += (f.box.Dy() - high) / 2
	case text.Bottom:
		at.Y += f.box.Dy() - high
	}
	f.put(at, gap)
}

// put places number and unit with the number's baseline at a point.
func (f *figure) put(at image.Point, gap int) {
	f.main.at = at
	f.main.ink = f.main.line.Ink().Add(f.main.at)
	f.tail.at = image.Pt(f.main.at.X+f.main.width()+gap, f.main.at.Y)
	f.tail.ink = image.Rectangle{}
	if f.tail.raw != "" {
		f.tail.ink = f.tail.line.Ink().Add(f.tail.at)
	}
}

// center moves number and unit to the middle of the box, the number by the height of its digits.
func (f *figure) center(gap int) {
	wide := f.main.width()
	if f.tail.raw != "" {
		wide += gap + f.tail.width()
	}
	if wide > f.box.Dx() && f.tail.raw != "" { // no room for the unit
		f.tail.set("")
		wide = f.main.width()
	}
	f.put(image.Pt(f.box.Min.X+(f.box.Dx()-wide)/2, (f.box.Min.Y+f.box.Max.Y+int(float64(f.main.size)*capHeight))/2), gap)
}

// hugs reports whether a unit stands right behind its number: ° and what begins with it.
func hugs(unit string) bool { return len(unit) >= len("°") && unit[:len("°")] == "°" }

// update follows the value and reports whether it changed.
func (f *figure) update(t render.Tick) bool {
	changed := f.in.update(t)
	changed = f.unit.update(t) || changed
	changed = f.color.update(t) || changed
	size := f.member.size()
	if !changed && size == f.main.most {
		return false
	}
	t.Damage(f.main.ink.Union(f.tail.ink))
	f.stale = f.in.stale
	f.say(t.Now())
	t.Damage(f.main.ink.Union(f.tail.ink))
	f.member.tell(t, size)
	return true
}

func (f *figure) paint(c render.Canvas) {
	ink, muted := f.ink, f.muted
	if f.stale {
		ink, muted = faint(ink), faint(muted)
	}
	f.main.paint(c, ink)
	f.tail.paint(c, muted)
}

func (f *figure) height() int { return f.main.face.line }

func (f *figure) width() int {
	n := f.main.width()
	if f.tail.raw != "" {
		n = f.tail.at.X - f.main.at.X + f.tail.width()
	}
	return n
}
