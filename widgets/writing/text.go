package writing

import (
	"image"
	"reflect"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
	"dashboard/theme"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
)

// TextParams are the parameters of the text widget. They include the classic parameters and the parameters of newer widgets.
type TextParams struct {
	// Text. Line breaks are kept.
	Text *config.Live[string] `yaml:"text"`
	kit.Framed
	format.Wording
	// Text style: label, caption, body, title, headline, figure, display, or another style of the theme.
	Style string `yaml:"style"`
	// Color of the text: a role of the theme or any other color. Default: white, or the text color of a built-in theme.
	Color *config.Live[classicInk] `yaml:"color"`
	// Font weight: thin to black, or 100 to 900.
	Weight *kit.Weight `yaml:"weight"`
	// Largest text size, before scaling by graphics.text-scale. The text shrinks until it fits. Default: as large as fits, or the size of
	// the style.
	TextSize float64 `yaml:"text_size" min:"0" unit:"px"`
	// Group of widgets whose texts have the same size. none: no group.
	TextGroup string `yaml:"text_group"`
	// Maximum number of lines. Default: as many as fit.
	Lines int `yaml:"lines" min:"1" max:"100"`
	// Horizontal position of the text. Default: left. With a built-in theme: start.
	Align string `yaml:"align" enum:"left,center,right,start,end" else:"left"`
	// Vertical position of the text. Default: top.
	VerticalAlign string `yaml:"vertical_align" enum:"top,center,bottom" else:"top"`
	// Font file (.ttf, .otf or .ttc), instead of a built-in theme's font. No effect with a style. Default: the built-in bold font.
	FontPath string `yaml:"font_path"`
	// Breaks lines between words instead of shrinking the text to one line. With a style or theme, lines always break.
	Wrap bool `yaml:"wrap" default:"false"`
	// Keeps the size of a long text and ends the text with an ellipsis.
	Ellipsis bool `yaml:"ellipsis" default:"false"`
	kit.Backdrop

	scaled bool // true after the lengths of a classic text were scaled
}

// classicInk is a color in the notation of classic widgets, or a role of the theme.
type classicInk struct{ theme.RoleColor }

// SetNode implements config.NodeSetter.
func (c *classicInk) SetNode(n *config.Node, ctx *config.Context) error {
	if v, err := theme.ColorOf(n.Value()); err == nil {
		c.Color = v
		return nil
	}
	return c.RoleColor.SetNode(n, ctx)
}

// textKind returns the kind of the text widget. The widget is drawn as a classic text, unless the file sets a newer key. On a wall with a
// theme, it is drawn as a classic text only if the file sets a font.
func textKind() kit.Kind {
	const doc = "A fixed text, or a value as text."
	k := kit.Modern("text", doc, 0, 0, kit.Framing{Padded: true}, func(p *TextParams) *kit.Framed { return &p.Framed }, buildLiveText)
	newer := k.Build
	k.Build = func(b *kit.Builder, s *kit.Spec, size image.Point) render.Widget {
		p, ok := kit.Decoded[TextParams](s)
		switch {
		case !ok:
			return nil
		case b.Themed && p.FontPath == "" || p.newer():
			return newer(b, s, size)
		}
		return classicText(b, s, p, size)
	}
	return k
}

// classicText returns a text that looks like the classic widget.
func classicText(b *kit.Builder, s *kit.Spec, p *TextParams, size image.Point) render.Widget {
	if !p.scaled {
		kit.ScaleLengths(reflect.ValueOf(p).Elem(), b.Scale)
		p.scaled = true
	}
	if !b.Common(s).Framed() {
		return buildText(b, s, p, size)
	}
	return b.Frame(s, kit.Framing{Bleed: true}, nil, size, func(size image.Point) render.Widget { return buildText(b, s, p, size) })
}

// newer() reports whether the file sets a key that the classic widget does not have.
func (p *TextParams) newer() bool {
	f := p.Framed
	f.Padding = nil
	return p.Text != nil && p.Text.IsLive() || p.Color != nil && p.Color.IsLive() || p.Style != "" || p.Weight != nil || p.TextGroup != "" || p.Lines > 0 ||
		p.Align == "start" || p.Align == "end" || f != (kit.Framed{}) || p.worded()
}

// worded() reports whether the text is formatted like a value.
func (p *TextParams) worded() bool { return !reflect.ValueOf(p.Wording).IsZero() }

// typed() returns the text parameters in the form that newer widgets use.
func (p *TextParams) typed() *kit.Typed {
	return &kit.Typed{Style: p.Style, Weight: p.Weight, TextSize: value.Length(p.TextSize), TextGroup: p.TextGroup, Align: p.Align, VerticalAlign: p.VerticalAlign}
}

// Lettering implements kit.Lettered.
func (p *TextParams) Lettering() *kit.Typed {
	t := p.typed()
	if p.Color != nil && !p.Color.IsLive() {
		t.Color = &config.Live[theme.RoleColor]{Plain: p.Color.Plain.RoleColor}
	}
	return t
}

func buildText(b *kit.Builder, s *kit.Spec, p *TextParams, size image.Point) render.Widget {
	padding, ink, said := 0, theme.Color{}, ""
	if p.Padding != nil {
		padding = b.Written(*p.Padding)
	}
	ink.R, ink.G, ink.B, ink.A = 255, 255, 255, 255
	if p.Color != nil {
		ink = p.Color.Plain.Color
	}
	if p.Text != nil {
		said = p.Text.Plain
	}
	l := kit.Lettering{FontPath: p.FontPath, TextSize: p.TextSize, Color: ink, Wrap: p.Wrap, Ellipsis: p.Ellipsis}
	w := b.Words(s, size, l, kit.Placement{Padding: padding, Align: p.Align, Vertical: p.VerticalAlign}, p.Backdrop)
	w.Block.Set(said)
	return kit.TextWidget{Words: w}
}
