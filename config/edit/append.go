package edit

import (
	"bytes"
	"gopkg.in/yaml.v3"
	"strings"
)

// Append adds a key with its value at the end of a file, which may be empty.
func (d *Document) Append(key, text string) (*Result, error) {
	if d.Root != nil {
		if d.Root.Kind != Map {
			return nil, refuse("the file is no mapping of keys: edit it as text")
		}
		return d.Insert(d.Root, len(d.Root.Entries), key, text)
	}
	p := d.plan()
	s, err := p.newSnippet(text)
	if err != nil {
		return nil, err
	}
	entry := p.keyNode(key)
	lines := []string{p.style.scalarText(entry, false) + ": " + s.text}
	if s.block || s.multi {
		lines = append([]string{p.style.scalarText(entry, false) + ":"}, indented(strings.Split(s.text, "\n"), 2)...)
	}
	end := len(d.Bytes)
	head := ""
	if end > 0 && !bytes.HasSuffix(d.Bytes, []byte("\n")) {
		head = d.eol
	}
	data := Apply(d.Bytes, []Edit{{Span{end, end}, []byte(head + strings.Join(lines, d.eol) + d.eol)}})
	doc, err := Parse(d.Name, data)
	if err != nil || doc.Root == nil {
		return nil, refuse("the file would not be valid: edit it as text")
	}
	return &Result{doc, []Edit{{Span{end, end}, data[end:]}}}, nil
}

// Copy returns the text of a value without its anchors, so that the text can be inserted at another place.
func (d *Document) Copy(n *Node) string {
	var list []Edit
	n.Walk(func(c *Node) {
		if c.Anchor == "" {
			return
		}
		at := c.Span.Start + strings.Index(string(d.Bytes[c.Span.Start:c.Span.End]), "&"+c.Anchor)
		end := at + 1 + len(c.Anchor)
		for white(d.Bytes, end) > 0 && end < c.Content.Start && d.Line(at) == d.Line(c.Content.Start) {
			end++
		}
		list = append(list, Edit{Span{at, end}, nil})
	})
	margin := strings.Repeat(" ", d.column(n.Content.Start))
	text := string(Apply(d.Bytes[:n.Span.End], list)[n.Span.Start:])
	return dedent(margin + strings.TrimLeft(text, " \r\n"))
}

// Rename replaces the text of a scalar. It keeps the scalar's tag and quotation marks. The scalar may be a key.
func (d *Document) Rename(n *Node, text string) (*Result, error) {
	p := d.plan()
	y := p.by[n.y]
	if n.literal() || strings.ContainsAny(text, "\n") {
		return nil, refuse("a text of several lines can be changed as text only")
	}
	y.Value = text
	c := *y
	c.Style &^= yaml.TaggedStyle
	c.Anchor = ""
	s := p.style
	if q := n.quote(); q != 0 {
		s.quote = q
	}
	p.replace(n.Content.Start, n.Content.End, s.scalarText(&c, inFlow(n)))
	return p.finish()
}
