package draft

import (
	"strings"

	"dashboard/config/edit"
)

// add adds a widget, either as a child of another widget or as the first widget of a wall. If the operation has a node, the new widget is
// a copy of it.
func (x *txn) add(op Op) error {
	text, err := x.newText(op)
	if err != nil {
		return err
	}
	if op.Parent == "" {
		return x.addFirst(text)
	}
	s, err := x.node(op.Parent, op.Hash)
	if err != nil {
		return err
	}
	return x.put(s, op.Index, text)
}

// newText returns the YAML of the widget that an operation adds.
func (x *txn) newText(op Op) (string, error) {
	if op.Node == "" {
		return withArea(op.YAML, op.Area)
	}
	s, err := x.find(op.Node)
	if err != nil {
		return "", err
	}
	area := ""
	if op.Area != nil {
		area = *op.Area
	}
	text, err := x.start(s.file).Second(s.value, area)
	if err != nil {
		return "", x.take(s.file, nil, err)
	}
	return text, nil
}

// addFirst adds the first widget of a wall.
func (x *txn) addFirst(text string) error {
	name := x.t.widgetsFile()
	c, err := x.doc(name)
	if err != nil {
		return err
	}
	if list := c.doc.At("widgets"); list != nil {
		if len(list.Entries) > 0 {
			return fail(422, "a wall has one outermost widget: put the new one into it, or both into a grid")
		}
		r, err := c.doc.Insert(list, 0, "", text)
		return x.take(name, r, err)
	}
	r, err := c.doc.Append("widgets", "- "+strings.ReplaceAll(text, "\n", "\n  "))
	return x.take(name, r, err)
}

// put adds a child to a widget. `index` is the child's place in the list of children.
func (x *txn) put(s *spot, index int, text string) error {
	d := x.start(s.file)
	if s.value.Kind != edit.Map {
		return fail(422, "a widget cannot be added here")
	}
	key := "children"
	if s.value.Parent == nil {
		key = "widgets"
	}
	list := s.value.Get(key)
	if list == nil {
		r, err := d.Set(s.value, key, "- "+strings.ReplaceAll(text, "\n", "\n  "))
		return x.take(s.file, r, err)
	}
	if list = list.Resolve(); key == "widgets" && len(list.Entries) > 0 {
		return fail(422, "a wall has one outermost widget: put the new one into it, or both into a grid")
	}
	r, err := d.Insert(list, min(max(index, 0), len(list.Entries)), "", text)
	return x.take(s.file, r, err)
}

// withArea returns the YAML of a widget with the key area set to the value of the parameter `area`. If `area` is nil or empty, it returns
// the text unchanged.
func withArea(text string, area *string) (string, error) {
	if area == nil || *area == "" {
		return text, nil
	}
	d, err := edit.Parse("the new widget", []byte(text))
	if err != nil || d.Root == nil || d.Root.Kind != edit.Map {
		return "", fail(422, "a widget is a mapping such as {widget: clock}")
	}
	r, err := d.Set(d.Root, "area", *area)
	if err != nil {
		return "", fail(422, "%v", err)
	}
	return string(r.Doc.Bytes), nil
}

// move moves a widget to another place in its file.
func (x *txn) move(op Op) error {
	s, err := x.node(op.Node, op.Hash)
	if err != nil {
		return err
	}
	to, err := x.find(op.Parent)
	switch {
	case err != nil:
		return err
	case to.file != s.file:
		return fail(422, "a widget can be moved within its file: the other place is in %s", to.file)
	case s.entry.Parent == nil:
		return fail(422, "the whole file cannot be moved")
	}
	if to.value.Span.Start > s.entry.Span.Start && to.value.Span.End <= s.entry.Span.End {
		return fail(422, "a widget cannot be moved into itself")
	}
	key := "children"
	list := to.value.Get(key).Resolve()
	if list == nil {
		return x.moveToEmpty(s, op)
	}
	inside := x.inside(op.Node, s)
	at, e := op.Index, s.entry.Parent
	if list == e.In && (at == e.Index || at == e.Index+1) {
		return x.setArea(op.Node, op.Area)
	}
	r, err := x.start(s.file).Move(e, list, min(max(at, 0), len(list.Entries)))
	if err := x.take(s.file, r, err); err != nil {
		return err
	}
	x.regain(op, inside)
	return x.setArea(op.Node, op.Area)
}

// moveToEmpty moves a widget into another widget, which has no children yet.
func (x *txn) moveToEmpty(s *spot, op Op) error {
	inside := x.inside(op.Node, s)
	d := x.start(s.file)
	text := d.Text(s.entry)
	r, err := d.Remove(s.entry.Parent)
	if err := x.take(s.file, r, err); err != nil {
		return err
	}
	to, err := x.find(op.Parent)
	if err != nil {
		return err
	}
	if err := x.put(to, 0, text); err != nil {
		return err
	}
	op.Index = 0
	x.regain(op, inside)
	return x.setArea(op.Node, op.Area)
}

// inside() returns the ids of a widget and of all nodes inside of it. The key of an id is the index of its node in the order in which
// Walk visits the nodes.
func (x *txn) inside(id string, s *spot) map[int]string {
	by := map[int]string{}
	for other, k := range x.nodes {
		if k.file == s.file {
			by[k.start] = other
		}
	}
	ids, i := map[int]string{}, 0
	s.entry.Walk(func(n *edit.Node) {
		if other := by[n.Span.Start]; other != "" && (n.Parent == nil || n.Parent.Value == n) {
			ids[i] = other
			delete(by, n.Span.Start)
		}
		i++
	})
	ids[0] = id
	return ids
}

// regain gives the previous ids to the nodes of a moved widget.
func (x *txn) regain(op Op, ids map[int]string) {
	to, err := x.find(op.Parent)
	if err != nil {
		return
	}
	list := to.value.Get("children").Resolve()
	if list == nil || len(list.Entries) == 0 {
		return
	}
	for _, at := range []int{op.Index - 1, op.Index} { // if the widget was moved down in the same list, its new index is op.Index-1
		if at < 0 || at >= len(list.Entries) {
			continue
		}
		n, taken := list.Entries[at].Value, false
		for _, k := range x.nodes {
			taken = taken || k == nodeKey{to.file, n.Span.Start}
		}
		if taken {
			continue
		}
		i := 0
		n.Walk(func(c *edit.Node) {
			if id := ids[i]; id != "" {
				x.nodes[id] = nodeKey{to.file, c.Span.Start}
			}
			i++
		})
		return
	}
}

// setArea sets or removes the area of a moved widget.
func (x *txn) setArea(id string, area *string) error {
	s, err := x.find(id)
	if err != nil || area == nil || s.value.Kind != edit.Map {
		return nil // the request sets no area, or the widget was not found or is not a mapping
	}
	if *area != "" {
		return x.setKey(s.file, s.value, "area", *area)
	}
	e := s.value.Entry("area")
	if e == nil {
		return nil
	}
	r, err := x.start(s.file).Remove(e)
	return x.take(s.file, r, err)
}
