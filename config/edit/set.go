package edit

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// SetText replaces a value. `text` is the new value in YAML.
func (d *Document) SetText(n *Node, text string) (*Result, error) {
	p := d.plan()
	s, err := p.newSnippet(text)
	if err != nil {
		return nil, err
	}
	if n.Parent == nil {
		return nil, refuse("the whole file can be replaced as text only")
	}
	if err := p.setValue(n.Parent, s); err != nil {
		return nil, err
	}
	return p.finish()
}

// Set sets the value of a key in a mapping. If the key is missing, Set adds it at the end or before the children of a widget (see
// keyPlace).
func (d *Document) Set(m *Node, key, text string) (*Result, error) {
	if e := m.Entry(key); e != nil {
		return d.SetText(e.Value, text)
	}
	return d.Insert(m, d.keyPlace(m), key, text)
}

// keyPlace returns the index at which a new key is inserted. If the last key of a widget contains
// its children, this is the index of that key. Otherwise the new key becomes the last.
func (d *Document) keyPlace(m *Node) int {
	if last := len(m.Entries) - 1; last >= 0 && m.Kind == Map {
		switch k := m.Entries[last].Key; k.Value {
		case "children", "item":
			if last > 0 && m.Entries[last].Value.Block() {
				return last
			}
		}
	}
	return len(m.Entries)
}

// valuePlace returns the place of an entry's value. `kind` is the kind of the new value.
func (p *plan) valuePlace(e *Entry, kind yaml.Kind) place {
	at := place{flow: inFlow(e.In), parent: p.d.column(e.In.Content.Start), mapping: e.In.Kind == Map}
	k := Map
	if kind == yaml.SequenceNode {
		k = Seq
	}
	if v := e.Value; v != nil && v.Kind == k && len(v.Entries) > 0 {
		at.wants, at.known = v.Flow, true
		return at
	}
	if e.In.Kind == Seq {
		at.wants, at.known = wantsFlow(e.In, k)
	}
	return at
}

// setValue replaces the value of an entry. A text keeps its quotation marks if the previous text did not need them. Otherwise a new text
// that does not need them has none: "N", the first letter of "New moon", and "yes" are booleans without quotation marks.
func (p *plan) setValue(e *Entry, s *snippet) error {
	if e.odd() {
		return refuse("an entry written with '?' or without braces can be edited as text only")
	}
	old := e.Value
	if old.quote() != 0 && !needsQuotes(old.Value, inFlow(e.In)) && s.plain() {
		s = &snippet{y: &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s.y.Value, Style: yaml.DoubleQuotedStyle}}
		kept := p.style.quote
		p.style.quote = old.quote()
		s.text = p.style.scalarText(s.y, false)
		defer func() { p.style.quote = kept }()
	}
	w := p.write(s, p.valuePlace(e, s.y.Kind))
	in, at, count := p.model2(e)
	if at < 0 {
		return refuse("this value cannot be found in the file")
	}
	in.Content[at+count-1] = s.y
	switch {
	case e.In.Flow && e.mark < 0 && e.In.Kind == Map:
		p.replace(e.Span.End, e.Span.End, ": "+w.lines[0])
	case w.below:
		p.putBelow(e, w.lines)
	case old.Block() && e.In.Kind == Map:
		p.putInline(e, w.lines)
	default:
		p.putAt(e, w.lines)
	}
	return nil
}

// plain reports whether s is a text on one line without quotation marks and without an anchor, and every parser reads it as text.
func (s *snippet) plain() bool {
	return s.y.Kind == yaml.ScalarNode && s.y.Style == 0 && plainText(s.y.Value) && !s.multi && s.y.Anchor == ""
}

