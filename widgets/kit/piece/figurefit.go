package piece

import (
	"image"

	"dashboard/widgets/kit"
)

// tight is the share of its size to which the type of a value shrinks before the value takes a shorter form, or a second line.
const tight = 0.6

// choose takes the form of a number that fits, and returns its unit, or "" without room for it. A number is never cut: its type shrinks to
// 0.6 of its size, then its decimals leave, then it becomes compact, then its type shrinks further, and then a dash stands in its place.
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
	f.Said.Text = kit.NoValue
	return ""
}

// hug is the form of a unit in little room: a degree sign.
func hug(unit string) string {
	if Hugs(unit) {
		return "°"
	}
	return ""
}

// room is how much room a number has next to its unit, px.
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

// fits reports whether a number with a unit is at most so wide, px, in type of the least size.
func (f *Figure) fits(number []byte, unit string, least, room int) bool {
	if Hugs(unit) {
		number = append(number, "°"...)
	}
	f.B.Text.ShapeBytes(&f.B.Scratch, f.Main.Face.Font, f.Main.Face.Size, number)
	return f.B.Scratch.Width()*min(least, f.Main.Face.Size) <= room*f.Main.Face.Size
}

// inTwo shows words that would be small on one line on two, in the height of one, and reports whether it does.
func (f *Figure) inTwo() bool {
	f.second.Set("")
	if f.Main.Edge != kit.EdgeStart { // it was on two lines
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

// State is the condition of the value, as long as the value is not outdated.
func (f *Figure) State() kit.State {
	if f.Stale {
		return kit.State{}
	}
	return f.B.StateOf(&f.Said)
}

// Painted is where anything is drawn.
func (f *Figure) Painted() image.Rectangle { return f.Main.Ink.Union(f.Tail.Ink).Union(f.second.Ink) }
