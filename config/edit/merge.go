package edit

import (
	"bytes"
	"slices"
	"sync"

	"dashboard/internal/stable"
)

// maxDistance is the maximum number of added and removed lines for which two files are compared. If the files differ in more lines,
// everything between their equal beginning and their equal end is one change.
const maxDistance = 1000

// Diff returns the edits that change the old file into the new file, whose content is `data`. If only values of a line have changed, the
// edits replace only these values. All other edits replace whole lines.
func Diff(old *Document, data []byte) []Edit {
	a, b := splitLines(old.Bytes), splitLines(data)
	next := sync.OnceValue(func() *Document { d, _ := Parse(old.Name, data); return d })
	var out []Edit
	for _, h := range byLine(Hunks(a, b)) {
		e := Edit{Span{offsetOf(a, h.A), offsetOf(a, h.AEnd)}, slices.Concat(b[h.B:h.BEnd]...)}
		if one, ok := old.narrow(e); ok {
			out = append(out, one)
		} else {
			out = append(out, old.pairs(e, next, offsetOf(b, h.B))...)
		}
	}
	out, err := normal(out)
	if err != nil { // several changes are inside of the same value
		out = []Edit{{Span{0, len(old.Bytes)}, data}}
	}
	return out
}

// byLine splits each hunk that has equal numbers of old and new lines into one hunk for each line. Two sides then conflict only if both
// have changed the same line.
func byLine(hunks []Hunk) (out []Hunk) {
	for _, h := range hunks {
		if h.AEnd-h.A != h.BEnd-h.B {
			out = append(out, h)
			continue
		}
		for i := range h.AEnd - h.A {
			out = append(out, Hunk{h.A + i, h.A + i + 1, h.B + i, h.B + i + 1})
		}
	}
	return out
}

func splitLines(b []byte) [][]byte { return bytes.SplitAfter(b, []byte("\n")) }

func offsetOf(lines [][]byte, n int) int {
	at := 0
	for _, l := range lines[:n] {
		at += len(l)
	}
	return at
}

// A Hunk is a change of lines. The lines from B to BEnd-1 of the new file replace the lines from A to AEnd-1 of the old file.
type Hunk struct{ A, AEnd, B, BEnd int }

// Hunks compares two files line by line. It uses the algorithm of Myers, "An O(ND) Difference Algorithm", 1986.
func Hunks(a, b [][]byte) []Hunk {
	head, tail := equalEnds(a, b)
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	trace, ok := distances(x, y)
	if !ok {
		return []Hunk{{head, len(a) - tail, head, len(b) - tail}}
	}
	return hunksOf(trace, len(x), len(y), head)
}

// equalEnds returns the numbers of equal lines at the beginning and at the end of two files.
func equalEnds(a, b [][]byte) (head, tail int) {
	for head < len(a) && head < len(b) && bytes.Equal(a[head], b[head]) {
		head++
	}
	for tail < len(a)-head && tail < len(b)-head && bytes.Equal(a[len(a)-1-tail], b[len(b)-1-tail]) {
		tail++
	}
	return head, tail
}

// distances() runs the first part of Myers' algorithm. For each number of changes, it returns the furthest points that can be reached. If
// the files differ in too many lines, ok is false.
func distances(a, b [][]byte) (trace [][]int, ok bool) {
	most := min(len(a)+len(b), maxDistance)
	v := make([]int, 2*most+2)
	at := func(k int) *int { return &v[k+most] }
	for d := 0; d <= most; d++ {
		trace = append(trace, slices.Clone(v[most-d:most+d+2]))
		for k := -d; k <= d; k += 2 {
			x := 0
			switch {
			case d == 0:
			case k == -d || k != d && *at(k - 1) < *at(k + 1):
				x = *at(k + 1)
			default:
				x = *at(k - 1) + 1
			}
			for x < len(a) && x-k < len(b) && bytes.Equal(a[x], b[x-k]) {
				x++
			}
			if *at(k) = x; x >= len(a) && x-k >= len(b) {
				return trace, true
			}
		}
	}
	return nil, false
}

// hunksOf returns the changes as hunks. It follows the trace back from the end to the beginning.
func hunksOf(trace [][]int, x, y, shift int) []Hunk {
	var out []Hunk
	for d := len(trace) - 1; d > 0; d-- {
		at := func(k int) int { return trace[d][k+d] }
		k := x - y
		before := k - 1
		if k == -d || k != d && at(k-1) < at(k+1) {
			before = k + 1
		}
		px := at(before)
		py := px - before
		for x > px && y > py && !(x == px+1 && y == py || x == px && y == py+1) {
			x, y = x-1, y-1
		}
		h := Hunk{px + shift, x + shift, py + shift, y + shift}
		if n := len(out); n > 0 && out[n-1].A == h.AEnd && out[n-1].B == h.BEnd {
			out[n-1].A, out[n-1].B = h.A, h.B
		} else {
			out = append(out, h)
		}
		x, y = px, py
	}
	slices.Reverse(out)
	return out
}

