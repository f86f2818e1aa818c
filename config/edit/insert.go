package edit

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Insert adds an entry to a list or mapping. `index` is the position of the new entry. `key` is "" for a list.
func (d *Document) Insert(in *Node, index int, key, text string) (*Result, error) {
	p := d.plan()
	s, err := p.newSnippet(text)
	if err != nil {
		return nil, err
	}
	if err := p.insert(in, index, key, s, ""); err != nil {
		return nil, err
	}
	return p.finish()
}

// keyNode returns a node of the YAML library for a key.
func (p *plan) keyNode(key string) *yaml.Node {
	y := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}
	if !plainText(key) || strings.ContainsAny(key, ":#,[]{}&*!|>'\"%@` ") {
		y.Style = yaml.DoubleQuotedStyle
	}
	return y
}

// insert adds an entry. `lead` contains the comment lines above the entry, indented like the entry, each with a line break.
func (p *plan) insert(in *Node, index int, key string, s *snippet, lead string) error {
	if in.Kind == Scalar && in.Empty() || in.Kind != Alias && len(in.Entries) == 0 && in.Flow {
		return p.insertFirst(in, key, s)
	}
	switch {
	case in.Kind != Seq && in.Kind != Map, in.Kind == Seq != (key == ""):
		return refuse("nothing can be added here")
	case in.bare || in.Parent != nil && (in.Parent.odd() || in.Parent.Key == in):
		return refuse("entries written with '?' or without braces can be edited as text only")
	case index < 0 || index > len(in.Entries):
		return refuse("there is no place %d here: there are %d entries", index, len(in.Entries))
	}
	head, keys := "- ", []*yaml.Node{s.y}
	if in.Kind == Map {
		k := p.keyNode(key)
		head, keys = p.style.scalarText(k, in.Flow)+":", []*yaml.Node{k, s.y}
	} else if !in.Flow {
		head = "-" + strings.Repeat(" ", max(p.style.item-1, 1))
	}
	model := p.by[in.y]
	at := len(model.Content)
	if index < len(in.Entries) {
		_, at, _ = p.model2(in.Entries[index])
	}
	model.Content = slices.Insert(model.Content, at, keys...)
	w := p.write(s, p.newPlace(in, s.y.Kind))
	if in.Flow {
		return p.insertFlow(in, index, head, w)
	}
	return p.insertBlock(in, index, head, w, lead)
}

// newPlace returns the place of a new value in a collection. `kind` is the kind of the value.
func (p *plan) newPlace(in *Node, kind yaml.Kind) place {
	at := place{flow: inFlow(in), parent: p.d.column(in.Content.Start), mapping: in.Kind == Map}
	k := Map
	if kind == yaml.SequenceNode {
		k = Seq
	}
	at.wants, at.known = wantsFlow(in, k)
	return at
}

// insertFirst adds the first entry to a value that is empty or empty brackets. The value becomes a list or mapping.
func (p *plan) insertFirst(in *Node, key string, s *snippet) error {
	if in.Parent == nil {
		return refuse("the file is empty: write it as text")
	}
	y := &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{s.y}}
	if key != "" {
		y = &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{p.keyNode(key), s.y}}
	}
	if !s.block && in.Flow || inFlow(in.Parent.In) {
		y.Style = yaml.FlowStyle
	}
	first := &snippet{y: y, block: y.Style == 0}
	if first.block {
		first.text = strings.Join(p.style.lines(y), "\n")
		first.multi = strings.Contains(first.text, "\n")
	} else {
		first.text = p.style.flowText(y)
	}
	y.Anchor, y.Tag = in.Anchor, ""
	if in.Tag != "" {
		return refuse("a value with the tag %s cannot have entries", in.Tag)
	}
	if in.Anchor != "" {
		first.text = "&" + in.Anchor + " " + first.text
	}
	if err := p.setValue(in.Parent, first); err != nil {
		return err
	}
	retarget(p.model, p.by[in.y], y)
	return nil
}

// retarget changes all aliases in the tree y whose target is `from`. Their new target is `to`.
func retarget(y, from, to *yaml.Node) {
	if y.Kind == yaml.AliasNode && y.Alias == from {
		y.Alias = to
	}
	for _, c := range y.Content {
		retarget(c, from, to)
	}
}

// insertFlow adds an entry to a collection in brackets. `head` is the text before the value.
func (p *plan) insertFlow(in *Node, index int, head string, w written) error {
	d := p.d
	text := w.lines[0]
	if in.Kind == Map {
		text = head + " " + text
	}
	if index == len(in.Entries) {
		last := in.Entries[index-1]
		gap := ", "
		if index > 1 && d.alone(last.Span.Start) {
			gap = "," + d.eol + string(d.Bytes[d.lineStartAt(last.Span.Start):last.Span.Start])
		}
		p.replace(last.Span.End, last.Span.End, gap+text)
		return nil
	}
	at := in.Entries[index].Span.Start
	gap := ", "
	if index > 0 && d.alone(at) {
		gap = "," + d.eol + string(d.Bytes[d.lineStartAt(at):at])
	}
	p.replace(at, at, text+gap)
	return nil
}

// insertBlock adds an entry on separate lines to a collection without brackets. `head` is the text before the value, and `lead` contains
// the comment lines above the entry.
func (p *plan) insertBlock(in *Node, index int, head string, w written, lead string) error {
	d := p.d
	column := d.column(in.Content.Start)
	margin := strings.Repeat(" ", column)
	first := strings.TrimRight(head, " ")
	rest := w.lines
	if !w.below {
		first = strings.TrimRight(head+w.lines[0], " ")
		if in.Kind == Map {
			first = strings.TrimRight(head+" "+w.lines[0], " ")
		}
		rest = w.lines[1:]
	}
	text := strings.Join(append([]string{first}, rest...), d.eol)
	if index < len(in.Entries) {
		e := in.Entries[index]
		if !d.alone(e.Span.Start) {
			p.replace(e.Span.Start, e.Span.Start, text+d.eol+margin)
			return nil
		}
		at := d.leadStart(e)
		p.replace(at, at, lead+margin+text+d.eol)
		return nil
	}
	end := d.lineEndAt(in.Span.End)
	if n := breakLen(d.Bytes, end); n > 0 {
		p.replace(end+n, end+n, lead+margin+text+d.eol)
		return nil
	}
	p.replace(end, end, d.eol+lead+margin+text+p.last(end, in, append(w.lines, "")))
	return nil
}

// leadStart returns the offset of the first comment line directly above an entry. If there is no
// comment, it returns the offset of the entry's line.
func (d *Document) leadStart(e *Entry) int {
	at := d.lineStartAt(e.Span.Start)
	if e.Index == 0 && e.In.Parent == nil {
		return at // a comment at the top of a file is about the file, not about its first entry
	}
	floor := e.In.Content.Start
	if e.Index > 0 {
		floor = e.In.Entries[e.Index-1].Span.End
	} else if e.In.Parent != nil {
		floor = e.In.Parent.Span.Start
	}
	for at > 0 {
		before := d.lineStartAt(d.breakBefore(at))
		line := strings.TrimSpace(string(d.Bytes[before:at]))
		if before <= floor || !strings.HasPrefix(line, "#") {
			break
		}
		at = before
	}
	return at
}
