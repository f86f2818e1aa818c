package edit

import (
	"bytes"
	"strings"
)

// A Fence is the part of a file that contains all differences between the last valid text and a text that is not valid YAML. It consists
// of whole lines. Outside of it, both texts have the same bytes.
type Fence struct {
	Valid  Span // bytes of the part in the valid text
	Broken Span // bytes of the part in the text that is not valid
	First  int  // number of the first changed line
}

// Fence returns the smallest entry of d that contains all differences between d and `broken`. It considers only the entries for which
// `part` returns true. If there is no such entry, ok is false.
//
// An entry is a possible fence only if its lines contain nothing else. In `broken`, its first line must begin as before, and its other lines
// must be indented deeper than the first line. A correction of these lines then cannot change the meaning of other lines. The entry must
// not contain an anchor that is used, because edits of other lines may copy the anchor's value.
func (d *Document) Fence(broken []byte, part func(*Entry) bool) (f Fence, ok bool) {
	a, b := splitLines(d.Bytes), splitLines(broken)
	head, tail := equalEnds(a, b)
	changed := Span{offsetOf(a, head), offsetOf(a, len(a)-tail)}
	longer := len(broken) - len(d.Bytes)
	d.Root.Walk(func(n *Node) {
		for _, e := range n.Entries {
			lines := Span{d.lineStartAt(e.Span.Start), d.nextLine(max(e.Span.Start, e.Span.End-1))}
			before := changed.End == lines.Start // the change only inserts lines above the entry
			if !n.Block() || e.odd() || before || !lines.Contains(changed) || !part(e) || !d.alone(e.Span.Start) || shared(e) {
				continue
			}
			next := Span{lines.Start, lines.End + longer}
			if d.encloses(e, broken[next.Start:next.End]) { // inner entries follow outer entries, so the last one is the smallest
				f, ok = Fence{lines, next, head + 1}, true
			}
		}
	})
	return f, ok
}

// shared() reports whether an entry contains an anchor that is used.
func shared(e *Entry) (yes bool) {
	e.Value.Walk(func(n *Node) { yes = yes || n.Uses > 0 })
	return yes
}

// encloses reports whether all lines of a text belong to the entry e, because of their indentation. Comments may have any indentation.
func (d *Document) encloses(e *Entry, text []byte) bool {
	start := e.Span.Start - d.lineStartAt(e.Span.Start)
	first := d.Bytes[d.lineStartAt(e.Span.Start) : e.Span.Start+1]
	if e.Key != nil {
		first = d.Bytes[d.lineStartAt(e.Span.Start) : e.mark+1]
	}
	if !bytes.HasPrefix(text, first) || len(text) > len(first) && strings.IndexByte(" \t\r\n", text[len(first)]) < 0 {
		return false
	}
	if len(lineStarts(text)) != bytes.Count(text, []byte("\n"))+1 {
		return false // a rare line break, such as a carriage return alone, would hide the indentation of the next line
	}
	for _, line := range strings.SplitAfter(string(text), "\n")[1:] {
		rest := strings.TrimLeft(line, " ")
		if len(line)-len(rest) <= start && strings.TrimSpace(rest) != "" && rest[0] != '#' {
			return false
		}
	}
	return true
}

// Outside returns the edits that lie outside of the span `from`, with their positions in a text in which the span `to` replaces `from`. If
// it leaves out an edit, all is false.
func Outside(edits []Edit, from, to Span) (out []Edit, all bool) {
	all = true
	for _, e := range edits {
		switch by := to.End - from.End; {
		case e.End <= from.Start:
			out = append(out, e)
		case e.Start >= from.End:
			out = append(out, Edit{Span{e.Start + by, e.End + by}, e.Text})
		default:
			all = false
		}
	}
	return out, all
}
