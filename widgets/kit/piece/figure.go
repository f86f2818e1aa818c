// Package piece contains parts that several widgets draw: figures, paragraphs, lines of text and meters.
package piece

import (
	"image"
	"image/color"
	"time"

	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
)

// Figure shows a value in large text and, after it, the unit of the value.
type Figure struct {
	B     *kit.Builder
	box   image.Rectangle
	In    kit.Input
	unit  kit.Input
	Color kit.Input
	word  *format.Formatter
	empty string

	Main, Tail *kit.Caption
	second     *kit.Caption // second line of a text value, empty for numbers
	whole      string       // value in its longest form
	buf        []byte
	Ink, muted color.RGBA
	Said       format.Shown
	Stale      bool
	Centered   bool // true to center the figure in its box
	Headed     bool // true if the title line shows the state of the value
	Edge       kit.Edge
	Valign     text.VAlign
	Member     *kit.Member
	small      look.Style // style of the unit
}

// Size of the unit and of its gap, as shares of the number's size.
const (
	UnitShare = 0.34
	UnitGap   = 0.1
)

// Minimum and maximum size of a widget's main figure, in px on a screen whose shorter side has 720 px.
const (
	figureLeast = 56
	FigureMost  = 92
)

// NewFigure creates the figure of a value at the top of a box. The parameters in `t` set the style and the alignment.
func NewFigure(b *kit.Builder, s *kit.Spec, t *kit.Typed, w *format.Wording, in kit.Input, box image.Rectangle, empty string) *Figure {
	big := b.Typed(s, t, "figure")
	if t.Style == "" && t.TextSize == 0 {
		big = Roomy(b, big, box)
	}
	return FigureAt(b, s, t, w, in, box, empty, big)
}

// FigureAt creates the figure of a value in the given face.
func FigureAt(b *kit.Builder, s *kit.Spec, t *kit.Typed, w *format.Wording, in kit.Input, box image.Rectangle, empty string, big kit.Face) *Figure {
	f := &Figure{
		B: b, box: box, In: in, unit: kit.InputOf(b, s, w.Unit, kit.AnyOf[string]), Color: kit.InputOf(b, s, t.Color, kit.ColorOf),
		word: b.Formatter(s, w), empty: empty, muted: b.Role("muted"), Edge: b.EdgeOf(t.Align), Valign: kit.VerticalOf(t.VerticalAlign),
	}
	st := b.Look.Styles["figure"]
	if t.Style != "" {
		st = b.Look.Styles[t.Style]
	}
	st.Weight, st.Tracking = 400, 0
	f.small = st
	small := b.FaceAt(st, f.unitSize(big.Size))
	f.Main = b.Caption(big, box, kit.EdgeStart)
	f.Main.Least = min(big.Size, b.Least())
	f.Member = b.Member(s, t)
	f.Tail = b.Caption(small, box, kit.EdgeStart)
	f.second = b.Caption(big, box, kit.EdgeStart)
	f.second.Least = f.Main.Least
	f.Say(time.Time{})
	return f
}

// Roomy returns f in a size that suits the box. With the usual face, the size is between figureLeast and FigureMost. The size is never
// above the height of the box.
func Roomy(b *kit.Builder, f kit.Face, box image.Rectangle) kit.Face {
	st := b.Look.Styles["figure"]
	factor := float64(f.Size) / max(1, st.Size)
	px := min(float64(box.Dy())*0.7, float64(box.Dx())*0.3, FigureMost*factor)
	px = max(px, min(float64(f.Size), figureLeast*factor))
	return b.FaceAt(st, int(min(px, float64(box.Dy()))))
}

// Say formats the current value for the time `now`.
func (f *Figure) Say(now time.Time) {
	v, ok := f.In.Value()
	f.Said = f.word.Say(v, ok, now)
	if f.Said.None {
		f.Said.Text = "—"
		if ok && f.empty != "" {
			f.Said.Text = f.empty
		}
	}
	if f.Headed && f.Said.Range != "" && f.Said.IsNum { // the title line already shows the text of the range
		f.Said.Text, f.Said.Told = string(f.word.Append(nil, v, &f.Said, now)), false
	}
	f.Ink = f.Color.Color(f.B, f.B.Role("text"))
	if f.Said.Color != nil {
		f.Ink = render.Premultiply(*f.Said.Color)
	}
	if f.Said.None {
		f.Ink = f.muted
	}
	unit := f.unit.Text()
	if f.Said.None || !f.Said.IsNum || f.Said.Told { // only numbers have a unit
		unit = ""
	}
	f.whole = f.Said.Text
	f.place(unit)
	if f.Member != nil && f.Main.Fits > 0 {
		f.resize(f.Member.Fit(f.Main.Fits), unit)
	}
}

// resize limits the number to the text size of its group, in px.
func (f *Figure) resize(px int, unit string) {
	if px == f.Main.Most {
		return
	}
	f.Main.Limit(px)
	f.Tail.Face = f.B.FaceAt(f.small, f.unitSize(f.size()))
	f.Tail.Raw = ""
	f.place(unit)
}

// unitSize returns the size in px of the unit of a number. The unit of a small number is larger than usual, because it would be unreadable.
func (f *Figure) unitSize(number int) int {
	readable := min(f.B.Face("label").Size, number/2)
	return max(f.B.Least(), int(float64(number)*UnitShare), readable)
}

// size() returns the current text size of the number in px. This is the smaller of two sizes: the size of its face and the size of its
// group.
func (f *Figure) size() int {
	if most := f.Main.Most; most > 0 && most < f.Main.Face.Size {
		return most
	}
	return f.Main.Face.Size
}

