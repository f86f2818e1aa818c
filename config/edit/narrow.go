package edit

import "bytes"

// narrow() returns an edit that replaces only the value that contains the change e. If there is no such value, ok is false. It is also
// false if the new text may contain further keys or entries, because the other side of a merge could add the same key there.
// In contrast to pairs, narrow does not need the new file, which may be invalid because of another line.
func (d *Document) narrow(e Edit) (one Edit, ok bool) {
	old := d.Bytes[e.Start:e.End]
	head := 0
	for head < len(old) && head < len(e.Text) && old[head] == e.Text[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(e.Text)-head && old[len(old)-1-tail] == e.Text[len(e.Text)-1-tail] {
		tail++
	}
	changed := Span{e.Start + head, e.End - tail}
	var in *Node
	d.Root.Walk(func(n *Node) {
		if n.Kind == Scalar && !n.Empty() && n.Span.Contains(changed) && (Span{e.Start, e.End}).Contains(n.Span) {
			in = n
		}
	})
	if in == nil {
		return e, false
	}
	text := e.Text[in.Span.Start-e.Start : len(e.Text)-(e.End-in.Span.End)]
	if bytes.ContainsAny(text, ",\n") || bytes.Contains(text, []byte(": ")) {
		return e, false
	}
	return Edit{in.Span, text}, true
}

// pairs returns an edit for each value that the change e of a line replaces. If the new line has other keys, entries or punctuation than
// the old line, pairs returns e. `next` returns the new file, or nil if the new file is not valid. The text of e begins at the offset `at`
// of the new file.
func (d *Document) pairs(e Edit, next func() *Document, at int) (out []Edit) {
	whole := []Edit{e}
	if bytes.Count(e.Text, []byte("\n")) > 1 || bytes.Count(d.Bytes[e.Start:e.End], []byte("\n")) > 1 || next() == nil {
		return whole
	}
	before, after := d.scalars(e.Span), next().scalars(Span{at, at + len(e.Text)})
	if len(before) != len(after) {
		return whole
	}
	from, to := e.Start, at
	for i, o := range before {
		n := after[i]
		if !bytes.Equal(d.Bytes[from:o.Start], next().Bytes[to:n.Start]) {
			return whole
		}
		if text := next().Bytes[n.Start:n.End]; !bytes.Equal(d.Bytes[o.Start:o.End], text) {
			out = append(out, Edit{o, text})
		}
		from, to = o.End, n.End
	}
	if !bytes.Equal(d.Bytes[from:e.End], next().Bytes[to:at+len(e.Text)]) {
		return whole
	}
	return out
}

// scalars returns the spans of all keys and values in a span that are not mappings, lists or empty, in the order of the file.
func (d *Document) scalars(in Span) (out []Span) {
	d.Root.Walk(func(n *Node) {
		if n.Kind == Scalar && !n.Empty() && in.Contains(n.Span) {
			out = append(out, n.Span)
		}
	})
	return out
}
