package theme

import (
	"dashboard/internal/spelling"
	"fmt"
	"image/color"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/image/colornames"
)

// Color is an RGBA color with straight (not premultiplied) alpha. Colors in files and requests have the same form. It implements
// color.Color. The zero value is transparent.
type Color struct{ color.NRGBA }

// Opaque reports whether the color has no transparency.
func (c Color) Opaque() bool { return c.A == 0xff }

// String returns #rrggbb for an opaque color, otherwise #rrggbbaa.
func (c Color) String() string {
	if c.Opaque() {
		return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
	}
	return fmt.Sprintf("#%02x%02x%02x%02x", c.R, c.G, c.B, c.A)
}

// TypeName returns the name of this type for the reference.
func (*Color) TypeName() string { return "color" }

// SetValue sets the color from a plain value of a file or a request. The value has one of the forms that ColorOf accepts. After an error,
// the color is unchanged.
func (c *Color) SetValue(v any) error {
	parsed, err := ColorOf(v)
	if err == nil {
		*c = parsed
	}
	return err
}

// A ColorError describes why a text is not a color. It also holds the most similar color name.
type ColorError struct {
	reason string
	near   string
	hint   string // end of the message if there is no similar name
}

// Error implements error.
func (e *ColorError) Error() string {
	if e.near == "" {
		return e.reason + e.hint
	}
	return e.reason
}

// Near returns the name that the user probably meant, or "".
func (e *ColorError) Near() string { return e.near }

func notColor(format string, args ...any) error {
	return &ColorError{reason: fmt.Sprintf(format, args...)}
}

// ColorOf converts a plain value to a color. The value is a text as for ParseColor, a list of 3 or 4 ints from 0 to 255, or a Color.
func ColorOf(v any) (Color, error) {
	switch v := v.(type) {
	case Color:
		return v, nil
	case string:
		return ParseColor(v)
	case []any:
		return fromList(v)
	case nil:
		return Color{}, notColor("nothing is no color")
	case map[string]any:
		return Color{}, notColor("a mapping is no color")
	}
	return Color{}, notColor("%v is no color; write '#rrggbb', a name, or [red, green, blue]", v)
}

// ColorOfJSON is like ColorOf, for a value from encoding/json, in which every number is a float64.
func ColorOfJSON(v any) (Color, error) {
	list, ok := v.([]any)
	if !ok || len(list) > 4 {
		return ColorOf(v)
	}
	ints := make([]any, len(list))
	for i, part := range list {
		ints[i] = part
		if f, ok := part.(float64); ok && f >= 0 && f <= 255 && f == float64(int(f)) {
			ints[i] = int(f)
		}
	}
	return ColorOf(ints)
}

func fromList(list []any) (Color, error) {
	if len(list) != 3 && len(list) != 4 {
		return Color{}, notColor("a color has 3 or 4 parts, red, green, blue and alpha, not %d", len(list))
	}
	parts := [4]uint8{3: 0xff}
	for i, v := range list {
		n, ok := v.(int)
		if !ok || n < 0 || n > 255 {
			return Color{}, notColor("part %d of a color must be a whole number from 0 to 255, not %v", i+1, v)
		}
		parts[i] = uint8(n)
	}
	return Color{color.NRGBA{R: parts[0], G: parts[1], B: parts[2], A: parts[3]}}, nil
}

// longestColor is the maximum length of a color's text in bytes. The longest name has 20 letters.
const longestColor = 64

// ParseColor parses #rgb, #rgba, #rrggbb, #rrggbbaa, 0xrrggbb, 0xrrggbbaa, or a name of X11 or CSS, such as grey50. The colors green,
// gray, maroon and purple differ between X11 and CSS. ParseColor uses their values in X11, because classic walls expect them. It ignores
// case, and blanks inside and around a name. Errors are of type *ColorError.
func ParseColor(s string) (Color, error) { return parseColor(s, classic) }

// ParseCSS is like ParseColor, but prefers the values of CSS (CSS Color Module Level 4, section 6.1).
func ParseCSS(s string) (Color, error) { return parseColor(s, named) }

