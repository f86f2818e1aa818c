package edit

import (
	"bytes"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// scalar finds the end of a scalar. `after` is the offset of the end of its anchor and tag.
func (b *spanner) scalar(n *Node, after, indent int) error {
	d := b.doc
	end, ok := n.Content.Start, true
	switch {
	case n.y.Style&yaml.DoubleQuotedStyle != 0:
		end, ok = d.quotedEnd(end, '"')
	case n.y.Style&yaml.SingleQuotedStyle != 0:
		end, ok = d.quotedEnd(end, '\'')
	case n.literal():
		end, ok = d.blockEnd(end, indent)
	case n.Value == "":
		n.Content.Start, end = after, after
	default:
		end, ok = d.plainEnd(end, n.Value)
	}
	if !ok {
		return b.lost(n.Content.Start)
	}
	n.Content.End = end
	return nil
}

func (d *Document) quotedEnd(i int, quote byte) (int, bool) {
	if d.at(i) != quote {
		return 0, false
	}
	for i++; i < len(d.Bytes); i++ {
		switch c := d.Bytes[i]; {
		case c == '\\' && quote == '"':
			i++
		case c == quote && quote == '\'' && d.at(i+1) == quote:
			i++
		case c == quote:
			return i + 1, true
		}
	}
	return 0, false
}

// white returns the length of the white space character or the line break at i, or 0.
func white(b []byte, i int) int {
	if i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		return 1
	}
	return breakLen(b, i)
}

func skipWhite(b []byte, i int) int {
	for n := white(b, i); n > 0; n = white(b, i) {
		i += n
	}
	return i
}

// plainEnd returns the end of an unquoted scalar that begins at i. `text` is the value of the scalar. Only the white space between the
// words may differ between `text` and the file.
func (d *Document) plainEnd(i int, text string) (int, bool) {
	t := []byte(text)
	for j := 0; j < len(t); {
		if white(t, j) > 0 {
			if white(d.Bytes, i) == 0 {
				return 0, false
			}
			i, j = skipWhite(d.Bytes, i), skipWhite(t, j)
			continue
		}
		_, n := utf8.DecodeRune(t[j:])
		if !bytes.HasPrefix(d.Bytes[min(i, len(d.Bytes)):], t[j:j+n]) {
			return 0, false
		}
		i, j = i+n, j+n
	}
	return i, true
}

// blockEnd returns the end of a block scalar. The end is after the last line of the text, before
// its line break. If empty lines belong to the text, the end is after these lines.
func (d *Document) blockEnd(at, indent int) (int, bool) {
	c := d.at(at)
	if c != '|' && c != '>' {
		return 0, false
	}
	keep, depth := false, 0
	i := at + 1
	for ; d.at(i) == '+' || d.at(i) == '-' || d.at(i) >= '1' && d.at(i) <= '9'; i++ {
		switch c := d.at(i); c {
		case '+':
			keep = true
		case '-':
		default:
			depth = max(indent, 0) + int(c-'0')
		}
	}
	end := i
	i = d.nextLine(i)
	if depth == 0 {
		depth = d.blockDepth(i, indent)
	}
	for i < len(d.Bytes) {
		spaces := 0
		for spaces < depth && d.at(i) == ' ' {
			i++
			spaces++
		}
		blank := i >= len(d.Bytes) || breakLen(d.Bytes, i) > 0
		if !blank && spaces < depth || !blank && depth == 0 {
			break
		}
		if i = d.lineEndAt(i); !blank || keep {
			end = i
		}
		i += breakLen(d.Bytes, i)
	}
	return end, true
}

// blockDepth returns the number of spaces by which the text of a block scalar is indented.
func (d *Document) blockDepth(i, indent int) int {
	most := 0
	for i < len(d.Bytes) {
		spaces := 0
		for d.at(i) == ' ' {
			i++
			spaces++
		}
		most = max(most, spaces)
		n := breakLen(d.Bytes, i)
		if n == 0 {
			break
		}
		i += n
	}
	return max(most, indent+1, 1)
}
