package list

import (
	"image"
	"strings"

	"dashboard/widgets/kit"
)

// wrapText shows the text of the row in several lines. If a word is too wide for a line, the text becomes smaller.
func (r *listRow) wrapText(s string, size image.Point, lines int) {
	k, f := r.look, r.look.body
	end, least := k.b.TextWidth(f, kit.Ellipsis), min(f.Size, k.b.Least())
	for {
		r.block = wrap(r.block, k.b, f, s, size, lines)
		if !r.block.Block.Shortened() || f.Size <= least || widest(k.b, f, s)+end <= size.X {
			return
		}
		f.Size--
	}
}

// fitting returns the face of small text, or the smallest face if only that makes a text fit into a width in px.
func (k *rowLook) fitting(s string, wide int) kit.Face {
	f := k.small
	if f.Size = min(f.Size, k.b.Least()); k.b.TextWidth(k.small, s) <= wide || k.b.TextWidth(f, s) > wide {
		return k.small
	}
	return f
}

// widest returns the width of the widest word of a text in px.
func widest(b *kit.Builder, f kit.Face, s string) (most int) {
	for word := range strings.FieldsSeq(s) {
		most = max(most, b.TextWidth(f, word))
	}
	return most
}
