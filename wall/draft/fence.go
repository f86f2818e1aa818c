package draft

import (
	"bytes"
	"fmt"
	"slices"

	"dashboard/config"
	"dashboard/config/edit"
)

// A mistake in a file's text is usually inside of one widget or one source. The draft then still changes all other parts of the file. It
// applies an operation to the last valid text, which has the same bytes as the working text except for the lines of that part, and
// transfers the edits to the working text. aroundFence refuses an operation if it would change a byte of these lines, or if these lines
// would no longer be the only difference. If the part cannot be determined, operations on the file are refused until its text is
// corrected. This is the case if the change spans several parts, if a line is indented too little, if an anchor of the part is used
// elsewhere, or if the draft never had a valid text of the file.

// maxHunks is the maximum number of changes of a text with a mistake that the draft applies to the last valid text. Each change is parsed.
const maxHunks = 20

// enclose determines the fence of a file.
func (f *file) enclose() {
	f.fence = nil
	if !f.broken() || f.good == nil {
		return
	}
	if fence, ok := f.good.Fence(f.work, isPart); ok {
		f.fence = &fence
	}
}

// advance applies to the last valid text of a file all changes of the working text that keep it valid. Without them, a mistake in one part
// would also lock other parts that were changed.
func (t *Draft) advance(f *file) {
	before, all := f.good, edit.Diff(f.good, f.work)
	if len(all) > maxHunks || !f.broken() {
		return
	}
	var done []edit.Edit
	for _, e := range all {
		next := append(slices.Clone(done), e)
		if d, err := edit.Parse(f.name, edit.Apply(before.Bytes, next)); err == nil {
			done, f.good = next, d
		}
	}
	t.follow(f, edit.Diff(before, f.good.Bytes))
	f.enclose()
}

// isPart reports whether an entry of a file is independent of its neighbors: a widget, a provider, or a key at the top of the file.
func isPart(e *edit.Entry) bool {
	in := e.In.Parent
	return in == nil || e.Value.Get("widget") != nil || in.In.Parent == nil && in.Key != nil && in.Key.Value == "providers"
}

// inFence reports whether a node of the last valid text is inside of the fence of its file, after the operations so far.
func (x *txn) inFence(name string, n *edit.Node) bool {
	f := x.t.files[name].fence
	start, ok := shift(f.Valid.Start, x.files[name].edits)
	return ok && (edit.Span{Start: start, End: start + f.Valid.Len()}).Contains(n.Span)
}

// aroundFence transfers the edits of a change from the last valid text to the working text. If an edit would change the part that is not
// valid YAML, it returns an error.
func (t *Draft) aroundFence(name string, c *change) error {
	f := t.files[name]
	if f == nil || f.fence == nil {
		return nil
	}
	edits, all := edit.Outside(c.edits, f.fence.Valid, f.fence.Broken)
	if all {
		work := edit.Apply(f.work, edits)
		next, ok := c.doc.Fence(work, isPart)
		if ok && sameBytes(f.good.Bytes, f.fence.Valid, c.doc.Bytes, next.Valid) && sameBytes(f.work, f.fence.Broken, work, next.Broken) {
			c.edits = edits
			return nil
		}
	}
	return fail(422, "%s. Correct this text first: the change would also change the part with the mistake", t.mistake(f))
}

// untestable returns an error if a mistake in providers.yaml concerns a provider. The last valid text could then differ from the provider's
// definition.
func (t *Draft) untestable(name string) error {
	f := t.files[config.ProvidersName]
	if f == nil || !f.broken() || f.good == nil {
		return nil
	}
	e := f.good.At("providers").Entry(name)
	if f.fence != nil && e != nil && !f.fence.Valid.Contains(e.Span) {
		return nil
	}
	return fail(422, "%s. Correct this text first", t.mistake(f))
}

// sameBytes() reports whether two spans contain the same bytes, apart from a line break at the end.
func sameBytes(a []byte, in edit.Span, b []byte, of edit.Span) bool {
	return bytes.Equal(bytes.TrimRight(a[in.Start:in.End], "\r\n"), bytes.TrimRight(b[of.Start:of.End], "\r\n"))
}

