package widgets

import (
	"image"
	"image/color"
	"math"

	"dashboard/render"
	"dashboard/render/picture"
	"dashboard/render/text"
	"dashboard/theme"
)

// Backdrop is the background parameters of text-like widgets.
type Backdrop struct {
	BackgroundColor *theme.Color `yaml:"background_color" doc:"Color of the whole area behind the content. Without one the background of whatever holds the widget shows."`
	CornerRadius    int          `yaml:"corner_radius" default:"0" unit:"px" doc:"Radius of the background's corners, at most half the shorter side."`
}

// Lettering is the parameters that say how text looks.
type Lettering struct {
	FontPath string      `yaml:"font_path" doc:"Font file (.ttf, .otf or .ttc). Without one the built-in bold font is used."`
	TextSize float64     `yaml:"text_size" min:"0" unit:"px" doc:"Largest size of the text, before text-scale; it shrinks until it fits. Without one it is as large as fits."`
	Color    theme.Color `yaml:"color" default:"white" doc:"Color of the text."`
	Wrap     bool        `yaml:"wrap" default:"false" doc:"Break lines between words instead of shrinking the text to one line."`
	Ellipsis bool        `yaml:"ellipsis" default:"false" doc:"End text that would have to shrink below its size with an ellipsis."`
}

// placement says where text stands in its widget, in the words of the configuration.
type placement struct {
	padding  int
	align    string // left, center, right
	vertical string // top, center, bottom
}

// rgba returns a configured color as it is painted; nil paints nothing.
func rgba(c *theme.Color) color.RGBA {
	if c == nil {
		return color.RGBA{}
	}
	return render.Premultiply(c.NRGBA)
}

// plate is a rounded rectangle of one color.
type plate struct {
	rect   image.Rectangle
	corner *render.Corner
	color  color.RGBA
}

func newPlate(c *theme.Color, radius int, rect image.Rectangle) plate {
	return plate{rect: rect, corner: render.NewCorner(radius, rect.Size()), color: rgba(c)}
}

func (p *plate) paint(c render.Canvas) { c.FillRound(p.rect, p.corner, p.color) }

// words is a text on a plate: what every text-like widget shows. It fills its cell.
type words struct {
	plate plate
	block *text.Block
	color color.RGBA
}

// words makes a text on a plate for a cell of the given size.
func (b *Builder) words(s *Spec, size image.Point, l Lettering, at placement, d Backdrop) *words {
	if px := b.textSize(l.TextSize); px > 0 && px < b.least() {
		b.smallText(s, px, "")
	}
	return &words{
		plate: newPlate(d.BackgroundColor, d.CornerRadius, image.Rectangle{Max: size}),
		color: rgba(&l.Color),
		block: text.NewBlock(b.Text, text.Options{
			Font: b.font(s, "font_path", l.FontPath), Size: b.textSize(l.TextSize),
			Box: size, Padding: at.padding, Align: alignOf(at.align), VAlign: verticalOf(at.vertical),
			Wrap: l.Wrap, Ellipsis: l.Ellipsis,
		}),
	}
}

// set shows another text.
func (w *words) set(t render.Tick, s string) {
	old := w.block.Ink()
	if w.block.Set(s) {
		t.Damage(old)
		t.Damage(w.block.Ink())
	}
}

// setColor shows the text in another color, premultiplied.
func (w *words) setColor(t render.Tick, c color.RGBA) {
	if c != w.color {
		w.color = c
		t.Damage(w.block.Ink())
	}
}

// paint draws plate and text.
func (w *words) paint(c render.Canvas) {
	w.plate.paint(c)
	w.block.Paint(c.Dst, c.Clip, c.Org, w.color)
}

// textSize scales a configured text size; 0 stays 0, as large as fits.
func (b *Builder) textSize(px float64) int {
	if px <= 0 {
		return 0
	}
	return max(1, int(math.RoundToEven(px*b.TextScale)))
}

// font returns the font at path, which outlives the tree; "" is the built-in one. One that cannot be read is an
// error at key.
func (b *Builder) font(s *Spec, key, path string) *text.Font {
	if path == "" {
		return text.Default()
	}
	f, known := b.fonts[path]
	if !known {
		var err error
		if f, err = b.Text.Open(b.Files, path); err != nil {
			s.Errorf(key, "%v", err)
		}
		b.fonts[path] = f
	}
	if f == nil {
		if known {
			s.Errorf(key, "%s: this font cannot be read", path)
		}
		return text.Default()
	}
	return f
}

func alignOf(s string) text.Align {
	switch s {
	case "center":
		return text.Center
	case "right":
		return text.Right
	}
	return text.Left
}

func verticalOf(s string) text.VAlign {
	switch s {
	case "center":
		return text.Middle
	case "bottom":
		return text.Bottom
	}
	return text.Top
}

// Fitting is the parameters that say how a picture takes up its cell.
type Fitting struct {
	Fit                 string `yaml:"fit" enum:"contain,cover,stretch" doc:"How the picture takes up the cell: all of it with its aspect ratio kept, the whole cell with its edges cut off, or the whole cell with its aspect ratio ignored. Without it the picture is contained, unless it has the cell's width or height already and is smaller the other way: then it is stretched."`
	PreserveAspectRatio bool   `yaml:"preserve_aspect_ratio" default:"false" doc:"The same as fit: contain, to the pixel as in Grydgets."`
}

func (f Fitting) rule() picture.Fit {
	switch {
	case f.Fit == "cover":
		return picture.Cover
	case f.Fit == "stretch":
		return picture.Stretch
	case f.Fit == "contain":
		return picture.Contain
	case f.PreserveAspectRatio:
		return picture.Preserve
	}
	return picture.Legacy
}

// textWidget shows a text that never changes.
type textWidget struct{ *words }

// Update implements render.Widget.
func (textWidget) Update(render.Tick) {}

// Paint implements render.Widget.
func (w textWidget) Paint(c render.Canvas) { w.paint(c) }
