package picture

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"
)

const (
	// maxStyle bounds the bytes of all style elements of a picture together. Drawing programs write some kilobytes.
	maxStyle = 64 << 10
	// maxRules bounds the number of rules in all style elements together, because every element is compared with every rule.
	maxRules = 500
	// maxClass bounds the bytes of a class attribute, because every rule searches it.
	maxClass = 256
	// maxDashes bounds the numbers of a dash pattern. Real patterns have at most six.
	maxDashes = 32
)

// rule is a rule of a style sheet with one simple selector.
type rule struct {
	kind  byte // '.' for a class, '#' for an id, 0 for an element name, '*' for all elements
	name  string
	decls []string // name, value, name, value and so on
}

// parseSheet reads the rules with simple selectors. It skips other rules, comments and at-rules.
func parseSheet(s string) (rules []rule) {
	s = withoutComments(s)
	for len(rules) < maxRules {
		selectors, rest, ok := strings.Cut(s, "{")
		if !ok {
			break
		}
		var body string
		body, s, _ = strings.Cut(rest, "}") // the end of the sheet also ends a rule (CSS Syntax 3, 5.4.8)
		for sel := range strings.SplitSeq(selectors, ",") {
			if r, ok := simple(strings.TrimSpace(sel)); ok {
				r.decls = declarations(body)
				rules = append(rules, r)
			}
		}
	}
	return rules
}

func withoutComments(s string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "/*")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		_, s, _ = strings.Cut(rest, "*/")
	}
}

func simple(sel string) (rule, bool) {
	if sel == "" || strings.ContainsAny(sel, " >+~:[@") || strings.ContainsAny(sel[1:], ".#*") {
		return rule{}, false
	}
	if sel[0] == '.' || sel[0] == '#' || sel[0] == '*' {
		return rule{kind: sel[0], name: sel[1:]}, true
	}
	return rule{name: sel}, true
}

func declarations(s string) (decls []string) {
	for d := range strings.SplitSeq(s, ";") {
		if k, v, ok := strings.Cut(d, ":"); ok {
			v, _, _ = strings.Cut(v, "!important")
			decls = append(decls, strings.TrimSpace(k), strings.TrimSpace(v))
		}
	}
	return decls
}

func (r rule) matches(n *node) bool {
	switch r.kind {
	case '.':
		for c := range strings.FieldsSeq(n.attrs["class"]) {
			if c == r.name {
				return true
			}
		}
		return false
	case '#':
		return n.attrs["id"] == r.name
	case '*':
		return true
	}
	return n.name == r.name
}

// style is the paint of a shape. Lengths are in user units.
type style struct {
	fill, stroke               string // "#rrggbb", "none" or "url(#id)"
	fillAlpha, strokeAlpha     float64
	fillOpacity, strokeOpacity float64
	opacity                    float64 // opacity of the element, multiplied by the opacities of its ancestors
	color                      string  // value of currentColor
	width, miter, dashOffset   float64
	lineCap, lineJoin          string
	dashes                     []float64
	hidden, gone               bool // hidden: true if the property visibility is not "visible". gone: true if the property display is "none"
}

func defaultStyle() style {
	return style{
		fill: "#000000", stroke: "none", color: "#000000", lineCap: "butt", lineJoin: "miter",
		fillAlpha: 1, strokeAlpha: 1, fillOpacity: 1, strokeOpacity: 1, opacity: 1, width: 1, miter: 4,
	}
}

// of() returns the style of the element n, whose parent has the style s. It applies the attributes first, then the sheet from weak to
// strong selectors, and finally the style attribute.
func (s style) of(n *node, sheet []rule) style {
	s.set("color", n.attrs["color"])
	for k, v := range n.attrs {
		s.set(k, v)
	}
	for _, kind := range []byte{'*', 0, '.', '#'} {
		for _, r := range sheet {
			if r.kind == kind && r.matches(n) {
				s.setAll(r.decls)
			}
		}
	}
	s.setAll(declarations(n.attrs["style"]))
	return s
}

func (s *style) setAll(decls []string) {
	for i := 0; i+1 < len(decls); i += 2 {
		s.set(decls[i], decls[i+1])
	}
}

// set sets the property k to v. If v is invalid, the inherited value stays.
func (s *style) set(k, v string) {
	switch k {
	case "fill":
		s.paint(v, &s.fill, &s.fillAlpha)
	case "stroke":
		s.paint(v, &s.stroke, &s.strokeAlpha)
	case "color":
		if c, _, ok := svgColor(v); ok && c != "none" {
			s.color = c
		}
	case "fill-opacity":
		fraction(v, &s.fillOpacity)
	case "stroke-opacity":
		fraction(v, &s.strokeOpacity)
	case "opacity":
		own := 1.0
		fraction(v, &own)
		s.opacity *= own
	case "display":
		s.gone = s.gone || v == "none"
	case "visibility":
		s.hidden = v == "hidden" || v == "collapse"
	default:
		s.setLine(k, v)
	}
}

