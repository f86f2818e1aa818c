package theme

import (
	"errors"
	"maps"
	"slices"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/internal/spelling"
)

// `roles` are the names of the colors that widgets use. Every built-in theme has all of them.
var roles = []string{
	"background", "surface", "raised", "line", "text", "muted", "faint", "accent", "good", "warn", "bad", "cold", "warm", "sun",
	"series1", "series2", "series3", "series4", "series5", "series6",
}

// Roles returns the names of the roles.
func Roles() []string { return slices.Clone(roles) }

// A Palette holds the resolved colors of a theme by name. It is immutable. The zero value is empty.
type Palette struct {
	colors map[string]Color
}

// PaletteOf returns the colors of a resolved section. If `section` is nil, the palette is empty. An entry may refer to other entries,
// also inside functions. If an entry is not a color, the palette does not contain it. The error is reported where the entry is used.
func PaletteOf(section *config.Node) Palette {
	p := Palette{make(map[string]Color, section.Len())}
	reading := &reader{palette: p, entries: section, open: make(map[string]bool)}
	for _, key := range section.Keys() {
		_, _ = reading.entry(key)
	}
	return p
}

// Color returns the color with a name. ok is false if the palette does not have the name.
func (p Palette) Color(name string) (Color, bool) {
	c, ok := p.colors[name]
	return c, ok
}

// Parse parses a color of a modern widget. The color may be a name of the palette or of CSS, or hexadecimal digits. It may also be one of
// the functions rgb(), hsl(), oklch(), alpha(COLOR, SHARE) and mix(COLOR, COLOR, SHARE).
func (p Palette) Parse(s string) (Color, error) {
	r := &reader{palette: p}
	return r.parse(s)
}

// A reader parses colors while the palette is being filled.
type reader struct {
	palette Palette
	entries *config.Node // entries of the theme, some of which are not in the palette yet, or nil
	open    map[string]bool
}

// entry() returns the color of an entry. It stores the color in the palette, so that each valid entry is parsed only once.
func (r *reader) entry(name string) (Color, error) {
	if c, ok := r.palette.colors[name]; ok {
		return c, nil
	}
	n := r.entries.Get(name)
	if n == nil || r.open[name] {
		return Color{}, notColor("%q refers to itself", name)
	}
	r.open[name] = true
	defer delete(r.open, name)
	c, err := r.node(n, name)
	if err == nil {
		r.palette.colors[name] = c
	}
	return c, err
}

// node() parses the color of an entry. If the value of an entry is the entry's own name, as in coral: coral, the result is the CSS color
// with this name.
func (r *reader) node(n *config.Node, name string) (Color, error) {
	if n.Kind() == config.String && n.Text() != name {
		return r.parse(n.Text())
	}
	return ColorOf(n.Value())
}

// named() returns the color of an entry or, if there is none, the CSS color.
func (r *reader) named(name string) (Color, error) {
	if c, ok := r.palette.colors[name]; ok {
		return c, nil
	}
	if r.entries.Has(name) {
		return r.entry(name)
	}
	c, err := ParseCSS(name)
	var wrong *ColorError
	if errors.As(err, &wrong) {
		if near := spelling.Nearest(name, slices.Sorted(maps.Keys(r.palette.colors))); near != "" {
			wrong.near = near
		}
	}
	return c, err
}

// TypeName implements config.TypeNamer.
func (*RoleColor) TypeName() string { return "color" }

// A RoleColor is a color of modern widgets: a role of the theme, another color of the theme, a CSS color, or a function of colors.
// Decoding resolves a RoleColor to a plain Color.
type RoleColor struct {
	Color
	Role string // name of the role, also if the file has another name for it. "" for another color
}

// SetNode implements config.NodeSetter.
func (c *RoleColor) SetNode(n *config.Node, ctx *config.Context) error {
	v, err := colorOfNode(n, ctx)
	if err != nil {
		return err
	}
	c.Color, c.Role = v, ""
	if n.Kind() == config.String {
		c.Role = roleNamed(n.Text(), ctx.Colors)
	}
	return nil
}

// roleNamed returns the role for which a name stands. The name may be a role itself. It may also be an entry of the theme's colors that
// refers to a role, directly or through other entries. For other names, roleNamed returns "".
func roleNamed(name string, colors *config.Node) string {
	for range colors.Len() + 1 { // this bound ends the search if entries refer to each other in a circle
		if slices.Contains(roles, name) {
			return name
		}
		n := colors.Get(name)
		if n == nil || n.Kind() != config.String {
			break
		}
		name = n.Text()
	}
	return ""
}

