package kit

import (
	"image"
	"image/color"
	"math"

	"dashboard/render"
	"dashboard/render/picture"
	"dashboard/render/text"
	"dashboard/theme"
)

// Backdrop holds the background parameters of widgets that show a text.
type Backdrop struct {
	// Color behind the content. Default: the parent's background.
	BackgroundColor *theme.Color `yaml:"background_color"`
	// Radius of the background's corners, at most half the shorter side.
	CornerRadius int `yaml:"corner_radius" default:"0" unit:"px"`
}

// Lettering holds the parameters of a text's appearance.
type Lettering struct {
	// Font file (.ttf, .otf or .ttc). Default: the built-in bold font.
	FontPath string `yaml:"font_path"`
	// Largest text size, before scaling by graphics.text-scale. The text shrinks until it fits. Default: as large as fits.
	TextSize float64 `yaml:"text_size" min:"0" unit:"px"`
	// Color of the text.
	Color theme.Color `yaml:"color" default:"white"`
	// Breaks lines between words instead of shrinking the text to one line.
	Wrap bool `yaml:"wrap" default:"false"`
	// Keeps the size of a long text and ends the text with an ellipsis.
	Ellipsis bool `yaml:"ellipsis" default:"false"`
}

// Placement is the position of a text in its widget, as the configuration names it.
type Placement struct {
	Padding  int
	Align    string // left, center or right
	Vertical string // top, center or bottom
}

// Rgba converts a configured color to a color for painting. nil becomes a transparent color.
func Rgba(c *theme.Color) color.RGBA {
	if c == nil {
		return color.RGBA{}
	}
	return render.Premultiply(c.NRGBA)
}

// Plate is a rounded rectangle in one color.
type Plate struct {
	Rect   image.Rectangle
	Corner *render.Corner
	Color  color.RGBA
}

// NewPlate returns a plate. If c is nil, the plate is transparent.
func NewPlate(c *theme.Color, radius int, rect image.Rectangle) Plate {
	return Plate{Rect: rect, Corner: render.NewCorner(radius, rect.Size()), Color: Rgba(c)}
}

// Paint draws the plate.
func (p *Plate) Paint(c render.Canvas) { c.FillRound(p.Rect, p.Corner, p.Color) }

// Words is a text on a plate that fills the cell. Most classic widgets that show a text contain a Words.
type Words struct {
	Plate Plate
	Block *text.Block
	Color color.RGBA
}

// Words creates a text on a plate for a cell of the given size.
func (b *Builder) Words(s *Spec, size image.Point, l Lettering, at Placement, d Backdrop) *Words {
	if px := b.TextSize(l.TextSize); px > 0 && px < b.Least() {
		b.smallText(s, px, "")
	}
	return &Words{
		Plate: NewPlate(d.BackgroundColor, d.CornerRadius, image.Rectangle{Max: size}),
		Color: Rgba(&l.Color),
		Block: text.NewBlock(b.Text, text.Options{
			Font: b.Font(s, "font_path", l.FontPath), Size: b.TextSize(l.TextSize),
			Box: size, Padding: at.Padding, Align: alignOf(at.Align), VAlign: VerticalOf(at.Vertical),
			Wrap: l.Wrap, Ellipsis: l.Ellipsis,
		}),
	}
}

// Set sets the text and damages the changed area.
func (w *Words) Set(t render.Tick, s string) {
	old := w.Block.Ink()
	if w.Block.Set(s) {
		t.Damage(old)
		t.Damage(w.Block.Ink())
	}
}

// SetColor sets the premultiplied color of the text.
func (w *Words) SetColor(t render.Tick, c color.RGBA) {
	if c != w.Color {
		w.Color = c
		t.Damage(w.Block.Ink())
	}
}

// Draw draws plate and text.
func (w *Words) Draw(c render.Canvas) {
	w.Plate.Paint(c)
	w.Block.Paint(c.Dst, c.Clip, c.Org, w.Color)
}

// TextSize converts a configured text size to px in this picture. A size of 0, which means as large as fits, stays 0.
func (b *Builder) TextSize(px float64) int {
	if px <= 0 {
		return 0
	}
	return max(1, int(math.RoundToEven(px*b.TextScale)))
}

// Font returns the font from the file `path`, or the built-in font if `path` is "". If the file cannot be read, it reports an error at
// `key` and returns the built-in font. The font can be used longer than the tree.
func (b *Builder) Font(s *Spec, key, path string) *text.Font {
	if path == "" {
		return text.Default()
	}
	f, known := b.fonts[path]
	if !known {
		var err error
		if f, err = b.Text.Open(b.Files, path); err != nil {
			s.Fault(key, "%v", err)
		}
		b.fonts[path] = f
	}
	if f == nil {
		if known {
			s.Fault(key, "%s: this font cannot be read", path)
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

// VerticalOf returns the vertical alignment for a value of the configuration.
func VerticalOf(s string) text.VAlign {
	switch s {
	case "center":
		return text.Middle
	case "bottom":
		return text.Bottom
	}
	return text.Top
}

// Fitting holds the parameters for the position of a picture in its cell.
type Fitting struct {
	// Scaling of the picture: contain shows the whole picture, cover fills the cell and cuts edges off, stretch fills the cell and
	// changes the aspect ratio. Default: contain. If the picture already has the cell's width or height and is smaller in the other
	// direction, the default is stretch.
	Fit string `yaml:"fit" enum:"contain,cover,stretch"`
	// Same as fit: contain, with the same pixels as in Grydgets.
	PreserveAspectRatio bool `yaml:"preserve_aspect_ratio" default:"false"`
}

// Rule returns the rule by which pictures are scaled to their cell.
func (f Fitting) Rule() picture.Fit {
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

// TextWidget shows a text that does not change.
type TextWidget struct{ *Words }

// Update implements render.Widget.
func (TextWidget) Update(render.Tick) {}

// Paint implements render.Widget.
func (w TextWidget) Paint(c render.Canvas) { w.Draw(c) }
