package startscreen

import (
	"image"

	"dashboard/internal/qrcode"
	"dashboard/render"
	"dashboard/render/text"
)

// Lengths of the start screen in px, for a short side of 720 px.
const (
	codeCard  = 352 // width of the card with the code
	cardGap   = 30  // gap between the facts and the card
	factInset = 12  // distance of the facts from the margin
	factGap   = 15  // space above and below a fact
	factMore  = 8   // maximum space that is added above and below a fact
	detailGap = 4   // gap above a detail
	tightGap  = 5   // space above and below a fact if the facts do not fit with factGap
	factIcon  = 28
	barHigh   = 5
	barBelow  = 14
)

// leastFacts is the minimum width of the facts next to the card, as a multiple of the body's line height. If there is less room, the start
// screen has no card.
const leastFacts = 12

// The name of the wall is larger and lighter than a headline, because it is the only one on the screen.
const (
	nameShare  = 1.12
	nameWeight = 300
)

// largeFacts is a share of the height of the area for facts. If the facts in a larger style need less, they have this style.
const largeFacts = 0.7

// leastLines is a number of lines of the body text. If the space for the name and the facts is higher than these lines, there is a gap
// above the name.
const leastLines = 9

// Screen paints the start screen over the whole picture `dst`: the name, the facts, the progress and a card with the address. It uses the
// colors of the night theme, because a dark picture does not flash.
func Screen(dst *image.RGBA, c Content, cache *text.Cache) {
	size := dst.Rect.Size()
	s := screen{painter: newPainter(size, cache, true), canvas: render.NewCanvas(dst)}
	s.canvas.Fill(image.Rectangle{Max: size}, s.color("background"))
	if c.Code == nil && c.Address != "" {
		c.Code, _ = qrcode.Encode("http://" + c.Address + "/") // an address is always short enough for a code
	}
	room := image.Rectangle{Max: size}.Inset(s.px(s.look.Sizes.Margin))
	room = s.card(c, room)
	inset := s.px(factInset)
	room.Min.X += inset
	if room.Max.X == size.X-s.px(s.look.Sizes.Margin) {
		room.Max.X -= inset
	}
	room.Max.Y = s.progress(c, room)
	if room.Dy() > leastLines*s.face("body").line { // with this gap, the name is in line with the code in the card
		room.Min.Y += inset
	}
	room.Min.Y = s.head(c, room)
	s.facts(c.Lines, room)
}

// A screen has the values that are needed while a start screen is painted.
type screen struct {
	*painter
	canvas render.Canvas
	large  bool // true if the facts have a larger style
}

// write paints words inside the rectangle `at`, in at most the given number of lines, and returns the height of the painted text in px.
func (s *screen) write(words string, f face, at image.Rectangle, lines int, align text.Align, role string) int {
	b := text.NewBlock(s.cache, text.Options{
		Font: f.font, Size: f.size, Box: image.Pt(max(1, at.Dx()), lines*f.line), Wrap: lines > 1, Ellipsis: true, Lines: lines, Align: align, VAlign: text.Top,
	})
	b.Set(s.written(words, f))
	b.Paint(s.canvas.Dst, s.canvas.Clip, s.canvas.Org.Add(at.Min), s.color(role))
	return max(1, b.Lines()) * f.line
}

// airy returns a length in px, or 0 on a small screen.
func (s *screen) airy(length float64) int {
	if s.shorter < oneCode {
		return 0
	}
	return s.px(length)
}

// wide() returns the width of a text in px.
func (s *screen) wide(words string, f face) int {
	var line text.Line
	s.cache.Shape(&line, f.font, f.size, s.written(words, f))
	return line.Width()
}

// card paints the address and its code at the right of the rectangle `room`, or at the bottom of an upright picture. It returns the rest of
// this rectangle.
func (s *screen) card(c Content, room image.Rectangle) image.Rectangle {
	body := s.face("body")
	if c.Code == nil {
		return room
	}
	pad, gap := s.px(s.look.Sizes.Padding), s.px(cardGap)
	module := moduleSize(c.Code, s.px(codeCard)-2*pad)
	if s.shorter < oneCode {
		module = 3 // minimum size of a module in px, which a phone's camera needs
	}
	wide := module*(c.Code.Side+2*qrcode.Quiet) + 2*pad
	at, rest := room, room
	if room.Dy() > room.Dx() {
		at.Min.Y = room.Max.Y - wide
		rest.Max.Y = at.Min.Y - gap
	} else {
		at.Min.X = room.Max.X - wide
		rest.Max.X = at.Min.X - gap
		if rest.Dx() < leastFacts*body.line || wide > room.Dy() {
			return room
		}
	}
	m := moduleSize(c.Code, min(wide, at.Dy())-2*pad)
	s.canvas.FillRound(at, render.NewCorner(s.px(s.look.Sizes.Radius), at.Size()), s.color("surface"))
	in := at.Inset(pad)
	side := m * (c.Code.Side + 2*qrcode.Quiet)
	s.code(s.canvas, c.Code, in.Min, side)
	words := image.Rect(in.Min.X, in.Min.Y+m*(c.Code.Side+2*qrcode.Quiet), in.Max.X, in.Max.Y)
	if room.Dy() > room.Dx() {
		words = image.Rect(in.Min.X+side+pad, in.Min.Y, in.Max.X, in.Max.Y)
	}
	s.address(c, words, room.Dy() > room.Dx())
	return rest
}

