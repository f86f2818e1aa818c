package draft

import (
	"cmp"
	"slices"
	"strings"

	"dashboard/internal/stable"
)

// maxPlaces is the maximum number of places in an answer.
const maxPlaces = 60

// A Place is a place where a widget can be added or moved.
type Place struct {
	Number int    `json:"number"`
	Parent string `json:"parent"`
	Index  int    `json:"index"`
	Area   string `json:"area,omitempty"`
	Rect   []int  `json:"rect,omitempty"`
	Words  string `json:"words"`
	WhyNot string `json:"why_not,omitempty"`
	Row    bool   `json:"row,omitempty"` // true if the layout needs a new row for this place
}

// `single` lists the kinds of widgets that can contain only one child.
var single = []string{"card"}

// holders lists the kinds of widgets that can contain other widgets.
var holders = []string{"grid", "row", "column", "stack", "pages", "flip", "layout"}

// Places lists the places for a widget. `move` is the id of the widget to move. If `move` is "", the widget is a new widget of the kind
// `add`. The places are in reading order.
func (t *Draft) Places(move, add string) (map[string]any, error) {
	state, err := t.State()
	if err != nil {
		return nil, err
	}
	root, _ := state["tree"].(*Node)
	list := []Place{}
	if root == nil || len(root.Children) == 0 {
		whole := []int{0, 0, state["width"].(int), state["height"].(int)}
		return map[string]any{"places": append(list, Place{Number: 1, Words: "The whole wall", Rect: whole})}, nil
	}
	f := finder{move: move, widget: &Node{Widget: add, Title: titled(add)}}
	if move != "" {
		if f.widget = findNode(root, move); f.widget != nil {
			f.from = f.widget.Rect
		}
	}
	f.look(root.Children[0])
	stable.Sort(f.list, func(a, b Place) int { return reading(a.Rect, b.Rect) })
	for i := range f.list {
		f.list[i].Number = i + 1
	}
	return map[string]any{"places": append(list, f.list...)}, nil
}

// reading() compares two rectangles by reading order: first by row, then from left to right.
func reading(a, b []int) int {
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(len(b), len(a))
	}
	return cmp.Or(cmp.Compare(a[1]/40, b[1]/40), cmp.Compare(a[0], b[0]))
}

type finder struct {
	move   string
	widget *Node // widget to move or to add, or nil if it is not known
	from   []int // current rectangle of the widget
	list   []Place
}

// titled() returns the name of a kind of widget with a capital letter.
func titled(kind string) string {
	if kind == "" {
		return ""
	}
	return strings.ToUpper(kind[:1]) + kind[1:]
}

// findNode searches n and its descendants for the node with the given id. It returns nil if there is no such node.
func findNode(n *Node, id string) *Node {
	if n.ID == id {
		return n
	}
	for _, c := range n.Children {
		if found := findNode(c, id); found != nil {
			return found
		}
	}
	return nil
}

func (f *finder) add(p Place) {
	if len(f.list) < maxPlaces {
		f.list = append(f.list, p)
	}
}

// look finds the places in the widget n and in all widgets inside of it. It skips the widget to move.
func (f *finder) look(n *Node) {
	if n.ID == f.move {
		return
	}
	if areas := areasOf(n); areas != nil {
		f.areas(n, areas)
	} else if takes(n) {
		f.rows(n)
	}
	for _, c := range n.Children {
		f.look(c)
	}
}

// takes() reports whether other widgets can be placed in the widget n.
func takes(n *Node) bool {
	return len(n.Children) > 0 && n.Widget != "list" || slices.Contains(holders, n.Widget)
}

// rows() adds a place before each child and a place after the last child.
func (f *finder) rows(n *Node) {
	from := slices.IndexFunc(n.Children, func(c *Node) bool { return c.ID == f.move })
	children := len(n.Children)
	if from < 0 {
		children++
	}
	why := refusal(f.widget, share(n, children))
	for i, c := range n.Children {
		if from >= 0 && (i == from || i == from+1) {
			continue
		}
		p := Place{Parent: n.ID, Index: i, Rect: c.Rect, Words: "At the place of " + nameOf(c) + ", which moves on", WhyNot: why}
		if slices.Contains(single, n.Widget) {
			p.WhyNot = "A " + n.Widget + " shows one widget. Put both into a column first."
		}
		f.add(p)
	}
	if from >= 0 && from == len(n.Children)-1 {
		return
	}
	p := Place{Parent: n.ID, Index: len(n.Children), Rect: endOf(n.Rect, n.Widget), Words: "At the end of " + nameOf(n), WhyNot: why}
	if slices.Contains(single, n.Widget) && len(n.Children) > 0 {
		return
	}
	f.add(p)
}

// endOf returns the part of a widget's rectangle in which a new last child would be shown.
func endOf(r []int, kind string) []int {
	if len(r) != 4 {
		return nil
	}
	if kind == "row" || kind == "layout" {
		w := max(r[2]/6, 1)
		return []int{r[0] + r[2] - w, r[1], w, r[3]}
	}
	h := max(r[3]/6, 1)
	return []int{r[0], r[1] + r[3] - h, r[2], h}
}

// areasOf returns the names of the areas of a layout. For other widgets it returns nil.
func areasOf(n *Node) []string {
	i := slices.IndexFunc(n.Params, func(p Param) bool { return p.Key == "areas" })
	if n.Widget != "layout" || i < 0 {
		return nil
	}
	var list []string
	for _, word := range strings.FieldsFunc(n.Params[i].Value, func(r rune) bool { return strings.ContainsRune(" \n\t\"'[],-|>", r) }) {
		if word != "." && !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	return list
}

// areas() adds the places in a layout. A widget can be placed in a free area. A new widget can also be placed in a new row. A moved widget
// can also change places with another widget.
func (f *finder) areas(n *Node, list []string) {
	for _, area := range list {
		i := slices.IndexFunc(n.Children, func(c *Node) bool { return c.Area == area })
		p := Place{Parent: n.ID, Index: len(n.Children), Area: area, Words: "The free area " + area}
		switch {
		case i < 0:
		case n.Children[i].ID == f.move:
			continue
		case n.Children[i].Widget == "space":
			p.Rect = n.Children[i].Rect
			p.WhyNot = refusal(f.widget, p.Rect)
		case f.move == "":
			continue
		default:
			p.Rect, p.Words = n.Children[i].Rect, "Change places with "+nameOf(n.Children[i])
			p.WhyNot = cmp.Or(refusal(f.widget, p.Rect), refusal(n.Children[i], f.from))
		}
		f.add(p)
	}
	if f.move == "" {
		f.add(Place{Parent: n.ID, Index: len(n.Children), Area: freeName(list), Rect: endOf(n.Rect, "column"), Words: "A new row below all", Row: true})
	}
}

// freeName returns a name for a new area. `list` contains the used names.
func freeName(list []string) string {
	name := "new"
	for i := 2; slices.Contains(list, name); i++ {
		name = "new" + itoa(i)
	}
	return name
}

func nameOf(n *Node) string { return cmp.Or(n.Title, n.Name, n.Widget, "the widget") }
