package edit

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Move moves an entry to another position in the same or in another collection. It inserts the entry before the entry that has the given
// index before the move.
func (d *Document) Move(e *Entry, to *Node, index int) (*Result, error) {
	p := d.plan()
	if e.In.Kind != Seq && to.Kind == Seq || to.Kind == Map && e.Key == nil {
		return nil, refuse("this cannot be moved there")
	}
	if e.Value.Span.Contains(to.Span) && to.Span.Len() > 0 {
		return nil, refuse("a widget cannot be moved into itself")
	}
	if to == e.In && (index == e.Index || index == e.Index+1) {
		return nil, refuse("it is there already")
	}
	s, lead, err := p.taken(e, to)
	if err != nil {
		return nil, err
	}
	key := ""
	if e.Key != nil {
		key = e.Key.Value
	}
	if err := p.remove(e); err != nil {
		return nil, err
	}
	if err := p.insert(to, index, key, s, lead); err != nil {
		return nil, err
	}
	return p.finish()
}

// taken() returns the value of an entry for insertion at another place. The second result contains the comment lines above the entry with
// the indentation of the new place, or "". Comments cannot stay in brackets. So if the new place is in brackets, taken drops the comments
// above the entry, and returns an error for comments inside or after the value.
func (p *plan) taken(e *Entry, to *Node) (*snippet, string, error) {
	d, v := p.d, e.Value
	y := p.by[v.y]
	s := &snippet{y: y, text: d.Text(v), block: v.Block() && v.Span.Start == v.Content.Start}
	s.multi = strings.Contains(s.text, "\n")
	comment, end := d.trailing(e.Span.End)
	behind := strings.TrimSpace(string(comment))
	if inFlow(e.In) || !strings.HasPrefix(behind, "#") {
		behind = ""
	}
	if inFlow(to) {
		if behind != "" || strings.Contains(s.text, "#") && hasComment(d, v) {
			return nil, "", refuse("the comments of this part have no room in brackets: edit it as text")
		}
		return s, "", nil
	}
	if behind != "" {
		s.text += string(d.Bytes[e.Span.End:end])
	}
	if e.In.Flow || !d.alone(e.Span.Start) {
		return s, "", nil
	}
	lead := string(d.Bytes[d.leadStart(e):d.lineStartAt(e.Span.Start)])
	if lead == "" {
		return s, "", nil
	}
	lines := strings.Split(strings.TrimRight(lead, "\r\n"), d.eol)
	by := p.d.column(to.Content.Start) - p.d.column(e.In.Content.Start)
	return s, strings.Join(shifted(lines, by), d.eol) + d.eol, nil
}

// hasComment reports whether there is a comment inside of the value n.
func hasComment(d *Document, n *Node) bool {
	for i := n.Span.Start; i < n.Span.End; i++ {
		if d.Bytes[i] == '#' && i > 0 && d.blankBefore(i) {
			inside := false
			n.Walk(func(c *Node) { inside = inside || c.Kind == Scalar && c.Content.Contains(Span{i, i + 1}) })
			if !inside {
				return true
			}
		}
	}
	return false
}

// Text returns the text of a value. The first line has no indentation, and the other lines are indented relative to it.
func (d *Document) Text(n *Node) string {
	raw := strings.ReplaceAll(string(d.Bytes[n.Span.Start:n.Span.End]), "\r\n", "\n")
	lines := strings.Split(raw, "\n")
	by := d.column(n.Span.Start)
	if n.literal() || n.Span.Start != n.Content.Start && n.Parent != nil {
		by = d.column(n.Parent.In.Content.Start)
	}
	return strings.Join(append(lines[:1:1], shifted(lines[1:], -by)...), "\n")
}

// Wrap replaces a widget by a new widget whose only child is the old widget. `text` is the YAML of the new widget.
func (d *Document) Wrap(e *Entry, text string) (*Result, error) {
	p := d.plan()
	s, err := p.newSnippet(text)
	if err != nil {
		return nil, err
	}
	if s.y.Kind != yaml.MappingNode || slices.ContainsFunc(s.y.Content, func(y *yaml.Node) bool { return y.Value == "children" }) {
		return nil, refuse("the new widget must be a mapping without children, such as {widget: card}")
	}
	old := e.Value
	list := &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{p.by[old.y]}}
	y := *s.y
	y.Content = append(slices.Clone(s.y.Content), p.keyNode("children"), list)
	flow := inFlow(e.In) || !old.Block() && !s.block
	if flow {
		if hasComment(d, old) {
			return nil, refuse("the comments of this part have no room in brackets: edit it as text")
		}
		list.Style, y.Style = yaml.FlowStyle, yaml.FlowStyle
		err = p.setValue(e, &snippet{y: &y, text: p.style.flowText(&y)})
	} else {
		head := p.style.lines(&yaml.Node{Kind: yaml.MappingNode, Content: s.y.Content})
		if s.block {
			head = strings.Split(s.text, "\n")
		}
		dash := strings.Repeat(" ", p.style.dash) + "-" + strings.Repeat(" ", max(p.style.item-1, 1))
		body := strings.Split(d.Text(old), "\n")
		if old.literal() || old.Span.Start != old.Content.Start {
			return nil, refuse("a widget with an anchor can be put into another one as text only")
		}
		body = append([]string{dash + body[0]}, indented(body[1:], p.style.dash+p.style.item)...)
		y.Style = 0
		err = p.setValue(e, &snippet{y: &y, text: strings.Join(slices.Concat(head, []string{"children:"}, body), "\n"), block: true, multi: true})
	}
	if err != nil {
		return nil, err
	}
	return p.finish()
}

