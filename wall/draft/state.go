package draft

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"dashboard/config"
	"dashboard/config/edit"
)

// A Node is a part of the files that the page shows: a widget, a provider, or the wall.
type Node struct {
	ID       string  `json:"id"`
	Kind     string  `json:"kind"` // screen, widget or provider
	File     string  `json:"file"`
	Start    int     `json:"start"`
	End      int     `json:"end"`
	Hash     string  `json:"hash"`
	Line     int     `json:"line"`
	Widget   string  `json:"widget,omitempty"`
	Name     string  `json:"name,omitempty"`
	Title    string  `json:"title,omitempty"`
	Area     string  `json:"area,omitempty"`
	Rect     []int   `json:"rect,omitempty"`
	Used     int     `json:"used,omitempty"`
	Of       string  `json:"of,omitempty"`
	Locked   int     `json:"locked,omitempty"` // line of a mistake in the text that must be corrected before the node can be changed, or 0
	Params   []Param `json:"params"`
	Children []*Node `json:"children"`

	pos string    // position of the node, in the form that diagnostics use
	own edit.Span // bytes of the node in the last valid text. For an alias, this is the alias itself
}

// A Param is one key of a node.
type Param struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Hash  string `json:"hash"`
	Line  int    `json:"line"`
}

// A Problem is an error or a warning of the check.
type Problem struct {
	ID       string `json:"id"`
	Severity string `json:"severity"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Text     string `json:"text"`
	Node     string `json:"node,omitempty"`
	Tolerant bool   `json:"-"`
}

const (
	// maxShownNodes is the maximum number of nodes in a state.
	maxShownNodes = 3000
	// maxShownValue is the maximum length of a parameter's text in a state, in bytes.
	maxShownValue = 16 << 10
)

// State returns the state of the draft, with all data that the page shows.
func (t *Draft) State() (map[string]any, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.state()
}

func (t *Draft) state() (map[string]any, error) {
	if !t.open() {
		return nil, fail(404, "the draft is closed")
	}
	t.draw()
	b := &treeBuilder{t: t, by: map[nodeKey]string{}, seen: map[string]bool{}}
	for id, k := range t.nodes {
		b.by[k] = id
	}
	tree := b.screen(t.files[t.widgetsFile()])
	providers := b.providers(t.files[config.ProvidersName])
	maps.DeleteFunc(t.nodes, func(id string, _ nodeKey) bool { return !b.seen[id] })
	problems := t.problems(b.all)
	t.lock(b.all)
	return map[string]any{
		"id": t.ID, "view": t.View, "name": t.editor.Name(), "width": t.drawn.size.X, "height": t.drawn.size.Y, "revision": t.revision,
		"changes": t.changes(), "can_undo": len(t.undo) > 0, "can_redo": len(t.redo) > 0, "theme": string(t.drawn.mode),
		"modes": t.drawn.modes, "files": t.fileList(), "tree": tree, "providers": providers, "problems": problems,
		"picture": fmt.Sprintf("/edit/drafts/%s/picture?revision=%d", t.ID, t.revision), "drawn": t.drawn.revision, "conflicts": t.conflictList(),
		"merged": t.mergedList(), "own": t.own(),
	}, nil
}

// fileList returns the list of files in a state.
func (t *Draft) fileList() []map[string]any {
	list := []map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		f := t.files[name]
		if !f.there && len(f.work) == 0 {
			continue
		}
		list = append(list, map[string]any{
			"name": name, "hash": edit.Hash(f.work), "changed": f.changed(), "writable": t.writable, "broken": f.wrong != nil,
		})
	}
	return list
}

// A treeBuilder builds the tree of nodes in a draft's state.
type treeBuilder struct {
	t    *Draft
	by   map[nodeKey]string
	seen map[string]bool
	all  []*Node
}

// node returns the node of the value n. `kind` is the node's kind.
func (b *treeBuilder) node(d *edit.Document, n *edit.Node, kind string) *Node {
	v := n.Resolve()
	id := b.t.idOf(b.by, nodeKey{d.Name, n.Span.Start})
	b.seen[id] = true
	line, column := d.Position(v.Span.Start)
	out := &Node{
		ID: id, Kind: kind, File: d.Name, Start: v.Span.Start, End: v.Span.End, Hash: hashOf(d, n), Line: d.Line(n.Span.Start),
		Params: []Param{}, Children: []*Node{}, own: n.Span, pos: fmt.Sprintf("%s:%d:%d", d.Name, line, column),
		Widget: v.Get("widget").Text(), Name: v.Get("name").Text(), Area: v.Get("area").Text(),
	}
	out.Title = cmp.Or(v.Get("title").Text(), v.Get("text").Text(), out.Name, strings.TrimSpace(out.Widget))
	if v.Uses > 0 {
		out.Used = v.Uses + 1
	}
	if n != v {
		out.Of = b.t.idOf(b.by, nodeKey{d.Name, v.Span.Start})
	}
	b.all = append(b.all, out)
	return out
}

// params() lists the keys of a node with their values. It leaves out the keys that the parameter `but` contains.
func params(d *edit.Document, n *edit.Node, but ...string) []Param {
	list := []Param{}
	if n.Kind != edit.Map {
		return list
	}
	for _, e := range n.Entries {
		if slices.Contains(but, e.Key.Value) {
			continue
		}
		text := d.Text(e.Value)
		if len(text) > maxShownValue {
			text = strings.ToValidUTF8(text[:maxShownValue], "") + "…"
		}
		at := e.Value.Span
		list = append(list, Param{
			Key: e.Key.Value, Value: text, Start: at.Start, End: at.End, Hash: edit.Hash(d.Bytes[at.Start:at.End]), Line: d.Line(e.Span.Start),
		})
	}
	return list
}

// screen builds the node of the wall. It contains the keys of the widgets file, and the widgets as its children.
func (b *treeBuilder) screen(f *file) *Node {
	if f == nil || f.good == nil || f.good.Root == nil || f.good.Root.Kind != edit.Map {
		return nil
	}
	d := f.good
	root := b.node(d, d.Root, "screen")
	root.Widget, root.Title = config.ScreenKind, b.t.editor.Name()
	root.Params = params(d, d.Root, "widgets")
	for _, e := range d.At("widgets").Items() {
		root.Children = append(root.Children, b.widget(d, e.Value))
	}
	b.place(root)
	return root
}

func (b *treeBuilder) widget(d *edit.Document, n *edit.Node) *Node {
	out := b.node(d, n, "widget")
	v := n.Resolve()
	out.Params = params(d, v, "widget", "children")
	if n != v || len(b.all) > maxShownNodes {
		return out // n is an alias, whose children belong to the anchor's node, or there are too many nodes
	}
	for _, e := range v.Get("children").Resolve().Items() {
		if e.Value.Resolve().Kind == edit.Map {
			out.Children = append(out.Children, b.widget(d, e.Value))
		}
	}
	if item := v.Get("item").Resolve(); item != nil && item.Get("widget") != nil {
		out.Children = append(out.Children, b.widget(d, v.Get("item")))
	}
	return out
}

// providers() builds a node for each provider in providers.yaml.
func (b *treeBuilder) providers(f *file) []*Node {
	list := []*Node{}
	if f == nil || f.good == nil {
		return list
	}
	d := f.good
	for _, e := range d.At("providers").Items() {
		if e.Key == nil {
			continue
		}
		n := b.node(d, e.Value, "provider")
		n.Name, n.Title, n.Widget = e.Key.Value, e.Key.Value, cmp.Or(e.Value.Resolve().Get("type").Text(), config.DefaultProviderType)
		n.Params = params(d, e.Value.Resolve())
		list = append(list, n)
	}
	return list
}

// place sets the rectangles of the nodes on the picture. If a widget is drawn several times because
// of aliases, its node gets the first rectangle. If the picture shows a text that operations cannot change, its nodes get none.
func (b *treeBuilder) place(root *Node) {
	for _, n := range b.all {
		if f := b.t.files[n.File]; f.wrong != nil && !f.broken() {
			continue
		}
		if r, ok := b.t.drawn.rects[n.pos]; ok && n.Kind == "widget" {
			n.Rect = []int{r.Min.X, r.Min.Y, r.Dx(), r.Dy()}
		}
	}
	root.Rect = []int{0, 0, b.t.drawn.size.X, b.t.drawn.size.Y}
}

// problems() returns the errors and warnings of the last check. Each problem gets the id of the node that contains its position, if
// `nodes` contains this node.
func (t *Draft) problems(nodes []*Node) []Problem {
	list := []Problem{}
	for _, d := range t.drawn.problems {
		if t.unwritten(d.File) { // a new wall has no widgets file until a widget is added
			continue
		}
		p := Problem{Severity: d.Severity.String(), File: d.File, Line: d.Line, Column: d.Column, Text: d.Message}
		if d.Near != "" {
			p.Text += "; near: " + d.Near
		}
		p.ID = edit.Hash(fmt.Appendf(nil, "%s %s %s", p.Severity, p.File, p.Text))
		p.Node = nodeOf(nodes, t.files[d.File], d)
		list = append(list, p)
	}
	return list
}

// unwritten() reports whether a file is the widgets file of the view and does not exist yet.
func (t *Draft) unwritten(name string) bool {
	f := t.files[name]
	return name == t.widgetsFile() && (f == nil || !f.there && len(f.work) == 0)
}

// nodeOf returns the id of the innermost node that contains the position of a diagnostic. If there is none, it returns "".
func nodeOf(nodes []*Node, f *file, d config.Diagnostic) string {
	if f == nil || f.good == nil || d.Line == 0 || f.wrong != nil && f.fence == nil {
		return ""
	}
	at := f.good.Offset(d.Line, d.Column)
	if f.fence != nil { // the outermost node in the fence has the mistake
		at = f.fence.Valid.Start
		for _, n := range nodes { // outer nodes are before inner nodes
			if n.File == d.File && f.fence.Valid.Contains(n.own) {
				return n.ID
			}
		}
	}
	best := ""
	size := math.MaxInt
	for _, n := range nodes {
		if n.File == d.File && n.Start <= at && at <= n.End && n.End-n.Start < size {
			best, size = n.ID, n.End-n.Start
		}
	}
	return best
}