// putAt replaces a value that is on the line of its key or dash.
func (p *plan) putAt(e *Entry, lines []string) {
	d, old := p.d, e.Value
	if old.Span.Len() == 0 {
		text, blank := lines[0], " "
		if text == "" {
			return
		}
		p.replace(old.Span.End, old.Span.End, blank+text)
		p.rest(old.Span.End, lines[1:])
		return
	}
	if lines[0] == "" {
		start := e.mark + 1
		if e.In.Flow && e.In.Kind == Seq || d.skip(start) != old.Span.Start {
			start = old.Span.Start
			lines = []string{"null"}
		}
		p.replace(start, old.Span.End, lines[0])
		return
	}
	if len(lines) > 1 && d.commentBehind(old.Span.End) && !inFlow(e.In) {
		p.replace(old.Span.Start, old.Span.End, lines[0])
		p.rest(old.Span.End, lines[1:])
		return
	}
	end := old.Span.End
	if len(lines) > 1 && !inFlow(e.In) {
		end = d.lineEndAt(end) // the white space at the end of the line would otherwise become part of the text
	}
	p.replace(old.Span.Start, end, strings.Join(lines, d.eol)+p.last(end, e.Value, lines))
}

// last() returns the line break that must follow the new text at the end of the file, or "" if none is needed. A text of several lines
// needs a line break there, because a block scalar would otherwise lose its last line break.
func (p *plan) last(at int, old *Node, lines []string) string {
	if at == len(p.d.Bytes) && len(lines) > 1 && !old.literal() {
		return p.d.eol
	}
	return ""
}

// rest inserts lines below the line that contains the given offset.
func (p *plan) rest(at int, lines []string) {
	if len(lines) == 0 {
		return
	}
	end := p.d.lineEndAt(at)
	text := p.d.eol + strings.Join(lines, p.d.eol)
	if end == len(p.d.Bytes) {
		text += p.d.eol
	}
	p.replace(end, end, text)
}

// putBelow replaces the value of an entry by lines below the key.
func (p *plan) putBelow(e *Entry, lines []string) {
	d, old := p.d, e.Value
	switch {
	case old.Span.Len() == 0:
		p.rest(e.mark, lines)
	case d.Line(old.Content.Start) != d.Line(e.mark) && d.alone(old.Content.Start):
		if old.Span.Start != old.Content.Start {
			p.replace(e.mark+1, d.propertiesEnd(old), "")
		}
		p.replace(d.lineStartAt(old.Content.Start), old.Span.End, strings.Join(lines, d.eol))
	default:
		p.replace(e.mark+1, old.Span.End, "")
		p.rest(old.Span.End, lines)
	}
}

// propertiesEnd returns the offset of the end of a value's anchor and tag.
func (d *Document) propertiesEnd(n *Node) int {
	end := n.Content.Start
	for end > n.Span.Start && white(d.Bytes[:end], end-1) > 0 {
		end--
	}
	if i := strings.IndexAny(string(d.Bytes[n.Span.Start:end]), "\r\n"); i >= 0 {
		end = n.Span.Start + len(strings.TrimRight(string(d.Bytes[n.Span.Start:n.Span.Start+i]), " \t"))
	}
	if i := strings.Index(string(d.Bytes[n.Span.Start:end]), " #"); i >= 0 {
		end = n.Span.Start + i
	}
	return end
}

// putInline replaces a value on the lines below its key by a value on the line of the key.
func (p *plan) putInline(e *Entry, lines []string) {
	d, old := p.d, e.Value
	if d.Line(old.Content.Start) == d.Line(e.mark) {
		p.putAt(e, lines)
		return
	}
	from := e.mark + 1
	if old.Span.Start != old.Content.Start {
		p.replace(from, d.propertiesEnd(old), "")
		from = d.propertiesEnd(old)
	}
	text := ""
	if lines[0] != "" {
		text = " " + lines[0]
	}
	p.replace(from, from, text)
	if len(lines) > 1 {
		p.rest(from, lines[1:])
	}
	p.deleteLines(d.lineStartAt(old.Content.Start), old.Span.End)
}

// deleteLines deletes whole lines. `from` is the offset at which the first line begins, and `last` is an offset in the last line.
func (p *plan) deleteLines(from, last int) {
	d := p.d
	to := d.nextLine(last)
	if to == d.lineEndAt(last) { // the file does not end with a line break, so delete the line break before these lines
		if before := d.breakBefore(from); before < from {
			from = before
		}
	}
	p.replace(from, to, "")
}

// breakBefore returns the offset of the line break that ends at the given offset. If there is none, it returns the given offset.
func (d *Document) breakBefore(at int) int {
	for n := 3; n >= 1; n-- {
		if at-n >= 0 && breakLen(d.Bytes, at-n) == n {
			return at - n
		}
	}
	return at
}
