package list

import (
	"image"
	"strings"
	"unicode"
	"unicode/utf8"

	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// smallerBelow is the length of the picture's shorter side in px below which texts of several lines may be smaller than usual.
const smallerBelow = 640

// wrapText shows the text of the row in several lines. If a word is too wide for a line, or if the text would be cut on a small screen, the
// text becomes smaller. A word that is still too wide gets a hyphen.
func (r *listRow) wrapText(s string, size image.Point, lines int) {
	k, body := r.look, r.look.of(&r.from).body
	f := body
	end, least := k.b.TextWidth(f, kit.Ellipsis), min(f.Size, k.b.Least())
	if f.Size -= k.shrunk; k.page == 0 {
		f.Size = body.Size
	}
	for {
		if r.alone() {
			lines = (r.most*k.body.Size + f.Size - 1) / f.Size // smaller text has more lines at the same height
		}
		r.block = wrap(r.block, k.b, f, s, size, lines)
		switch {
		case !r.block.Block.Shortened():
			k.shrunk = max(k.shrunk, k.body.Size-f.Size)
			return
		case f.Size > least && (widest(k.b, f, s)+end > size.X || k.page > 0 && k.b.Shorter() < smallerBelow):
			f.Size--
		case widest(k.b, body, s)+end <= size.X: // smaller text does not help
			r.block = wrap(r.block, k.b, body, s, size, lines)
			return
		default:
			r.block = wrap(r.block, k.b, f, hyphenated(k.b, f, s, size.X), size, lines)
			return
		}
	}
}

// alone reports whether the text may take all lines of its page.
func (r *listRow) alone() bool { return r.look.alone && r.item.Lines == 0 && r.most >= longLines }

// hyphenated returns a text with a hyphen and a space in each word that is wider than a line in px. It does not divide words of scripts
// without hyphens.
func hyphenated(b *kit.Builder, f kit.Face, s string, wide int) string {
	var out []byte
	for s != "" {
		end := strings.IndexFunc(s, unicode.IsSpace)
		if end < 0 {
			end = len(s)
		}
		word := s[:end]
		for b.TextWidth(f, word) > wide {
			n, hyphen := piece.CutWord(b, f, word, wide)
			if hyphen == "" {
				break
			}
			out = append(append(append(out, word[:n]...), hyphen...), ' ')
			word = word[n:]
		}
		_, space := utf8.DecodeRuneInString(s[end:])
		out = append(append(out, word...), s[end:end+space]...)
		s = s[end+space:]
	}
	return string(out)
}

// fitting returns the face of small text, or the smallest face if only that makes a text fit into a width in px.
func (k *rowLook) fitting(small kit.Face, s string, wide int) kit.Face {
	f := small
	if f.Size = min(f.Size, k.b.Least()); k.b.TextWidth(small, s) <= wide || k.b.TextWidth(f, s) > wide {
		return small
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
