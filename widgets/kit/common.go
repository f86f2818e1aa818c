package kit

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/theme"
	"dashboard/widgets/kit/geometry"
)

// Common is the parameters that widgets of every kind have.
type Common struct {
	Area        string                    `yaml:"area" doc:"Its place in a layout."`
	Grow        *float64                  `yaml:"grow" min:"0" doc:"In a row or column: its share of what the others leave; 1 without it."`
	Size        *Sides                    `yaml:"size" doc:"In a row or column: its length. In a stack: one size for both sides, or [width, height]."`
	Place       *Place                    `yaml:"place" doc:"In a stack: where it is; all of it without."`
	Inset       value.Length              `yaml:"inset" doc:"In a stack: how far from the edges."`
	Margin      *value.Length             `yaml:"margin" doc:"Room around it. Without it the theme's around the outermost widget, and none elsewhere."`
	When        *value.Condition          `yaml:"when" doc:"Whether it is shown. In a row or column its room goes to the others, elsewhere it stays empty."`
	Opacity     *config.Live[value.Share] `yaml:"opacity" doc:"How much of it covers what is behind."`
	Background  *theme.Background         `yaml:"background" doc:"What is behind it: a color, a gradient {colors: [a, b], angle: 90}, or {picture: FILE, scrim: 40%, blur: 8}: a picture, so much darkened and blurred (px, up to 200, a standard deviation as in CSS)."`
	Dwell       value.Duration            `yaml:"dwell" doc:"In pages: how long it is shown."`
	Only        bool                      `yaml:"only" default:"false" doc:"In pages: while its when holds, no page without only is shown."`
	Trigger     *Trigger                  `yaml:"trigger" doc:"In pages: what has it shown at once."`
	OnTap       *Action                   `yaml:"on_tap" doc:"What a tap on it does."`
	OnDoubleTap *Action                   `yaml:"on_double_tap" doc:"What two taps on it do, the second within 0.35 s of the first; only where this is written a single tap waits so long."`
	OnHold      *Action                   `yaml:"on_hold" doc:"What holding a finger on it does."`
	OnSwipe     *Swipes                   `yaml:"on_swipe" doc:"What a swipe over it does, by direction."`
}

// CommonKeys are the keys of Common. They are not to be changed.
func CommonKeys() []string { return commonKeys() }

// commonKeys takes the type apart once: each widget of a wall is asked for its keys.
var commonKeys = sync.OnceValue(func() []string {
	var keys []string
	for _, f := range config.Fields(reflect.TypeFor[Common]()) {
		keys = append(append(keys, f.Name), f.Aliases...)
	}
	return slices.Clip(keys)
})

// Sides is one size for both sides, or one for each.
type Sides struct{ Width, Height value.Size }

// TypeName is the name of this type in the reference.
func (*Sides) TypeName() string { return "size" }

// JSONSchema implements config.Describer.
func (*Sides) JSONSchema() map[string]any {
	one := (*value.Size)(nil).JSONSchema()
	return map[string]any{"anyOf": []any{one, map[string]any{"type": "array", "items": one, "minItems": 2, "maxItems": 2}}}
}

// SetNode implements config.NodeSetter.
func (s *Sides) SetNode(n *config.Node, c *config.Context) error {
	if n.Kind() != config.List {
		c.Decode(n, &s.Width)
		s.Height = s.Width
		return nil
	}
	if n.Len() != 2 {
		c.Errorf(n, "takes a width and a height, not %d sizes", n.Len())
		return nil
	}
	c.Decode(n.Items()[0], &s.Width)
	c.Decode(n.Items()[1], &s.Height)
	return nil
}

// Place is one of nine places in a rectangle. The zero value is its top left corner.
type Place struct{ X, Y geometry.Justify }

// TypeName is the name of this type in the reference.
func (*Place) TypeName() string { return "place" }

// JSONSchema implements config.Describer.
func (*Place) JSONSchema() map[string]any {
	return map[string]any{"enum": []any{"center", "top", "bottom", "left", "right", "top left", "top right", "bottom left", "bottom right"}}
}

// SetNode implements config.NodeSetter.
func (p *Place) SetNode(n *config.Node, c *config.Context) error {
	at := Place{geometry.Center, geometry.Center}
	for _, word := range strings.Fields(n.Text()) {
		switch word {
		case "top":
			at.Y = geometry.Start
		case "bottom":
			at.Y = geometry.End
		case "left":
			at.X = geometry.Start
		case "right":
			at.X = geometry.End
		case "center":
		default:
			c.Errorf(n, "must be a place such as center, top or bottom left, not %s", n.Shown())
			return nil
		}
	}
	*p = at
	return nil
}

// Framed is the parameters of widgets that may stand on a card.
type Framed struct {
	Card    *bool                         `yaml:"card" doc:"Whether it is on a card."`
	Title   *config.Live[string]          `yaml:"title" doc:"A line above the content."`
	Icon    *config.Live[value.Icon]      `yaml:"icon" doc:"An icon before the title."`
	Note    *config.Live[string]          `yaml:"note" doc:"A text at the right end of the title line."`
	Accent  *config.Live[theme.RoleColor] `yaml:"accent" doc:"Color of the icon and of the main figure."`
	Padding *value.Length                 `yaml:"padding" doc:"Room between the edge and the content."`
	Radius  *value.Length                 `yaml:"radius" doc:"Radius of the card's corners."`
	Empty   string                        `yaml:"empty" doc:"What is shown for a value with nothing in it."`

	CardBlur *value.Length // of what lies behind the card; nil is the theme's
}

