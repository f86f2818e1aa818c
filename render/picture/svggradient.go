package picture

import (
	"fmt"
	"strings"
)

// paint returns the paint v in the form of the flat list. For a reference to a gradient, it writes a separate copy of the gradient and
// converts the coordinates of the copy to pixels. A broken reference becomes its fallback color, or no paint.
func (w *walker) paint(v string, to matrix) string {
	ref, ok := strings.CutPrefix(v, "url(")
	if !ok {
		return v
	}
	ref, fallback, _ := strings.Cut(ref, ")")
	g := w.ids[strings.TrimPrefix(strings.Trim(ref, `"' `), "#")]
	if g == nil || g.name != "linearGradient" && g.name != "radialGradient" {
		c, _, ok := svgColor(fallback)
		if !ok {
			return "none"
		}
		return c
	}
	w.count++
	id := fmt.Sprintf("g%d", w.count)
	w.gradient(id, g, to)
	return "url(#" + id + ")"
}

// gradient writes a copy of the gradient g to the flat list, with everything that g inherits
// through references. The copy gets the given id.
func (w *walker) gradient(id string, g *node, to matrix) {
	attrs, stops := w.inherited(g)
	if !w.spend((1 + len(stops)) * (64 + len(w.sheet))) {
		return // the limit is exceeded. visit returns the error at the next element
	}
	b := &w.gradients
	fmt.Fprintf(b, `<%s id="%s"`, g.name, id)
	own := parseTransform(attrs["gradientTransform"])
	if attrs["gradientUnits"] == "userSpaceOnUse" {
		own = to.times(own)
		b.WriteString(` gradientUnits="userSpaceOnUse"`)
	}
	fmt.Fprintf(b, ` gradientTransform="%s"`, own.attribute(1))
	if m := attrs["spreadMethod"]; m == "reflect" || m == "repeat" {
		fmt.Fprintf(b, ` spreadMethod="%s"`, m)
	}
	for _, k := range []string{"x1", "y1", "x2", "y2", "cx", "cy", "r", "fx", "fy"} {
		if v, unit, ok := numberAt(attrs[k]); ok && (unit == "" || unit == "%" || unit == "px") {
			if unit == "%" {
				v /= 100
			}
			fmt.Fprintf(b, ` %s="%s"`, k, plainNumber(v))
		}
	}
	b.WriteByte('>')
	for _, s := range stops {
		w.stop(s)
	}
	fmt.Fprintf(b, "</%s>", g.name)
}

// inherited() collects the attributes and stops of g and of the gradients to which g refers. An attribute of a gradient takes precedence
// over the attributes that the gradient inherits.
func (w *walker) inherited(g *node) (attrs map[string]string, stops []*node) {
	attrs = make(map[string]string)
	for range maxSVGUses {
		for k, v := range g.attrs {
			if _, set := attrs[k]; !set {
				attrs[k] = v
			}
		}
		for _, c := range g.children {
			if c.name == "stop" && len(stops) < maxStops {
				stops = append(stops, c)
			}
		}
		next := w.ids[strings.TrimPrefix(g.attrs["href"], "#")]
		if next == nil || !strings.HasSuffix(next.name, "Gradient") {
			break
		}
		if len(stops) > 0 { // only a gradient without stops inherits stops
			next = &node{attrs: next.attrs}
		}
		g = next
	}
	return attrs, stops
}

// maxStops bounds the stops of a gradient, because each pixel has to search them.
const maxStops = 64

func (w *walker) stop(n *node) {
	col, alpha, offset, opacity := "#000000", 1.0, 0.0, 1.0
	fraction(n.attrs["offset"], &offset)
	set := func(k, v string) {
		switch k {
		case "stop-color":
			if c, a, ok := svgColor(v); ok && c != "none" {
				col, alpha = c, a
			} else if ok {
				alpha = 0
			}
		case "stop-opacity":
			fraction(v, &opacity)
		}
	}
	set("stop-color", n.attrs["stop-color"])
	set("stop-opacity", n.attrs["stop-opacity"])
	decls := declarations(n.attrs["style"])
	for _, r := range w.sheet {
		if r.matches(n) {
			decls = append(append([]string{}, r.decls...), decls...)
		}
	}
	for i := 0; i+1 < len(decls); i += 2 {
		set(decls[i], decls[i+1])
	}
	fmt.Fprintf(&w.gradients, `<stop offset="%.5f" stop-color="%s" stop-opacity="%.4f"/>`, offset, col, opacity*alpha)
}
