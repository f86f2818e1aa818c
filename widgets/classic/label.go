package classic

import (
	"image"

	"dashboard/render"
	"dashboard/theme"
	"dashboard/widgets/arrange"
	"dashboard/widgets/kit"
)

// LabelParams are the parameters of the label widget.
type LabelParams struct {
	// The label.
	Text string `yaml:"text" required:"true"`
	// Position of the label.
	Position string `yaml:"position" default:"above" enum:"above,below" else:"none"`
	// Font file (.ttf, .otf or .ttc). Default: the built-in bold font.
	FontPath string `yaml:"font_path"`
	// Largest size of the label, before scaling by graphics.text-scale. Default: as large as fits.
	TextSize float64 `yaml:"text_size" min:"0" unit:"px"`
	// Color of the label.
	Color theme.Color `yaml:"color" alias:"text_color" default:"white"`
	// Keeps the size of a long label and ends the label with an ellipsis.
	Ellipsis bool `yaml:"ellipsis" default:"false"`
}

// label is a line of text above or below a widget.
type label struct {
	words    *kit.Words
	at, room image.Rectangle // rectangles of the label and of the child
	child    render.Widget
}

func buildLabel(b *kit.Builder, s *kit.Spec, p *LabelParams, size image.Point) render.Widget {
	l := &label{}
	vertical := "center"
	switch p.Position {
	case noCaption:
		return l.firstChild(b, s, size)
	case "below":
		vertical = "top"
		rows := arrange.Spans(size.Y, []float64{2, 1})
		l.room, l.at = arrange.RowRect(size.X, rows[0]), arrange.RowRect(size.X, rows[1])
	default:
		rows := arrange.Spans(size.Y, []float64{1, 2})
		l.at, l.room = arrange.RowRect(size.X, rows[0]), arrange.RowRect(size.X, rows[1])
	}
	look := kit.Lettering{FontPath: p.FontPath, TextSize: p.TextSize, Color: p.Color, Ellipsis: p.Ellipsis}
	l.words = b.Words(s, l.at.Size(), look, kit.Placement{Padding: 0, Align: "center", Vertical: vertical}, kit.Backdrop{})
	l.words.Block.Set(p.Text)
	l.child = l.firstChild(b, s, l.room.Size())
	return l
}

// noCaption replaces a position that is unknown. Like Grydgets, the widget then draws no label.
const noCaption = "none"

// firstChild builds the first child, or a blank widget if there is no child.
func (*label) firstChild(b *kit.Builder, s *kit.Spec, size image.Point) render.Widget {
	if len(s.Children) > 0 {
		return b.Build(s.Children[0], size)
	}
	return kit.Blank{}
}

// Update implements render.Widget.
func (l *label) Update(t render.Tick) { l.child.Update(t.In(l.room)) }

// Paint implements render.Widget.
func (l *label) Paint(c render.Canvas) {
	if c.Sees(l.at) {
		l.words.Draw(c.In(l.at))
	}
	if c.Sees(l.room) {
		l.child.Paint(c.In(l.room))
	}
}

// Reach implements kit.Holder.
func (l *label) Reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return p.In(l.room) && each(l.child, p.Sub(l.room.Min))
}