// replace replaces the working text of a file by `data`. The parameter `edits` are the changes of the working text, and `own` are the edits
// that change the file's base into `data`. The positions of the nodes follow the last valid text.
func (t *Draft) replace(f *file, edits []edit.Edit, data []byte, own []edit.Edit) {
	broken := f.wrong != nil
	if f.fence != nil { // the last valid text gets the changes outside of the fence
		valid, broken := f.fenceSpans()
		outer, _ := edit.Outside(edits, broken, valid)
		if d, err := edit.Parse(f.name, edit.Apply(f.good.Bytes, outer)); err == nil {
			t.follow(f, outer)
			f.good = d
		}
	}
	before := f.good
	f.set(data, own)
	switch {
	case before == nil:
	case f.wrong != nil:
		t.advance(f)
	case broken:
		t.follow(f, edit.Diff(before, data))
	default:
		t.follow(f, edits)
	}
}

// fenceSpans returns the spans of the fence without the line break at their ends. An undo step removes this line break together with the
// lines that an operation has added below the last line of a file.
func (f *file) fenceSpans() (valid, broken edit.Span) {
	valid, broken = f.fence.Valid, f.fence.Broken
	for _, eol := range []string{"\n", "\r"} {
		a, b := f.good.Bytes[valid.Start:valid.End], f.work[broken.Start:broken.End]
		if bytes.HasSuffix(a, []byte(eol)) && bytes.HasSuffix(b, []byte(eol)) {
			valid.End, broken.End = valid.End-1, broken.End-1
		}
	}
	return valid, broken
}

// locate moves a position in the last valid text to the working text. A position inside of the fence becomes the fence's first byte or,
// if `end` is true, its last byte that is no line break.
func (f *file) locate(at int, end bool) int {
	n := f.fence
	switch {
	case n == nil || at <= n.Valid.Start:
		return at
	case at >= n.Valid.End:
		return at + n.Broken.End - n.Valid.End
	case end:
		return n.Broken.Start + len(bytes.TrimRight(f.work[n.Broken.Start:n.Broken.End], "\r\n"))
	}
	return n.Broken.Start
}

// lock marks the nodes of a file whose text is not valid YAML with the line of the mistake, if they cannot be changed. The positions of
// all nodes of the file become positions in the working text.
func (t *Draft) lock(nodes []*Node) {
	for _, n := range nodes {
		f := t.files[n.File]
		if f == nil || f.wrong == nil {
			continue
		}
		if f.fence == nil || f.fence.Valid.Contains(n.own) {
			n.Locked, _ = t.firstMistake(f)
		}
		work := edit.Plain(f.name, f.work)
		move := func(start, end, line *int) {
			*start, *end = f.locate(*start, false), f.locate(*end, true)
			*line = work.Line(*start)
		}
		move(&n.Start, &n.End, &n.Line)
		for i := range n.Params {
			p := &n.Params[i]
			move(&p.Start, &p.End, &p.Line)
		}
	}
}

// firstMistake returns the line of the first mistake in a file that is not valid YAML, and its reason. If the last check has not read the
// file, for example because of a mistake in conf.yaml, the line is the first changed line, and the reason is "".
func (t *Draft) firstMistake(f *file) (line int, reason string) {
	for _, d := range t.drawn.problems {
		if d.File == f.name && d.Severity == config.Error {
			return max(d.Line, 1), d.Message
		}
	}
	if f.fence != nil {
		return f.fence.First, ""
	}
	return 1, ""
}

// mistake() returns the position of the first mistake in a file that cannot be parsed, with the reason.
func (t *Draft) mistake(f *file) string {
	t.draw()
	if line, reason := t.firstMistake(f); f.broken() && reason != "" {
		return fmt.Sprintf("%s:%d: %s", f.name, line, reason)
	}
	return f.wrong.Error()
}
