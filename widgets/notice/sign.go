package notice

import (
	"image"

	"dashboard/provider"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/widgets/kit"
)

// A Sign is a message about the state of the wall. It fills the screen. The zero Sign is not shown.
type Sign struct{ Title, Note string }

const (
	signPadding = 16 // divisor: the padding is the shorter side divided by signPadding
	signNote    = 12 // divisor: the text size of the note is the shorter side divided by signNote
	signRule    = 60 // divisor: the width of the frame is the shorter side divided by signRule
)

// sign shows a message about the state of the wall over the whole screen, in the colors of the banner.
type sign struct {
	cell  *provider.Cell // cell whose values are of type Sign
	seen  uint64         // Seq of the shown sample
	shown bool
	all   image.Rectangle
	rule  int // width of the frame, in px
	title *text.Block
	note  *text.Block
	split image.Point // top left corner of the note
}

// newSign returns the sign of a screen. It returns nil if the environment has no cell for signs.
func newSign(e *kit.Env, size image.Point) *sign {
	if e.Sign == nil {
		return nil
	}
	short := min(size.X, size.Y)
	high, pad := size.Y*5/8, max(1, short/signPadding)
	return &sign{
		cell: e.Sign, all: image.Rectangle{Max: size}, rule: max(1, short/signRule), split: image.Pt(0, high),
		title: text.NewBlock(e.Text, text.Options{Size: short / 3, Box: image.Pt(size.X, high), Padding: pad, Align: text.Center, VAlign: text.Bottom, Wrap: true, Lines: 2, Ellipsis: true, Least: bannerLeast}),
		note:  text.NewBlock(e.Text, text.Options{Size: max(bannerLeast, short/signNote), Box: image.Pt(size.X, size.Y-high), Padding: pad, Align: text.Center, Wrap: true, Lines: 2, Ellipsis: true, Least: bannerLeast}),
	}
}

// Regions implements Layer.
func (*sign) Regions(render.Tick) {}

// Update implements render.Widget.
func (s *sign) Update(t render.Tick) {
	sample := s.cell.Load()
	if sample.Seq == s.seen {
		return
	}
	s.seen = sample.Seq
	text, _ := sample.Value.(Sign)
	a, b := s.title.Set(text.Title), s.note.Set(text.Note)
	if shown := text != (Sign{}); a || b || shown != s.shown {
		s.shown = shown
		t.Damage(s.all)
	}
}

// Paint implements render.Widget.
func (s *sign) Paint(c render.Canvas) {
	if !s.shown {
		return
	}
	c.Fill(s.all, bannerEdge)
	c.Fill(s.all.Inset(s.rule), bannerColor)
	s.title.Paint(c.Dst, c.Clip, c.Org, bannerText)
	s.note.Paint(c.Dst, c.Clip, c.Org.Add(s.split), bannerText)
}