// A Conflict is a part of a file that two sides have changed.
type Conflict struct {
	Span          // span in the old file
	Line   int    // line in the old file
	Base   string // text of whole lines in the old file
	Yours  string
	Theirs string
}

// Merge applies the edits `yours` and `theirs`, which are both edits of `base`. If they do not conflict, or if both sides have made the
// same change at each conflict, it returns the merged bytes. Otherwise it returns all places that both sides have changed. If only the
// merged file would not be valid, the only conflict is the whole file. If your file is not valid already, such as an unfinished line of the
// text mode, the merged file may contain the same error.
func Merge(base *Document, yours, theirs []Edit) ([]byte, []Conflict) {
	if moved, ok := Rebase(yours, theirs); ok {
		data := Apply(Apply(base.Bytes, theirs), moved)
		if _, err := Parse(base.Name, data); err == nil || !base.valid(yours) && base.valid(theirs) {
			return data, nil
		}
		return nil, []Conflict{base.conflict(Span{0, len(base.Bytes)}, yours, theirs)}
	}
	all := base.conflicts(yours, theirs)
	var texts []string
	for _, c := range all {
		if c.Yours != c.Theirs {
			return nil, all
		}
		texts = append(texts, c.Theirs)
	}
	data, err := Settle(base, yours, theirs, all, texts)
	if err != nil {
		return nil, all
	}
	return data, nil
}

// valid reports whether the edits change d into a valid file.
func (d *Document) valid(list []Edit) bool {
	_, err := Parse(d.Name, Apply(d.Bytes, list))
	return err == nil
}

// conflicts() returns a conflict for each group of overlapping edits. Each conflict contains whole lines.
func (d *Document) conflicts(yours, theirs []Edit) []Conflict {
	var spans []Span
	add := func(e Edit) {
		spans = append(spans, Span{d.lineStartAt(e.Start), max(d.nextLine(e.End-min(1, e.Len())), e.End)})
	}
	for _, y := range yours {
		for _, t := range theirs {
			if overlaps(y.Span, t.Span) {
				add(y)
				add(t)
			}
		}
	}
	var out []Conflict
	for _, s := range d.grown(spans, yours, theirs) {
		out = append(out, d.conflict(s, yours, theirs))
	}
	return out
}

// grown() extends spans until they contain every edit that overlaps them, and joins adjacent spans.
func (d *Document) grown(spans []Span, lists ...[]Edit) []Span {
	for again := true; again; {
		again = false
		for i := range spans {
			for _, list := range lists {
				for _, e := range list {
					if overlaps(e.Span, spans[i]) && !spans[i].Contains(e.Span) {
						spans[i] = Span{min(spans[i].Start, d.lineStartAt(e.Start)), max(spans[i].End, d.nextLine(e.End))}
						again = true
					}
				}
			}
		}
	}
	stable.Sort(spans, func(a, b Span) int { return a.Start - b.Start })
	var out []Span
	for _, s := range spans {
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}

// conflict returns the conflict at a span of d, with the texts of both sides.
func (d *Document) conflict(s Span, yours, theirs []Edit) Conflict {
	return Conflict{Span: s, Line: d.Line(s.Start), Base: string(d.Bytes[s.Start:s.End]), Yours: d.side(s, yours), Theirs: d.side(s, theirs)}
}

// side returns the text of a span of d after the edits in `list`.
func (d *Document) side(s Span, list []Edit) string {
	var in []Edit
	for _, e := range list {
		if s.Contains(e.Span) {
			in = append(in, Edit{Span{e.Start - s.Start, e.End - s.Start}, e.Text})
		}
	}
	return string(Apply(d.Bytes[s.Start:s.End], in))
}

// Settle returns `base` with the edits of both sides. `texts` contains the chosen text for each conflict, in the order of the conflicts.
func Settle(base *Document, yours, theirs []Edit, conflicts []Conflict, texts []string) ([]byte, error) {
	var all []Edit
	for i, c := range conflicts {
		all = append(all, Edit{c.Span, []byte(texts[i])})
	}
	outside := func(e Edit) bool {
		return !slices.ContainsFunc(conflicts, func(c Conflict) bool { return c.Contains(e.Span) || overlaps(c.Span, e.Span) })
	}
	for _, e := range yours {
		if outside(e) && !slices.ContainsFunc(theirs, func(t Edit) bool { return t.Span == e.Span && bytes.Equal(t.Text, e.Text) }) {
			all = append(all, e)
		}
	}
	for _, e := range theirs {
		if outside(e) {
			all = append(all, e)
		}
	}
	list, err := normal(all)
	if err != nil {
		return nil, err
	}
	return Apply(base.Bytes, list), nil
}
