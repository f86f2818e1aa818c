package picture

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// flatScale returns the factor by which flatten multiplies coordinates, because rasterx stores only six fraction bits of a coordinate. The
// factor is sixteen times the scale to pixels. So even an icon of 24 units that fills a wall has smooth curves.
func flatScale(m matrix) float64 { return 16 * m.scale() }

// maxStroke bounds the width of a stroke, in pixels. A stroke of this width can already cover any picture.
const maxStroke = 4 * MaxSide

// walker writes the tree as a flat list.
type walker struct {
	ids       map[string]*node
	sheet     []rule
	gradients strings.Builder
	shapes    strings.Builder
	visited   int
	read      int // cost of reading so far: bytes of attributes, and one unit for each comparison of an element with a rule
	uses      int
	count     int // number of gradients written
	most      svgBound
}

// spend adds units to the cost of reading. The cost is limited, because references may repeat a long attribute very often. spend returns
// false if the total exceeds maxSVGRead.
func (w *walker) spend(units int) bool {
	w.read += units
	return w.read <= maxSVGRead
}

// flatten writes all shapes of a tree as a flat list of paths. Each path has all its attributes and the complete transform to pixels.
func flatten(root *node, to matrix, most svgBound) (string, error) {
	w := &walker{ids: make(map[string]*node), most: most}
	root.each(func(n *node) {
		if id := n.attrs["id"]; id != "" && w.ids[id] == nil {
			w.ids[id] = n
		}
		if n.name == "style" && len(w.sheet) < maxRules {
			w.sheet = append(w.sheet, parseSheet(n.text)...)
		}
	})
	if err := w.children(root, to, defaultStyle().of(root, w.sheet)); err != nil {
		return "", err
	}
	return "<svg>" + w.gradients.String() + w.shapes.String() + "</svg>", nil
}

func (w *walker) children(n *node, to matrix, s style) error {
	if s.gone {
		return nil
	}
	for _, c := range n.children {
		if err := w.visit(c, to, s); err != nil {
			return err
		}
	}
	return nil
}

// visit draws one element and its children.
func (w *walker) visit(n *node, to matrix, s style) error {
	w.visited++
	if !w.spend(n.size+len(w.sheet)) || w.visited > maxSVGElements {
		return errTooComplex
	}
	if w.shapes.Len()+w.gradients.Len() > w.most.text {
		return w.most.err
	}
	switch n.name {
	case "g", "a", "switch", "svg", "use", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon":
	default: // unsupported elements, and elements that are drawn only by reference
		return nil
	}
	s = s.of(n, w.sheet)
	to = to.times(parseTransform(n.attrs["transform"]))
	switch n.name {
	case "g", "a", "switch":
		return w.children(n, to, s)
	case "svg":
		return w.children(n, to.times(w.nested(n)), s)
	case "use":
		return w.use(n, to, s)
	}
	return w.shape(n, to, s)
}

// nested() returns the transform for the content of a nested svg or symbol element.
func (w *walker) nested(n *node) matrix {
	m := matrix{1, 0, 0, 1, length(n.attrs["x"]), length(n.attrs["y"])}
	box := numbers(n.attrs["viewBox"])
	width, height := length(n.attrs["width"]), length(n.attrs["height"])
	if len(box) != 4 || !(box[2] > 0 && box[3] > 0 && width > 0 && height > 0) {
		return m
	}
	k := min(width/box[2], height/box[3])
	return m.times(matrix{k, 0, 0, k, (width-k*box[2])/2 - k*box[0], (height-k*box[3])/2 - k*box[1]})
}

// use() draws the element that a use element refers to. maxSVGUses ends cycles of references.
func (w *walker) use(n *node, to matrix, s style) error {
	target := w.ids[strings.TrimPrefix(n.attrs["href"], "#")]
	if target == nil || s.gone {
		return nil
	}
	if w.uses >= maxSVGUses {
		return errTooComplex
	}
	w.uses++
	defer func() { w.uses-- }()
	to = to.times(matrix{1, 0, 0, 1, length(n.attrs["x"]), length(n.attrs["y"])})
	if target.name != "symbol" {
		return w.visit(target, to, s)
	}
	sized := &node{attrs: map[string]string{
		"viewBox": target.attrs["viewBox"], "width": n.attrs["width"], "height": n.attrs["height"],
	}}
	return w.children(target, to.times(w.nested(sized)), s.of(target, w.sheet))
}

