package piece

import (
	"image"

	"dashboard/widgets/kit"
)

// tight is the share of its size to which a value shrinks before it takes a shorter form or a second line.
const tight = 0.6

// choose sets the form of a number that fits, and returns its unit, or "" if there is no room for it. A number is never cut. First
// its type shrinks to 0.6 of its size. Then its decimals are removed, then it becomes compact, then its type shrinks further, and
// at last a dash replaces it.
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

// hug returns the short form of a unit, which is at most a degree sign.
func hug(unit string) string {
	if Hugs(unit) {
		return "°"
	}
	return ""
}

// room returns the width for a number next to its unit, in px.
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

// fits reports whether a number with a unit fits into room, in px, in type of the size least.
func (f *Figure) fits(number []byte, unit string, least, room int) bool {
	if Hugs(unit) {
		number = append(number, "°"...)
	}
	f.B.Text.ShapeBytes(&f.B.Scratch, f.Main.Face.Font, f.Main.Face.Size, number)
	return f.B.Scratch.Width()*min(least, f.Main.Face.Size) <= room*f.Main.Face.Size
}

// inTwo shows text that would be small in one line in two lines within the same height. It reports whether it does.
func (f *Figure) inTwo() bool {
	f.second.Set("")
	if f.Main.Edge != kit.EdgeStart { // the previous text had two lines
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

// State returns the state of the value, unless the value is outdated.
func (f *Figure) State() kit.State {
	if f.Stale {
		return kit.State{}
	}
	return f.B.StateOf(&f.Said)
}

// Painted returns the rectangle of all ink.
func (f *Figure) Painted() image.Rectangle { return f.Main.Ink.Union(f.Tail.Ink).Union(f.second.Ink) }
