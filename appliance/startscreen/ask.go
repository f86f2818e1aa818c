package startscreen

import (
	"image"
	"image/color"
	"strings"

	"dashboard/render"
	"dashboard/render/text"
)

// An Ask turns a note into a question in the middle of the wall. Content.Name is then the code to enter on the other device, and
// Content.Version is the question.
type Ask struct {
	From      string // browser and system that sent the request, such as "Chrome on Android", or ""
	At, Until string // times of day of the request and of its end
	Refuse    bool   // true if a person can refuse with a touchscreen or a remote
	Language  string // language of the words, such as "de"
}

// Lengths of a question in px, for a picture of 1280x720.
const (
	askWide    = 780
	askLeast   = 300 // least width on a small wall, if the wall is wide enough. The sentences need it
	askPad     = 40
	askIcon    = 48
	askButton  = 56 // height of the button
	askButtons = 184
	askRadius  = 18
	askGap     = 16
	askGroups  = 44  // gap between the two groups of digits
	askShade   = 184 // opacity of the shade over the wall, from 0 to 255
)

// A question is the layout of an Ask.
type question struct {
	guidePainter
	words                      *AskWords
	card                       image.Rectangle
	title, caption, digits, do face
}

// Question returns a picture with a question, for drawing over the wall. The picture darkens the wall around the card with the question.
// `card` and `button` are the rectangles of the card and of its button. If Ask.Refuse is false, there is no button, and `button` is
// empty.
func Question(wall image.Point, c Content, night bool, cache *text.Cache) (pic *image.RGBA, card, button image.Rectangle) {
	pic = image.NewRGBA(image.Rectangle{Max: wall})
	q := &question{guidePainter: guidePainter{painter: newPainter(wall, cache, night), canvas: render.NewCanvas(pic), size: wall, scale: scaleOf(wall)}, words: WordsOf(c.Ask.Language)}
	q.title, q.caption = q.font(26, 20, titleWeight, false), q.font(20, 16, 400, false)
	q.digits, q.do = q.font(144, 48, 250, true), q.font(26, 20, 400, false)
	q.digits.line = q.digits.size
	until := With(q.words.until, c.Ask.Until)
	size := image.Pt(min(max(q.at(askWide), askLeast), wall.X-q.at(askPad)), q.title.line+2*q.caption.line+q.digits.line+q.do.line+q.at(134))
	beside := max(q.width(until, q.caption), q.width(q.words.orRefuse, q.caption)) <= size.X-2*q.at(askPad)-q.at(askGap)-q.button().X
	switch {
	case c.Ask.Refuse && beside:
		size.Y += q.caption.line
	case c.Ask.Refuse:
		size.Y += q.button().Y + q.at(askGap)
	}
	at := wall.Sub(size).Div(2)
	q.card = image.Rectangle{Min: at, Max: at.Add(size)}
	q.canvas.Fill(pic.Rect, color.RGBA{A: askShade})
	q.canvas.FillRound(q.card, render.NewCorner(q.at(askRadius), size), q.color("raised"))
	room := q.card.Inset(q.at(askPad))
	room.Min.Y, room.Max.Y = q.card.Min.Y+q.at(32), q.card.Max.Y-q.at(34)
	more := ""
	if c.Ask.Refuse {
		button = q.refuse(room)
		if beside {
			more = q.words.orRefuse
		}
	}
	q.write(c, room, until, more)
	return pic, q.card, button
}

// write paints the icon and the lines of a question.
func (q *question) write(c Content, room image.Rectangle, last ...string) {
	side, y := q.at(askIcon), room.Min.Y
	q.glyph("cellphone-key", "accent", side, image.Pt(room.Min.X+side/2, y+(q.title.line+q.caption.line)/2))
	row := func(s string, f face, ink string, indent int) {
		q.line(s, f, ink, image.Rect(room.Min.X+indent, y, room.Max.X, y+f.line))
		y += f.line
	}
	row(c.Version, q.title, "text", side+q.at(askGap))
	row(q.origin(c.Ask, room.Dx()-side-q.at(askGap)), q.caption, "muted", side+q.at(askGap))
	y += q.at(24)
	first, second, _ := strings.Cut(c.Name, " ")
	q.line(second, q.digits, "text", image.Rect(room.Min.X+q.width(first, q.digits)+q.at(askGroups), y, room.Max.X, y+q.digits.line))
	row(first, q.digits, "text", 0)
	y += q.at(20)
	row(q.words.enter, q.do, "text", 0)
	y += q.at(24)
	for _, s := range last {
		question, _, _ := strings.Cut(s, "?")
		if m := q.mix(s, []string{question + "?"}, q.caption, room.Dx(), 1); m != nil {
			q.paintMixed(m, "muted", "text", image.Pt(room.Min.X, y))
			y += q.caption.line
			continue
		}
		row(s, q.caption, "muted", 0)
	}
}

// button returns the size of the button.
func (q *question) button() image.Point {
	return image.Pt(max(q.at(askButtons), q.width(q.words.refuse, q.caption)+q.at(80)), max(44, q.at(askButton)))
}

// origin returns the line about the request: its time, after the browser if there is room for both.
func (q *question) origin(a *Ask, room int) string {
	asked := With(q.words.asked, a.At)
	if a.From == "" {
		return asked
	}
	both := strings.Replace(a.From, " on ", q.words.on, 1) + " · " + asked
	if q.width(both, q.caption) > room {
		return asked
	}
	return both
}

// refuse paints the button at the lower right of the rectangle `room`, and returns the button's rectangle.
func (q *question) refuse(room image.Rectangle) image.Rectangle {
	size := q.button()
	place := image.Rectangle{Min: room.Max.Sub(size), Max: room.Max}
	q.canvas.FillRound(place, render.NewCorner(q.at(14), size), q.color("line"))
	side, wide := q.at(24), q.width(q.words.refuse, q.caption)
	x := place.Min.X + (size.X-side-q.at(12)-wide)/2
	q.glyph("close", "text", side, image.Pt(x+side/2, place.Min.Y+size.Y/2))
	x += side + q.at(12)
	top := place.Min.Y + (size.Y-q.caption.line)/2
	q.line(q.words.refuse, q.caption, "text", image.Rect(x, top, place.Max.X, top+q.caption.line))
	return place
}
