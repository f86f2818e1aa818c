package piece

import (
	"image"

	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
)

// `tight` is a share of the text size. A value shrinks to this share before it takes a shorter form or a second line.
const tight = 0.6

// choose sets the longest form of a number that fits. It returns the unit to show, or "" if there is no room for the unit. A number is
// never cut. First, the text shrinks to the share `tight`. Then the number loses its decimals or becomes compact. After that, the text
// shrinks to the minimum size. If the number still does not fit, a dash replaces it.
func (f *Figure) choose(unit string) string {
	f.Said.Text = f.whole
	if !f.word.IsNumber(&f.Said) {
		return unit
	}
	for _, least := range [...]int{int(float64(f.size()) * tight), f.Main.Least} {
		for _, u := range [...]string{unit, hug(unit)} {
			room := f.room(u)
			text, ok := f.word.Fitting(f.buf[:0], &f.Said, func(text []byte) bool { return f.fits(text, u, max(least, f.Main.Least), room) })
			f.buf = text
			if !ok {
				continue
			}
			if string(text) != f.whole {
				f.Said.Text = string(text)
			}
			return u
		}
	}
	f.Said.Text = format.NoValue
	return ""
}

// hug returns the short form of a unit: a degree sign or nothing.
func hug(unit string) string {
	if Hugs(unit) {
		return "°"
	}
	return ""
}

// room() returns the width in px that remains for a number before its unit.
func (f *Figure) room(unit string) int {
	rest := unit
	if Hugs(unit) {
		rest = unit[len("°"):]
	}
	if rest == "" {
		return f.box.Dx()
	}
	room := f.box.Dx() - f.B.TextWidth(f.Tail.Face, rest)
	if !Hugs(unit) {
		room -= int(float64(f.size()) * UnitGap)
	}
	return room
}

// fits() reports whether a number with its unit is at most `room` px wide. The text may shrink to the size `least`, in px. Only a degree
// sign at the start of the unit counts for the width.
func (f *Figure) fits(number []byte, unit string, least, room int) bool {
	if Hugs(unit) {
		number = append(number, "°"...)
	}
	f.B.Text.ShapeBytes(&f.B.Scratch, f.Main.Face.Font, f.Main.Face.Size, number)
	return f.B.Scratch.Width()*min(least, f.Main.Face.Size) <= room*f.Main.Face.Size
}

// inTwo shows a text in two lines, if the text would be too small in one line. The two lines together have the height of one line. inTwo
// reports whether it shows two lines.
func (f *Figure) inTwo() bool {
	f.second.Set("")
	if f.Main.Edge != kit.EdgeStart { // undo the layout of an earlier text with two lines
		f.Main.Edge, f.Main.Box = kit.EdgeStart, image.Rectangle{}
	}
	small := int(float64(f.size()) * tight)
	wide, room := f.B.TextWidth(f.Main.Face, f.Said.Text), f.box.Dx()*f.Main.Face.Size
	if f.Said.IsNum && !f.Said.Told || wide*small <= room || wide*f.Main.Least > 2*room {
		return false
	}
	high := min(f.high(), f.box.Dy())
	first, more, size := f.B.TwoLines(f.Main.Face, f.Said.Text, f.Main.Least, f.box.Dx())
	size = min(size, high*10/23)
	if one := room / max(1, wide); more == "" || size <= one || size < f.Main.Least {
		return false
	}
	f.Tail.Set("")
	f.Tail.Ink = image.Rectangle{}
	top, most := f.box.Min.Y, f.Main.Most
	for i, c := range [...]*kit.Caption{f.Main, f.second} {
		c.Most, c.Edge, c.Box = size, f.Edge, image.Rectangle{}
		c.Set([...]string{first, more}[i])
		c.Place(image.Rect(f.box.Min.X, top+i*high/2, f.box.Max.X, top+(i+1)*high/2))
	}
	f.Main.Most = most
	return true
}

// State returns the state of the value. For an outdated value, it returns the zero State.
func (f *Figure) State() kit.State {
	if f.Stale {
		return kit.State{}
	}
	return f.B.StateOf(&f.Said)
}

// Painted returns the rectangle around all painted pixels.
func (f *Figure) Painted() image.Rectangle { return f.Main.Ink.Union(f.Tail.Ink).Union(f.second.Ink) }