func (s *style) setLine(k, v string) {
	switch k {
	case "stroke-width":
		if f, ok := number(v); ok && f >= 0 {
			s.width = f
		}
	case "stroke-miterlimit":
		if f, ok := number(v); ok && f >= 1 {
			s.miter = min(f, 1000)
		}
	case "stroke-dashoffset":
		if f, ok := number(v); ok {
			s.dashOffset = f
		}
	case "stroke-dasharray":
		if v != "inherit" {
			s.dashes = numbers(v) // "none" means an empty list
		}
	case "stroke-linecap":
		if v == "butt" || v == "round" || v == "square" {
			s.lineCap = v
		}
	case "stroke-linejoin":
		if v == "miter" || v == "round" || v == "bevel" {
			s.lineJoin = v
		}
	}
}

// paint sets a fill or stroke to a color or to a reference to a gradient. A reference may contain a fallback, which is used if the gradient
// does not exist.
func (s *style) paint(v string, to *string, alpha *float64) {
	switch {
	case v == "currentColor" || v == "currentcolor":
		*to, *alpha = s.color, 1
	case strings.HasPrefix(v, "url("):
		*to, *alpha = v, 1
	default:
		if c, a, ok := svgColor(v); ok {
			*to, *alpha = c, a
		}
	}
}

// svgColor parses a color. c is "#rrggbb" or "none".
func svgColor(v string) (c string, alpha float64, ok bool) {
	v = strings.ToLower(strings.TrimSpace(v))
	switch {
	case v == "none" || v == "transparent":
		return "none", 1, true
	case v == "" || v == "inherit" || strings.HasPrefix(v, "url"):
		return "", 0, false
	case strings.HasPrefix(v, "#"):
		return hexColor(v[1:])
	case strings.HasPrefix(v, "rgb"):
		return rgbColor(v)
	case strings.HasPrefix(v, "hsl"):
		return hslColor(v)
	}
	if c, ok := colornames.Map[v]; ok {
		return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B), 1, true
	}
	return "", 0, false
}

func hexColor(h string) (string, float64, bool) {
	if len(h) == 3 || len(h) == 4 {
		var long strings.Builder
		for _, c := range []byte(h) {
			long.Write([]byte{c, c})
		}
		h = long.String()
	}
	if _, err := strconv.ParseUint(h, 16, 32); err != nil || len(h) != 6 && len(h) != 8 {
		return "", 0, false
	}
	a := uint64(255)
	if len(h) == 8 {
		a, _ = strconv.ParseUint(h[6:], 16, 8)
	}
	return "#" + h[:6], float64(a) / 255, true
}

// colorParts splits the arguments of a color function at commas, blanks and slashes.
func colorParts(v string) []string {
	_, v, _ = strings.Cut(v, "(")
	return strings.FieldsFunc(strings.TrimSuffix(v, ")"), func(r rune) bool { return r == ',' || r == ' ' || r == '/' })
}

// hslColor parses hsl(…) and hsla(…): a hue in degrees, saturation and lightness in percent (CSS Color 4, 7).
func hslColor(v string) (string, float64, bool) {
	parts := colorParts(v)
	if len(parts) != 3 && len(parts) != 4 {
		return "", 0, false
	}
	hue, ok := number(strings.TrimSuffix(parts[0], "deg"))
	if !ok || math.Abs(hue) > maxSVGNumber {
		return "", 0, false
	}
	var sat, light float64
	fraction(parts[1], &sat)
	fraction(parts[2], &light)
	channel := func(n float64) uint8 {
		k := math.Mod(math.Mod(n+hue/30, 12)+12, 12)
		return uint8(math.Round(255 * (light - sat*min(light, 1-light)*max(-1, min(k-3, 9-k, 1)))))
	}
	alpha := 1.0
	if len(parts) == 4 {
		fraction(parts[3], &alpha)
	}
	return fmt.Sprintf("#%02x%02x%02x", channel(0), channel(8), channel(4)), alpha, true
}

// rgbColor parses rgb(…) and rgba(…) with numbers or percentages, separated by commas, blanks or a slash.
func rgbColor(v string) (string, float64, bool) {
	parts := colorParts(v)
	if len(parts) != 3 && len(parts) != 4 {
		return "", 0, false
	}
	var c [3]uint8
	for i := range c {
		p, percent := strings.CutSuffix(parts[i], "%")
		f, ok := number(p)
		if !ok {
			return "", 0, false
		}
		if percent {
			f *= 2.55
		}
		c[i] = uint8(min(max(math.Round(f), 0), 255))
	}
	alpha := 1.0
	if len(parts) == 4 {
		fraction(parts[3], &alpha)
	}
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]), alpha, true
}

// fraction parses a number or percentage and stores it in f, limited to 0..1.
func fraction(v string, f *float64) {
	p, percent := strings.CutSuffix(v, "%")
	n, ok := number(p)
	if percent {
		n /= 100
	}
	if ok {
		*f = min(max(n, 0), 1)
	}
}
