package kit

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/control"
	"dashboard/theme"
	"dashboard/widgets/kit/geometry"
)

// Common holds the parameters of all kinds of widgets.
type Common struct {
	// Area of the layout.
	Area string `yaml:"area"`
	// Share of the free space in a row or column. Default: 1.
	Grow *float64 `yaml:"grow" min:"0"`
	// Size along a row or column. In a stack: one size for both sides, or [width, height].
	Size *Sides `yaml:"size"`
	// Position in a stack. Default: fills the stack.
	Place *Place `yaml:"place"`
	// Distance from the edges of a stack.
	Inset value.Length `yaml:"inset"`
	// Margin. Default: the theme's margin around the outermost widget, none elsewhere.
	Margin *value.Length `yaml:"margin"`
	// Condition for showing the widget. In a row or column, the other children get the space of a hidden widget. Elsewhere, this space stays
	// empty.
	When *value.Condition `yaml:"when"`
	// Opacity of the widget.
	Opacity *config.Live[value.Share] `yaml:"opacity"`
	// Background: a color, a gradient {colors: [a, b], angle: 90}, or {picture: FILE, scrim: 40%, blur: 8}. scrim darkens
	// the picture. blur is a standard deviation in px, as in CSS, up to 200.
	Background *theme.Background `yaml:"background"`
	// Time for which this widget is shown as a page.
	Dwell value.Duration `yaml:"dwell"`
	// While this page's when is true, only pages with this key take turns.
	Only bool `yaml:"only" default:"false"`
	// Trigger that shows the page at once.
	Trigger *Trigger `yaml:"trigger"`
	// Action of a tap.
	OnTap *control.Action `yaml:"on_tap"`
	// Action of two taps within 0.35 s. Only widgets with this key delay a single tap.
	OnDoubleTap *control.Action `yaml:"on_double_tap"`
	// Action of long presses.
	OnHold *control.Action `yaml:"on_hold"`
	// Actions by swipe direction.
	OnSwipe *Swipes `yaml:"on_swipe"`
}

// CommonKeys returns the keys of Common. The caller must not change the returned slice.
func CommonKeys() []string { return commonKeys() }

// commonKeys reads the keys from the struct type only once, because every widget needs them.
var commonKeys = sync.OnceValue(func() []string {
	var keys []string
	for _, f := range config.Fields(reflect.TypeFor[Common]()) {
		keys = append(append(keys, f.Name), f.Aliases...)
	}
	return slices.Clip(keys)
})

// Sides is one size for both width and height, or a separate size for each.
type Sides struct{ Width, Height value.Size }

// TypeName returns the name of this type for the reference.
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

// Place is one of nine positions in a rectangle. The zero value is the top left corner.
type Place struct{ X, Y geometry.Justify }

// TypeName returns the name of this type for the reference.
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

// Framed holds the parameters of widgets that may have a card.
type Framed struct {
	// Card behind the widget.
	Card *bool `yaml:"card"`
	// Title above the content.
	Title *config.Live[string] `yaml:"title"`
	// Icon before the title.
	Icon *config.Live[value.Icon] `yaml:"icon"`
	// Text at the right end of the title line.
	Note *config.Live[string] `yaml:"note"`
	// Color of the icon, and of the bar, ring, heatmap or sparkline.
	Accent *config.Live[theme.RoleColor] `yaml:"accent"`
	// Padding between the edge and the content.
	Padding *value.Length `yaml:"padding"`
	// Card's corner radius.
	Radius *value.Length `yaml:"radius"`
	// Text for an empty value.
	Empty string `yaml:"empty"`

	CardBlur *value.Length // blur of the content behind the card, nil for the theme's blur
}

// Typed holds the parameters for the style of the main text.
type Typed struct {
	// Main text color.
	Color *config.Live[theme.RoleColor] `yaml:"color"`
	// Text style: label, caption, body, title, headline, figure, display, or another style of the theme.
	Style string `yaml:"style"`
	// Font weight: thin to black, or 100 to 900.
	Weight *Weight `yaml:"weight"`
	// Largest size of the text. The text shrinks until it fits.
	TextSize value.Length `yaml:"text_size"`
	// Group of widgets whose texts have the same size. none: no group.
	TextGroup string `yaml:"text_group"`
	// Content's horizontal position.
	Align string `yaml:"align" enum:"start,center,end,left,right"`
	// Content's vertical position.
	VerticalAlign string `yaml:"vertical_align" enum:"top,center,bottom"`
}

// Weight is the weight of a font, from 100 to 900.
type Weight int

// TypeName returns the name of this type for the reference.
func (*Weight) TypeName() string { return "weight" }

// `weights` are the names of the weights 100, 200 and so on (CSS Fonts Module Level 4, section 2.2.1).
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

// Trigger holds the parameters of an event that shows a page out of turn.
type Trigger struct {
	// Condition that shows the page.
	When *value.Condition `yaml:"when" required:"true"`
	// Time for which the condition must be true before the page appears.
	After value.Duration `yaml:"after" default:"0"`
	// Shortest time for which the page is shown.
	Hold value.Duration `yaml:"hold" default:"30s"`
	// Condition that ends the page. Default: the opposite of the key when.
	Clear *value.Condition `yaml:"clear"`
	// Time from the page's end until it may appear again.
	Cooldown value.Duration `yaml:"cooldown" default:"0"`
	// Priority among several triggers: the lowest number wins, then the newest trigger.
	Priority int `yaml:"priority" default:"5" min:"0" max:"1000"`
	// Switches the screen on while this page is shown.
	Wake bool `yaml:"wake" default:"false"`
}
