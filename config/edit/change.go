package edit

import (
	"cmp"
	"errors"
	"slices"

	"dashboard/internal/stable"
)

// An Edit replaces a span of a file by a new text.
type Edit struct {
	Span
	Text []byte
}

// ErrOverlap means that two edits change the same bytes.
var ErrOverlap = errors.New("two changes overlap")

// Apply returns `data` with all edits applied. The edits must be sorted and must not overlap.
func Apply(data []byte, edits []Edit) []byte {
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, data[at:e.Start]...), e.Text...)
		at = e.End
	}
	return append(out, data[at:]...)
}

// normal() sorts edits and joins adjacent edits. If two edits replace the same bytes, it returns ErrOverlap.
func normal(edits []Edit) ([]Edit, error) {
	stable.Sort(edits, func(a, b Edit) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	var out []Edit
	for _, e := range edits {
		if e.Len() == 0 && len(e.Text) == 0 {
			continue
		}
		if n := len(out); n > 0 && e.Start <= out[n-1].End {
			if e.Start < out[n-1].End {
				return nil, ErrOverlap
			}
			out[n-1].End = e.End
			out[n-1].Text = slices.Concat(out[n-1].Text, e.Text)
			continue
		}
		out = append(out, e)
	}
	return out, nil
}

// Inverse returns the edits that undo the given edits of `data`.
func Inverse(data []byte, edits []Edit) []Edit {
	back := make([]Edit, 0, len(edits))
	shift := 0
	for _, e := range edits {
		start := e.Start + shift
		back = append(back, Edit{Span{start, start + len(e.Text)}, slices.Clone(data[e.Start:e.End])})
		shift += len(e.Text) - e.Len()
	}
	return back
}

// A piece is a part of a changed file: a span of the old file, or a new text.
type piece struct {
	Span
	text []byte // new text, or nil for a span of the old file
}

func (p piece) size() int {
	if p.text != nil {
		return len(p.text)
	}
	return p.Len()
}

// pieces() returns the changed file after edits as a sequence of pieces. `size` is the length of the old file in bytes.
func pieces(size int, edits []Edit) []piece {
	var out []piece
	at := 0
	for _, e := range edits {
		out = append(out, piece{Span: Span{at, e.Start}})
		if len(e.Text) > 0 {
			out = append(out, piece{text: e.Text})
		}
		at = e.End
	}
	return append(out, piece{Span: Span{at, size}})
}

// cut returns the pieces between two byte offsets in the changed file.
func cut(all []piece, from, to int) []piece {
	var out []piece
	at := 0
	for _, p := range all {
		a, b := max(from-at, 0), min(to-at, p.size())
		at += p.size()
		switch {
		case a >= b:
		case p.text != nil:
			out = append(out, piece{text: p.text[a:b]})
		default:
			out = append(out, piece{Span: Span{p.Start + a, p.Start + b}})
		}
	}
	return out
}

// Compose combines the lists `first` and `second` into one list. The new list has the same effect as `first` followed by `second`. `size`
// is the length in bytes of the file before both lists are applied.
func Compose(size int, first, second []Edit) []Edit {
	mid := pieces(size, first)
	total := 0
	for _, p := range mid {
		total += p.size()
	}
	var out []piece
	at := 0
	for _, e := range second {
		out = append(out, cut(mid, at, e.Start)...)
		if len(e.Text) > 0 {
			out = append(out, piece{text: e.Text})
		}
		at = e.End
	}
	return edits(size, append(out, cut(mid, at, total)...))
}

// edits() converts a sequence of pieces to a list of edits.
func edits(size int, all []piece) []Edit {
	var out []Edit
	at := 0
	var text []byte
	flush := func(to int) {
		if to > at || len(text) > 0 {
			out = append(out, Edit{Span{at, to}, text})
		}
		text = nil
	}
	for _, p := range all {
		if p.text != nil {
			text = append(slices.Clip(text), p.text...)
			continue
		}
		if p.Len() > 0 {
			flush(p.Start)
			at = p.End
		}
	}
	flush(size)
	return out
}

// overlaps() reports whether two edits of the same file conflict. Two edits conflict if they replace the same bytes or insert text at the
// same place. They also conflict if one inserts text inside of the bytes that the other replaces.
func overlaps(a, b Span) bool {
	switch {
	case a.Len() == 0 && b.Len() == 0:
		return a.Start == b.Start
	case a.Len() == 0:
		return b.Start < a.Start && a.Start < b.End
	case b.Len() == 0:
		return a.Start < b.Start && b.Start < a.End
	}
	return a.Start < b.End && b.Start < a.End
}

// Rebase moves the edits in `mine`, so that they can be applied after the edits in `theirs`. Both lists are edits of the same file. If an
// edit in `mine` overlaps an edit in `theirs`, ok is false.
func Rebase(mine, theirs []Edit) ([]Edit, bool) {
	var out []Edit
	i, shift := 0, 0
	for _, e := range mine {
		for i < len(theirs) && theirs[i].End <= e.Start && !overlaps(theirs[i].Span, e.Span) {
			shift += len(theirs[i].Text) - theirs[i].Len()
			i++
		}
		if i < len(theirs) && overlaps(theirs[i].Span, e.Span) {
			return nil, false
		}
		out = append(out, Edit{Span{e.Start + shift, e.End + shift}, e.Text})
	}
	return out, true
}