// address writes the address at the bottom of a box, or in the middle of the box if the picture is upright.
func (s *screen) address(c Content, box image.Rectangle, upright bool) {
	label, strong := s.face("caption"), s.strong("body")
	if c.Address == "" || box.Dy() < label.line+strong.line {
		return
	}
	gap := s.airy(detailGap)
	if free := box.Dy() - label.line - gap - strong.line; upright {
		box.Min.Y += free / 2
	} else {
		box.Min.Y += free
	}
	const above = "Open in a browser"
	label.size = max(least, s.cache.FitWidth(label.font, above, label.size, box.Dx()))
	box.Min.Y += s.write(above, label, box, 1, text.Left, "muted") + gap
	// A smaller size is better than a cut address, because a person has to type the address.
	strong.size = max(least, s.cache.FitWidth(strong.font, c.Address, strong.size, box.Dx()))
	s.write(c.Address, strong, box, 1, text.Left, "text")
}

// progress() paints the current activity at the bottom of the rectangle `room`. If the share of the completed work is known, a bar is above
// the text. It returns the y coordinate at which the space for facts ends.
func (s *screen) progress(c Content, room image.Rectangle) int {
	if c.Doing == "" {
		return room.Max.Y
	}
	f := s.face("caption")
	top := room.Max.Y - f.line
	s.write(c.Doing, f, image.Rect(room.Min.X, top, room.Max.X, room.Max.Y), 1, text.Left, "muted")
	if c.Share <= 0 {
		return top - s.px(factGap)
	}
	high := max(2, s.px(barHigh))
	bar := image.Rect(room.Min.X, top-s.px(barBelow), room.Max.X, top-s.px(barBelow)+high)
	s.bar(bar, "line")
	bar.Max.X = bar.Min.X + int(float64(bar.Dx())*min(c.Share, 1)+0.5)
	if bar.Dx() >= high {
		s.bar(bar, "accent")
	}
	return bar.Min.Y - s.px(factGap)
}

func (s *screen) bar(r image.Rectangle, role string) {
	s.canvas.FillRound(r, render.NewCorner(r.Dy()/2, r.Size()), s.color(role))
}

// head writes the name, the version, and a rule below them. The version is at the end of the name's line, or on the next line if there is
// no room. head returns the y coordinate at which the facts begin.
func (s *screen) head(c Content, room image.Rectangle) int {
	title, note := s.scaled("headline", nameShare, nameWeight), s.face("caption")
	if s.shorter < oneCode {
		title = s.weighted("headline", nameWeight)
	}
	y, end := room.Min.Y, room.Max.X
	if c.Version != "" && s.wide(c.Name, title)+s.wide(c.Version, note)+s.px(cardGap) <= room.Dx() {
		base := s.cache.Metrics(title.font, title.size).Ascent - s.cache.Metrics(note.font, note.size).Ascent
		s.write(c.Version, note, image.Rect(room.Min.X, y+base, room.Max.X, y+base+note.line), 1, text.Right, "muted")
		end -= s.wide(c.Version, note) + s.px(cardGap)
		c.Version = ""
	}
	y += s.write(c.Name, title, image.Rect(room.Min.X, y, end, y+title.line), 1, text.Left, "text")
	if c.Version != "" {
		y += s.write(c.Version, note, image.Rect(room.Min.X, y, room.Max.X, y+note.line), 1, text.Left, "muted")
	}
	y += s.px(factGap)
	s.rule(room, y)
	return y
}

func (s *screen) rule(room image.Rectangle, y int) {
	s.canvas.Fill(image.Rect(room.Min.X, y, room.Max.X, y+max(1, s.px(1))), s.color("line"))
}
