package draft

import "fmt"

// line is the height of a line of the smallest text on a wall, in px. The letters of this text are 11 px high.
const line = 16

// A need is the minimum size of a useful widget. The height `lines` and the width `wide` are multiples of the constant `line`.
type need struct{ lines, wide int }

// needs lists the kinds of widgets that need more room than one short line.
var needs = map[string]need{
	"agenda": {3, 8}, "list": {2, 6}, "table": {3, 8}, "feed": {2, 8}, "markdown": {2, 8}, "weather": {4, 8}, "chart": {3, 6},
	"month": {8, 14}, "week": {8, 14}, "heatmap": {7, 14}, "timeline": {3, 14}, "photos": {4, 4}, "image": {2, 2}, "qr": {6, 6},
}

// `short` is the need of every kind of widget that the map `needs` does not contain.
var short = need{1, 2}

// roomFor returns the minimum width and height in px of a widget and the widgets inside of it.
func roomFor(n *Node) (w, h int) {
	if len(n.Children) == 0 || n.Widget == "card" {
		one, known := needs[n.Widget]
		if !known {
			one = short
		}
		return one.wide * line, one.lines * line
	}
	for _, c := range n.Children {
		cw, ch := roomFor(c)
		switch n.Widget {
		case "row":
			w, h = w+cw, max(h, ch)
		case "column":
			w, h = max(w, cw), h+ch
		default: // in a stack, each child gets the whole place. A layout is at least as large as its largest child
			w, h = max(w, cw), max(h, ch)
		}
	}
	return w, h
}

// share returns the size of one child of n if n has the given number of children. In a row and in a column, the children share the size
// of n equally.
func share(n *Node, children int) []int {
	if len(n.Rect) != 4 {
		return nil
	}
	w, h := n.Rect[2], n.Rect[3]
	switch n.Widget {
	case "row":
		w /= children
	case "column":
		h /= children
	}
	return []int{0, 0, w, h}
}

// refusal returns the reason why the widget n does not fit in the rectangle r, or "" if it fits. If
// the rectangle is not known, the widget fits.
func refusal(n *Node, r []int) string {
	if n == nil || len(r) != 4 {
		return ""
	}
	w, h := roomFor(n)
	switch {
	case h > r[3]:
		return fmt.Sprintf("%s needs %d px of height, %d are there. Make the row taller first.", nameOf(n), h, r[3])
	case w > r[2]:
		return fmt.Sprintf("%s needs %d px of width, %d are there. Make the column wider first.", nameOf(n), w, r[2])
	}
	return ""
}