func parseColor(s string, named func(string) (Color, bool)) (Color, error) {
	if len(s) > longestColor {
		return Color{}, notColor("a text of %d bytes is no color", len(s))
	}
	text := strings.ToLower(strings.TrimSpace(s))
	if digits, ok := strings.CutPrefix(text, "#"); ok {
		return fromHex(s, digits)
	}
	if digits, ok := strings.CutPrefix(text, "0x"); ok && len(digits) >= 6 {
		return fromHex(s, digits)
	}
	name := strings.Join(strings.Fields(text), "")
	if c, ok := named(name); ok {
		return c, nil
	}
	return Color{}, unknownColor(s, name)
}

// fromHex parses 3, 4, 6 or 8 hexadecimal digits. If there are 3 or 4, each digit is doubled.
func fromHex(s, digits string) (Color, error) {
	short := len(digits) == 3 || len(digits) == 4
	if !short && len(digits) != 6 && len(digits) != 8 {
		return Color{}, notColor("%q is no color: it needs 3, 4, 6 or 8 hexadecimal digits", s)
	}
	if short {
		var twice strings.Builder
		for i := range len(digits) {
			twice.WriteString(digits[i:i+1] + digits[i:i+1])
		}
		digits = twice.String()
	}
	if len(digits) == 6 {
		digits += "ff"
	}
	// With an explicit base, ParseUint accepts neither signs nor underscores.
	v, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		return Color{}, notColor("%q is no color: it has other signs than hexadecimal digits", s)
	}
	return Color{color.NRGBA{R: uint8(v >> 24), G: uint8(v >> 16), B: uint8(v >> 8), A: uint8(v)}}, nil
}

func unknownFunction(s, name string) error {
	return &ColorError{
		reason: fmt.Sprintf("%q is no color: there is no function %s()", s, name),
		near:   spelling.Nearest(name, []string{"rgb", "hsl", "oklch", "alpha", "mix"}),
	}
}

func unknownColor(s, name string) error {
	e := &ColorError{reason: fmt.Sprintf("%q is no color", s)}
	if _, err := fromHex(s, name); err == nil {
		e.near = "#" + name
		return e
	}
	e.near, e.hint = spelling.Nearest(name, colorNames()), "; write '#rrggbb' or a name such as red"
	return e
}

// classic() looks up a name first in X11, then in CSS.
func classic(name string) (Color, bool) {
	if v, ok := x11Instead[name]; ok {
		return rgb(v), true
	}
	return named(name)
}

// named() looks up a name first in CSS, then in X11.
func named(name string) (Color, bool) {
	switch name {
	case "transparent":
		return Color{}, true
	case "rebeccapurple": // a name of CSS level 4, which the older table of x/image does not have
		return rgb(0x663399), true
	}
	if c, ok := colornames.Map[name]; ok {
		return Color{color.NRGBA(c)}, true
	}
	if v, ok := x11Others[name]; ok {
		return rgb(v), true
	}
	if level, ok := cutGray(name); ok {
		v := uint32(grayLevel(level))
		return rgb(v<<16 | v<<8 | v), true
	}
	if name == "" {
		return Color{}, false
	}
	last := len(name) - 1
	shades, ok := x11Families[name[:last]]
	if digit := name[last]; ok && digit >= '1' && digit <= '4' {
		return rgb(shades[digit-'1']), true
	}
	return Color{}, false
}

func rgb(v uint32) Color {
	return Color{color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}}
}

// cutGray returns the number in a name such as gray50 or grey50. It accepts 0 to 100 without leading zeros.
func cutGray(name string) (percent int, ok bool) {
	digits, ok := strings.CutPrefix(name, "gray")
	if !ok {
		digits, ok = strings.CutPrefix(name, "grey")
	}
	percent, err := strconv.Atoi(digits)
	return percent, ok && err == nil && percent >= 0 && percent <= 100 && strconv.Itoa(percent) == digits
}

// grayLevel converts a percentage to a level from 0 to 255. It rounds like the file rgb.txt of X11. This file rounds halves up, except at
// 50 and 90, because their binary fractions are just below the half.
func grayLevel(percent int) int {
	if percent == 50 || percent == 90 {
		return percent * 255 / 100
	}
	return (percent*255 + 50) / 100
}

// colorNames lists the names that may be suggested for a misspelled name. It omits gray levels and numbered shades, because a misspelled
// name is equally similar to dozens of them.
var colorNames = sync.OnceValue(func() []string {
	names := append([]string{"transparent", "rebeccapurple"}, colornames.Names...)
	return append(names, slices.Sorted(maps.Keys(x11Others))...)
})
