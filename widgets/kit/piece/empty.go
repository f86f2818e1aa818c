package piece

import (
	"image"
	"image/color"

	"dashboard/render"
	"dashboard/render/text"
	"dashboard/widgets/kit"
)

// Empty is shown instead of missing data: an icon, a sentence, and an optional second sentence, all centered in a box.
type Empty struct {
	b          *kit.Builder
	box        image.Rectangle
	mark       *kit.Mark
	text, note sentence
	on         bool
}

// A sentence is a text that takes several lines if it does not fit on one line in its smallest size.
type sentence struct {
	*kit.Caption
	lines *Paragraph // nil if the text has one line
	box   image.Rectangle
}

// Proportions of an Empty.
const (
	emptyIcon     = 44 // side in px, on a screen whose shorter side has 720 px
	emptyLines    = 4  // minimum height of a box with an icon, as a multiple of the line height
	sentenceLines = 3  // maximum number of lines of a sentence
)

// NewEmpty returns an Empty without text for a box.
func NewEmpty(b *kit.Builder, box image.Rectangle) *Empty {
	caption := func(style string) sentence {
		return sentence{Caption: b.Caption(b.Prose(style), image.Rectangle{}, kit.EdgeCenter)}
	}
	return &Empty{b: b, box: box, mark: b.Mark(image.Rectangle{}), text: caption("body"), note: caption("caption")}
}

// Roomy reports whether the box has room for the icon and a line of text.
func (e *Empty) Roomy() bool { return e.box.Dy() >= emptyLines*e.text.Face.Line }

// Say sets the icon and the texts. It reports whether they changed. If `text` is "", nothing is shown.
func (e *Empty) Say(icon, text, note string) (changed bool) {
	if e.on = text != ""; !e.on {
		return e.text.Set("") || changed
	}
	side, gap := e.b.Px(emptyIcon), e.text.Face.Line/3
	changed = e.mark.Set(icon)
	changed = e.text.Set(text) || changed
	changed = e.note.Set(note) || changed
	room := e.box.Dy() - side - gap
	least := 0
	if note != "" {
		least = e.note.Face.Line
	}
	high := e.text.wrap(e.b, e.box.Dx(), room-least)
	if note != "" {
		high += e.note.wrap(e.b, e.box.Dx(), room-high)
	}
	high += side + gap
	mid, y := (e.box.Min.X+e.box.Max.X)/2, e.box.Min.Y+(e.box.Dy()-high)/2
	e.mark.Place(image.Rect(mid-side/2, y, mid-side/2+side, y+side))
	y = e.text.place(e.box, y+side+gap)
	e.note.place(e.box, y)
	return changed
}

// wrap computes the lines of the text for a width and a height in px. It returns the height of the lines.
func (s *sentence) wrap(b *kit.Builder, wide, high int) int {
	s.lines = nil
	s.Place(image.Rect(0, 0, wide, s.Face.Line))
	n := min(sentenceLines, high/s.Face.Line)
	if least := (kit.Face{Font: s.Face.Font, Size: s.Size}); n < 2 || b.TextWidth(least, s.Raw) <= wide {
		return s.Face.Line
	}
	s.lines = &Paragraph{B: b, Face: s.Face, Edge: s.Edge, Valig: text.Middle, Least: s.Least}
	for s.lines.Lines = n; ; s.lines.Lines = s.lines.Block.Lines() {
		high = s.lines.Lines * s.Face.Line
		s.lines.Block = s.lines.BlockFor(image.Pt(wide, high))
		if s.lines.Set(s.Raw); s.lines.Block.Lines() >= s.lines.Lines { // if the text needs fewer lines, repeat with a lower box
			return high
		}
	}
}

// place() places the text in a box, from y on. It returns the y coordinate at which the text ends.
func (s *sentence) place(in image.Rectangle, y int) int {
	in.Min.Y, in.Max.Y = y, y+s.Face.Line
	if s.lines != nil {
		in.Max.Y = y + s.lines.Lines*s.Face.Line
	}
	s.box = in
	s.Place(in)
	return in.Max.Y
}

// paint draws the text.
func (s *sentence) paint(c render.Canvas, ink color.RGBA) {
	if s.lines != nil {
		s.lines.Paint(c.In(s.box), ink)
	} else {
		s.Paint(c, ink)
	}
}

// shortened() reports whether the text is cut.
func (s *sentence) shortened() bool {
	if s.lines != nil {
		return s.lines.Block.Shortened()
	}
	return s.Shortened()
}

// Whole reports whether the icon and both texts fit completely.
func (e *Empty) Whole() bool {
	last := e.text
	if e.note.Raw != "" {
		last = e.note
	}
	return !e.text.shortened() && !last.shortened() && e.mark.Box.In(e.box) && last.box.In(e.box)
}

// Text returns the shown text, or "".
func (e *Empty) Text() string { return e.text.Raw }

// Paint draws the icon and the texts.
func (e *Empty) Paint(c render.Canvas) {
	if !e.on {
		return
	}
	e.mark.Paint(c, e.b.Role("faint"))
	e.text.paint(c, e.b.Role("text"))
	e.note.paint(c, e.b.Role("muted"))
}
