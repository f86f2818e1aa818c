package piece

import (
	"image"

	"dashboard/render"
	"dashboard/widgets/kit"
)

// Empty is shown instead of missing data: an icon, a sentence, and an optional second sentence. They are centered in a box.
type Empty struct {
	b          *kit.Builder
	box        image.Rectangle
	mark       *kit.Mark
	text, note *kit.Caption
	on         bool
}

// Proportions of an Empty.
const (
	emptyIcon  = 44 // side in px, on a screen whose shorter side has 720 px
	emptyLines = 4  // minimum height of a box with an icon, as a multiple of the line height
)

// NewEmpty returns an Empty without text for a box.
func NewEmpty(b *kit.Builder, box image.Rectangle) *Empty {
	caption := func(style string) *kit.Caption { return b.Caption(b.Prose(style), image.Rectangle{}, kit.EdgeCenter) }
	return &Empty{b: b, box: box, mark: b.Mark(image.Rectangle{}), text: caption("body"), note: caption("caption")}
}

// Roomy reports whether the box has room for the icon and a line of text.
func (e *Empty) Roomy() bool { return e.box.Dy() >= emptyLines*e.text.Face.Line }

// Say sets the icon and the texts. It reports whether they changed. If text is "", nothing is shown.
func (e *Empty) Say(icon, text, note string) (changed bool) {
	if e.on = text != ""; !e.on {
		return e.text.Set("") || changed
	}
	side, gap := e.b.Px(emptyIcon), e.text.Face.Line/3
	high := side + gap + e.text.Face.Line
	if note != "" {
		high += e.note.Face.Line
	}
	mid, y := (e.box.Min.X+e.box.Max.X)/2, e.box.Min.Y+(e.box.Dy()-high)/2
	e.mark.Place(image.Rect(mid-side/2, y, mid-side/2+side, y+side))
	changed = e.mark.Set(icon)
	y += side + gap
	e.text.Place(image.Rect(e.box.Min.X, y, e.box.Max.X, y+e.text.Face.Line))
	e.note.Place(image.Rect(e.box.Min.X, y+e.text.Face.Line, e.box.Max.X, y+e.text.Face.Line+e.note.Face.Line))
	changed = e.text.Set(text) || changed
	return e.note.Set(note) || changed
}

// Text returns the shown text, or "".
func (e *Empty) Text() string { return e.text.Raw }

// Paint draws the icon and the texts.
func (e *Empty) Paint(c render.Canvas) {
	if !e.on {
		return
	}
	e.mark.Paint(c, e.b.Role("faint"))
	e.text.Paint(c, e.b.Role("text"))
	e.note.Paint(c, e.b.Role("muted"))
}