// Typed is the parameters that say how the main text of a widget is set.
type Typed struct {
	Color         *config.Live[theme.RoleColor] `yaml:"color" doc:"Color of the main text."`
	Style         string                        `yaml:"style" doc:"Style of type of the theme: label, caption, body, title, headline, figure, display or one of its own."`
	Weight        *Weight                       `yaml:"weight" doc:"How heavy the type is: thin to black, or 100 to 900."`
	TextSize      value.Length                  `yaml:"text_size" doc:"Largest size of the text; it shrinks until it fits."`
	TextGroup     string                        `yaml:"text_group" doc:"Widgets of one group have texts of one size; none leaves them alone."`
	Align         string                        `yaml:"align" enum:"start,center,end,left,right" doc:"Where the content is from left to right."`
	VerticalAlign string                        `yaml:"vertical_align" enum:"top,center,bottom" doc:"Where the content is from top to bottom."`
}

// Weight is how heavy type is, from 100 to 900.
type Weight int

// TypeName is the name of this type in the reference.
func (*Weight) TypeName() string { return "weight" }

// weights are the names of weights (CSS Fonts Module Level 4, section 2.2.1).
var weights = []string{"thin", "extralight", "light", "regular", "medium", "semibold", "bold", "extrabold", "black"}

// JSONSchema implements config.Describer.
func (*Weight) JSONSchema() map[string]any {
	names := make([]any, len(weights))
	for i, w := range weights {
		names[i] = w
	}
	return map[string]any{"anyOf": []any{map[string]any{"enum": names}, map[string]any{"type": "integer", "minimum": 100, "maximum": 900}}}
}

// SetNode implements config.NodeSetter.
func (w *Weight) SetNode(n *config.Node, c *config.Context) error {
	for i, name := range weights {
		if n.Text() == name {
			*w = Weight(100 * (i + 1))
			return nil
		}
	}
	if x, ok := n.Value().(int); ok && x >= 100 && x <= 900 {
		*w = Weight(x)
		return nil
	}
	c.Errorf(n, "must be thin, light, regular, medium, semibold, bold, black or a number from 100 to 900, not %s", n.Shown())
	return nil
}

// Entry replaces a value in a map: text, icon, color. A plain text is its text.
type Entry struct {
	Text  string           `yaml:"text" doc:"Words for the value."`
	Icon  *value.Icon      `yaml:"icon" doc:"Icon for the value."`
	Color *theme.RoleColor `yaml:"color" doc:"Color of the value."`
}

// entryFields are Entry's, without its own way to be read.
type entryFields Entry

// TypeName is the name of this type in the reference.
func (*Entry) TypeName() string { return "text or mapping" }

// JSONSchema implements config.Describer.
func (*Entry) JSONSchema() map[string]any {
	return map[string]any{"type": []any{"string", "number", "boolean", "object"}}
}

// SetNode implements config.NodeSetter.
func (e *Entry) SetNode(n *config.Node, c *config.Context) error {
	if n.Kind() != config.Map {
		e.Text = n.Text()
		return nil
	}
	c.Decode(n, (*entryFields)(e))
	return nil
}

// Range is what numbers of a range are shown as.
type Range struct {
	Above *float64         `yaml:"above" doc:"The least number of the range."`
	Below *float64         `yaml:"below" doc:"The range ends before this number."`
	Color *theme.RoleColor `yaml:"color" doc:"Color of the value."`
	Icon  *value.Icon      `yaml:"icon" doc:"Icon for the value."`
	Text  string           `yaml:"text" doc:"Words for the value."`
}

// Wording is the parameters that say how a value becomes words.
type Wording struct {
	Unit       *config.Live[string] `yaml:"unit" doc:"Behind the number, smaller."`
	Decimals   *int                 `yaml:"decimals" min:"0" max:"6" doc:"Digits after the decimal sign; without it as many as there are, three figures in all."`
	Format     string               `yaml:"format" doc:"A word (signed, compact, percent, bytes, duration, text, time, time_seconds, date, date_short, date_full, weekday, month_year, relative) or a text with braces."`
	Map        map[string]Entry     `yaml:"map" doc:"Value to text, or to {text, icon, color}; else is for all others."`
	Thresholds []Range              `yaml:"thresholds" doc:"What ranges of numbers are shown as; the bound nearest to the value counts."`
}

// Trigger is the parameters of an event that shows a page out of turn.
type Trigger struct {
	When     *value.Condition `yaml:"when" required:"true" doc:"What has it shown."`
	After    value.Duration   `yaml:"after" default:"0" doc:"For how long that must hold first."`
	Hold     value.Duration   `yaml:"hold" default:"30s" doc:"How long it is shown at least."`
	Clear    *value.Condition `yaml:"clear" doc:"What ends it; without it the end of when does."`
	Cooldown value.Duration   `yaml:"cooldown" default:"0" doc:"How long it is not shown again after its end."`
	Priority int              `yaml:"priority" default:"5" min:"0" max:"1000" doc:"Of several the least is shown, and of equals the newest."`
	Wake     bool             `yaml:"wake" default:"false" doc:"Has the screen on while it is shown."`
}