// high() returns the line height of the number in px.
func (f *Figure) high() int { return f.Main.Face.Line * f.size() / max(1, f.Main.Face.Size) }

// place() sets the texts of the number and the unit, and places the unit after the number.
func (f *Figure) place(unit string) {
	unit = f.choose(unit)
	box := f.box
	if f.inTwo() {
		return
	}
	f.Tail.Set(unit)
	gap := 0
	if unit != "" && !Hugs(unit) {
		gap = int(float64(f.size()) * UnitGap)
	}
	raised := Hugs(unit)
	if raised { // a degree sign is part of the number
		f.Tail.Set("")
		f.Main.Place(image.Rect(box.Min.X, box.Min.Y, box.Max.X, box.Min.Y+f.high()))
		f.Main.Set(f.Said.Text + "°")
		if rest := unit[len("°"):]; unit != "°" && rest != "" {
			f.Tail.Set(rest)
		}
	} else {
		room := f.Tail.Width() + gap
		f.Main.Place(image.Rect(box.Min.X, box.Min.Y, max(box.Min.X, box.Max.X-room), box.Min.Y+f.high()))
		f.Main.Set(f.Said.Text)
		if unit != "" && f.Main.Shortened() {
			f.Tail.Set("")
			f.Main.Place(image.Rect(box.Min.X, box.Min.Y, box.Max.X, box.Min.Y+f.high()))
		}
	}
	if x := f.Main.At.X + f.Main.Width() + gap; f.Tail.Raw != "" && x+f.Tail.Width() > box.Max.X {
		f.Tail.Set("") // no room for the unit, because the number is more important
	}
	if f.Tail.Raw != "" {
		x := f.Main.At.X + f.Main.Width() + gap
		f.Tail.Place(image.Rect(x, box.Min.Y, max(x, box.Max.X), box.Min.Y+f.high()))
		f.Tail.At.Y = f.Main.At.Y
		f.Tail.Ink = f.Tail.Line.Ink().Add(f.Tail.At)
	}
	switch {
	case f.Centered:
		f.center(gap)
	case f.Edge != kit.EdgeStart || f.Valign != text.Top:
		f.stand(gap)
	}
}

// stand() moves the number and the unit to the position in the box that the alignment requires.
func (f *Figure) stand(gap int) {
	wide, high := f.Main.Width(), f.high()
	if f.Tail.Raw != "" {
		wide += gap + f.Tail.Width()
	}
	f.Main.Arrange()
	at := image.Pt(f.box.Min.X, f.Main.At.Y)
	switch f.Edge {
	case kit.EdgeCenter:
		at.X += (f.box.Dx() - wide) / 2
	case kit.EdgeEnd:
		at.X += f.box.Dx() - wide
	}
	switch f.Valign {
	case text.Middle:
		at.Y += (f.box.Dy() - high) / 2
	case text.Bottom:
		at.Y += f.box.Dy() - high
	}
	f.put(at, gap)
}

// put places the number and the unit. `at` is the start of their baseline.
func (f *Figure) put(at image.Point, gap int) {
	f.Main.At = at
	f.Main.Ink = f.Main.Line.Ink().Add(f.Main.At)
	f.Tail.At = image.Pt(f.Main.At.X+f.Main.Width()+gap, f.Main.At.Y)
	f.Tail.Ink = image.Rectangle{}
	if f.Tail.Raw != "" {
		f.Tail.Ink = f.Tail.Line.Ink().Add(f.Tail.At)
	}
}

// center() moves the number and the unit to the middle of the box. For the vertical position, only the height of the digits counts.
func (f *Figure) center(gap int) {
	wide := f.Main.Width()
	if f.Tail.Raw != "" {
		wide += gap + f.Tail.Width()
	}
	if wide > f.box.Dx() && f.Tail.Raw != "" { // no room for the unit
		f.Tail.Set("")
		wide = f.Main.Width()
	}
	f.put(image.Pt(f.box.Min.X+(f.box.Dx()-wide)/2, (f.box.Min.Y+f.box.Max.Y+int(float64(f.Main.Size)*CapHeight))/2), gap)
}

// Hugs reports whether a unit follows its number without a gap. This is true for units that start with a degree sign.
func Hugs(unit string) bool { return len(unit) >= len("°") && unit[:len("°")] == "°" }

// Update loads a new value and reports whether the figure changed.
func (f *Figure) Update(t render.Tick) bool {
	changed := f.In.Update(t)
	changed = f.unit.Update(t) || changed
	changed = f.Color.Update(t) || changed
	size := f.Member.Size()
	if !changed && size == f.Main.Most {
		return false
	}
	t.Damage(f.Painted())
	f.Stale = f.In.Stale
	f.Say(t.Now())
	t.Damage(f.Painted())
	f.Member.Tell(t, size)
	return true
}

// Paint draws the figure.
func (f *Figure) Paint(c render.Canvas) {
	ink, muted := f.Ink, f.muted
	if f.Stale {
		ink, muted = f.B.Old(ink), f.B.Old(muted)
	}
	f.Main.Paint(c, ink)
	f.second.Paint(c, ink)
	f.Tail.Paint(c, muted)
}

// Height returns the height of the figure, in px.
func (f *Figure) Height() int { return f.Main.Face.Line }

// Width returns the width of the figure, in px.
func (f *Figure) Width() int {
	n := f.Main.Width()
	if f.Tail.Raw != "" {
		n = f.Tail.At.X - f.Main.At.X + f.Tail.Width()
	}
	return n
}
