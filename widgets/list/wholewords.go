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

// widest returns the width of the widest word of a text in px.
func widest(b *kit.Builder, f kit.Face, s string) (most int) {
	for word := range strings.FieldsSeq(s) {
		most = max(most, b.TextWidth(f, word))
	}
	return most
}
