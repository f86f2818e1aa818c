package edit

import (
	"bytes"
	"slices"

	"dashboard/internal/stable"
)

// Lines are the whole lines before and after a conflict.
type Lines struct {
	Before string `json:"before"`
	After  string `json:"after"`
}

// A Context contains the lines around a conflict: in the old file, on both sides, and in the merged file.
type Context struct {
	Line   int   `json:"line"` // line of the conflict in the merged file, if no earlier conflict changes its number of lines
	Base   Lines `json:"base"`
	Yours  Lines `json:"yours"`
	Theirs Lines `json:"theirs"`
	Merged Lines `json:"merged"`
}

// Around returns up to n lines before and after the conflict at index k of `list`: in the old file, in each side, and in the merged file.
// These lines contain no part of another conflict. They contain an edit either completely or not at all.
func (d *Document) Around(list []Conflict, k, n int, yours, theirs []Edit) Context {
	outside := func(edits []Edit) (out []Edit) {
		for _, e := range edits {
			if !slices.ContainsFunc(list, func(c Conflict) bool { return c.Contains(e.Span) }) {
				out = append(out, e)
			}
		}
		return out
	}
	mine, other := outside(yours), outside(theirs)
	both := slices.Clone(mine)
	for _, e := range other {
		if !slices.ContainsFunc(mine, func(m Edit) bool { return m.Span == e.Span && bytes.Equal(m.Text, e.Text) }) {
			both = append(both, e)
		}
	}
	stable.Sort(both, func(a, b Edit) int { return a.Start - b.Start })
	before, after := d.beside(list, k, n, both)
	line := list[k].Line
	for _, e := range both {
		if e.End <= list[k].Start {
			line += bytes.Count(e.Text, []byte("\n")) - bytes.Count(d.Bytes[e.Start:e.End], []byte("\n"))
		}
	}
	text := func(edits []Edit) Lines { return Lines{d.side(before, edits), d.side(after, edits)} }
	return Context{line, text(nil), text(mine), text(other), text(both)}
}

// beside() returns the spans of the lines that Around returns. Each edit is completely inside or outside of a span.
func (d *Document) beside(list []Conflict, k, n int, edits []Edit) (before, after Span) {
	c, first, last := list[k].Span, 0, len(d.Bytes)
	if k > 0 {
		first = list[k-1].End
	}
	if k+1 < len(list) {
		last = list[k+1].Start
	}
	before, after = Span{c.Start, c.Start}, Span{c.End, c.End}
	for range n {
		if before.Start > first {
			before.Start = max(first, d.lineStartAt(before.Start-1))
		}
		if after.End < last {
			after.End = min(last, d.nextLine(after.End))
		}
	}
	for _, e := range edits {
		if e.Start < before.Start && e.End > before.Start {
			before.Start = min(before.End, d.nextLine(e.End-1))
		}
	}
	for _, e := range slices.Backward(edits) {
		if e.Start < after.End && e.End > after.End {
			after.End = max(after.Start, d.lineStartAt(e.Start))
		}
	}
	return before, after
}
