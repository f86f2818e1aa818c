package kit

import (
	"unicode"
	"unicode/utf8"

	"dashboard/config/value"
)

// Capital is a text with a capital first letter.
func Capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if up := unicode.ToUpper(r); up != r {
		return string(up) + s[n:]
	}
	return s
}

// TitleBelow is the gap below a title line, px at a shorter side of 720 px.
const TitleBelow = 4

// PlainOf is a plain value as a sample would have it.
func PlainOf(p value.Plain) any { return p.Value }