// shape writes one shape as a path.
func (w *walker) shape(n *node, to matrix, s style) error {
	if s.gone || s.hidden || !to.finite() {
		return nil
	}
	k := flatScale(to)
	b := &w.shapes
	b.WriteString(`<path d="`)
	plainPath(b, outline(n), k)
	fmt.Fprintf(b, `" transform="%s" fill="%s" fill-opacity="%.4f"`,
		to.attribute(k), w.paint(s.fill, to), s.opacity*s.fillOpacity*s.fillAlpha)
	// The flat list has widths in pixels.
	if width := min(s.width*to.scale(), maxStroke); s.stroke != "none" && width > 0 {
		fmt.Fprintf(b, ` stroke="%s" stroke-opacity="%.4f" stroke-width="%.4f" stroke-linecap="%s" stroke-linejoin="%s" stroke-miterlimit="%.3f"`,
			w.paint(s.stroke, to), s.opacity*s.strokeOpacity*s.strokeAlpha, width, s.lineCap, s.lineJoin, s.miter)
		w.dashes(s, to.scale())
	}
	b.WriteString("/>")
	return nil
}

// dashes() writes a dash pattern in pixels. If the dashes are too fine to be visible, or too long for rasterx, the line becomes solid.
func (w *walker) dashes(s style, scale float64) {
	const finest, longest = 0.5, 1e5 // in px
	sum := 0.0
	for _, d := range s.dashes {
		if !(d >= 0) {
			return
		}
		sum += d * scale
	}
	if len(s.dashes) == 0 || len(s.dashes) > maxDashes || !(sum >= finest && sum <= longest) {
		return
	}
	list := s.dashes
	if len(list)%2 == 1 { // a pattern with an odd length runs twice, the second time with dashes and gaps exchanged
		list = append(append([]float64{}, list...), list...)
		sum *= 2
	}
	offset := math.Mod(s.dashOffset*scale, sum)
	if !(offset >= 0) {
		offset += sum
	}
	var out []string
	for _, d := range list {
		out = append(out, strconv.FormatFloat(d*scale, 'f', 3, 64))
	}
	fmt.Fprintf(&w.shapes, ` stroke-dasharray="%s"`, strings.Join(out, ","))
	if offset > 0 && offset < sum {
		fmt.Fprintf(&w.shapes, ` stroke-dashoffset="%.3f"`, offset)
	}
}

// outline returns the path data of a shape, in the shape's own units.
func outline(n *node) string {
	get := func(k string) float64 { return length(n.attrs[k]) }
	switch n.name {
	case "path":
		return n.attrs["d"]
	case "line":
		return fmt.Sprintf("M%f %fL%f %f", get("x1"), get("y1"), get("x2"), get("y2"))
	case "polyline", "polygon":
		return polyline(numbers(n.attrs["points"]), n.name == "polygon")
	case "circle":
		return ellipse(get("cx"), get("cy"), get("r"), get("r"))
	case "ellipse":
		return ellipse(get("cx"), get("cy"), get("rx"), get("ry"))
	case "rect":
		rx, ry := get("rx"), get("ry")
		if _, ok := n.attrs["ry"]; !ok {
			ry = rx
		}
		if _, ok := n.attrs["rx"]; !ok {
			rx = ry
		}
		return rect(get("x"), get("y"), get("width"), get("height"), rx, ry)
	}
	return ""
}

func polyline(p []float64, closed bool) string {
	var b strings.Builder
	for i := 0; i+1 < len(p); i += 2 {
		b.WriteByte("ML"[min(i, 1)])
		b.WriteString(strconv.FormatFloat(p[i], 'f', -1, 64) + " " + strconv.FormatFloat(p[i+1], 'f', -1, 64))
	}
	if closed && b.Len() > 0 {
		b.WriteByte('Z')
	}
	return b.String()
}

func ellipse(cx, cy, rx, ry float64) string {
	if !(rx > 0 && ry > 0) {
		return ""
	}
	return fmt.Sprintf("M%f %fA%f %f 0 1 1 %f %fA%f %f 0 1 1 %f %fZ", cx-rx, cy, rx, ry, cx+rx, cy, rx, ry, cx-rx, cy)
}

func rect(x, y, w, h, rx, ry float64) string {
	if !(w > 0 && h > 0) {
		return ""
	}
	rx, ry = min(rx, w/2), min(ry, h/2)
	if !(rx > 0 && ry > 0) {
		return fmt.Sprintf("M%f %fH%fV%fH%fZ", x, y, x+w, y+h, x)
	}
	return fmt.Sprintf("M%f %fH%fA%f %f 0 0 1 %f %fV%fA%f %f 0 0 1 %f %fH%fA%f %f 0 0 1 %f %fV%fA%f %f 0 0 1 %f %fZ",
		x+rx, y, x+w-rx, rx, ry, x+w, y+ry, y+h-ry, rx, ry, x+w-rx, y+h, x+rx, rx, ry, x, y+h-ry, y+ry, rx, ry, x+rx, y)
}