func colorOfNode(n *config.Node, ctx *config.Context) (Color, error) {
	switch n.Kind() {
	case config.String:
		return PaletteOf(ctx.Colors).Parse(n.Text())
	case config.Map:
		return Color{}, notColor("a mapping is no color")
	}
	return ColorOf(n.Value())
}

// JSONSchema implements config.Describer.
func (*RoleColor) JSONSchema() map[string]any {
	return map[string]any{"anyOf": []any{
		map[string]any{"type": "string", "pattern": `^(#([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})|[A-Za-z_][A-Za-z0-9_. -]*|(rgb|hsl|oklch|alpha|mix)\(.*\))$`,
			"patternErrorMessage": "A color is a role such as accent, a name, '#rrggbb', or rgb(), hsl(), oklch(), alpha(), mix()."},
		map[string]any{"type": "array", "items": map[string]any{"type": "integer", "minimum": 0, "maximum": 255}, "minItems": 3, "maxItems": 4},
	}}
}

// A Background fills the area of a widget with one color, with a gradient of two to four colors, or with a picture. Exactly one of Color,
// Colors and Picture is set.
type Background struct {
	Color  *Color
	Colors []Color // colors of a gradient
	Angle  float64 // direction of the gradient in degrees: 0 is upward, 90 is to the right

	Picture string  // path of the picture file
	Scrim   float64 // opacity of the black layer on the picture, from 0 to 1
	Blur    float64 // standard deviation of the blur in px of the design size, or 0
}

// TypeName implements config.TypeNamer.
func (*Background) TypeName() string { return "background" }

// maxStops is the maximum number of colors in a gradient.
const maxStops = 4

// maxBlur is the maximum standard deviation of a blur, in px. A stronger blur would leave only one color.
const maxBlur = 200

// SetNode implements config.NodeSetter.
func (b *Background) SetNode(n *config.Node, ctx *config.Context) error {
	if n.Kind() != config.Map {
		c, err := colorOfNode(n, ctx)
		if err == nil {
			*b = Background{Color: &c}
		}
		return err
	}
	var keys struct {
		Colors  []RoleColor  `yaml:"colors" minlen:"2" maxlen:"4"`
		Angle   *float64     `yaml:"angle" min:"-360" max:"360" unit:"degrees"`
		Picture string       `yaml:"picture"`
		Scrim   value.Share  `yaml:"scrim"`
		Blur    value.Length `yaml:"blur" max:"200" unit:"px"`
	}
	if !ctx.Decode(n, &keys) {
		return nil
	}
	switch {
	case n.Has("colors") == n.Has("picture"):
		return errors.New("must be a color, {colors: [a, b], angle: 90} or {picture: FILE, scrim: 40%}")
	case n.Has("picture") && n.Has("angle"):
		return errors.New("has 'angle', which is of 'colors'")
	case n.Has("colors") && (n.Has("scrim") || n.Has("blur")):
		return errors.New("has 'scrim' or 'blur', which are of 'picture'")
	}
	*b = Background{Picture: keys.Picture, Scrim: float64(keys.Scrim), Blur: float64(keys.Blur)}
	if keys.Angle != nil {
		b.Angle = *keys.Angle
	}
	for _, c := range keys.Colors {
		b.Colors = append(b.Colors, c.Color)
	}
	return nil
}

// JSONSchema implements config.Describer.
func (*Background) JSONSchema() map[string]any {
	color := (*RoleColor)(nil).JSONSchema()
	return map[string]any{"anyOf": []any{
		color,
		map[string]any{"type": "object", "required": []any{"colors"}, "additionalProperties": false, "properties": map[string]any{
			"colors": map[string]any{"type": "array", "items": color, "minItems": 2, "maxItems": maxStops},
			"angle":  map[string]any{"type": "number", "minimum": -360, "maximum": 360},
		}},
		map[string]any{"type": "object", "required": []any{"picture"}, "additionalProperties": false, "properties": map[string]any{
			"picture": map[string]any{"type": "string"}, "scrim": map[string]any{"type": []any{"number", "string"}},
			"blur": map[string]any{"anyOf": []any{
				map[string]any{"type": "number", "minimum": 0, "maximum": maxBlur}, map[string]any{"type": "string", "pattern": `^[0-9.]+(px)?$`},
			}},
		}},
	}}
}