// Unwrap replaces a widget by its children.
func (d *Document) Unwrap(e *Entry) (*Result, error) {
	p := d.plan()
	children := e.Value.Get("children")
	switch {
	case children == nil || children.Kind != Seq || len(children.Entries) == 0:
		return nil, refuse("this widget has no children to put in its place")
	case e.Value.Span.Start != e.Value.Content.Start || children.Span.Start != children.Content.Start:
		return nil, refuse("a widget with an anchor can be removed as text only")
	case e.In.Kind != Seq && len(children.Entries) > 1:
		return nil, refuse("there is room for one widget here, and this one has %d children", len(children.Entries))
	case inFlow(e.In) && !inFlow(children):
		return nil, refuse("the children have no room in brackets: edit it as text")
	}
	first, last := children.Entries[0], children.Entries[len(children.Entries)-1]
	in, at, count := p.model2(e)
	in.Content = slices.Replace(in.Content, at+count-1, at+count, p.by[children.y].Content...)
	switch {
	case e.In.Kind == Seq && children.Block():
		raw := strings.Split(string(d.Bytes[first.Span.Start:last.Span.End]), d.eol)
		by := d.column(e.In.Content.Start) - d.column(children.Content.Start)
		p.replace(e.Span.Start, e.Span.End, strings.Join(append(raw[:1:1], shifted(raw[1:], by)...), d.eol))
	case e.In.Kind == Seq && !inFlow(e.In):
		var lines []string
		for i, c := range children.Entries {
			line := d.Text(c.Value)
			if i > 0 {
				line = strings.Repeat(" ", d.column(e.In.Content.Start)) + "-" + strings.Repeat(" ", max(p.style.item-1, 1)) + line
			}
			lines = append(lines, line)
		}
		p.replace(e.Value.Span.Start, e.Value.Span.End, strings.Join(lines, d.eol))
	case e.In.Kind == Seq:
		p.replace(e.Value.Span.Start, e.Value.Span.End, string(d.Bytes[first.Span.Start:last.Span.End]))
	default:
		s := &snippet{y: p.by[first.Value.y], text: d.Text(first.Value), block: first.Value.Block()}
		s.multi = strings.Contains(s.text, "\n")
		p.setOnly(e, s)
	}
	return p.finish()
}

// setOnly replaces the bytes of a value. The caller must have changed the model before.
func (p *plan) setOnly(e *Entry, s *snippet) {
	w := p.write(s, p.valuePlace(e, s.y.Kind))
	if w.below {
		p.putBelow(e, w.lines)
		return
	}
	if e.Value.Block() {
		p.putInline(e, w.lines)
		return
	}
	p.putAt(e, w.lines)
}

// `own` lists the keys that are not copied with a widget.
var own = []string{"name", "area"}

// Duplicate inserts a copy of a widget after the widget. The copy has no name, no area and no anchors.
func (d *Document) Duplicate(e *Entry) (*Result, error) {
	if e.In.Kind != Seq {
		return nil, refuse("there is room for one widget here")
	}
	text, err := d.Second(e.Value, "")
	if err != nil {
		return nil, err
	}
	return d.Insert(e.In, e.Index+1, "", text)
}

// Second returns the text of a copy of a widget. The copy has the given area, or no area if it is "", and no name and no anchors.
func (d *Document) Second(v *Node, area string) (string, error) {
	start := v.Span.Start
	for _, key := range own {
		var r *Result
		var err error
		switch e := v.Entry(key); {
		case key == "area" && area != "":
			r, err = d.Set(v, key, area)
		case e != nil && len(v.Entries) > 1:
			r, err = d.Remove(e)
		default:
			continue
		}
		if err != nil {
			return "", err
		}
		d, v = r.Doc, nil
		d.Root.Walk(func(n *Node) {
			if v == nil && n.Kind == Map && n.Span.Start == start {
				v = n
			}
		})
		if v == nil {
			return "", refuse("this widget can be copied as text only")
		}
	}
	return d.Copy(v), nil
}
