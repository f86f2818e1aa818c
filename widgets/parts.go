package widgets

import (
	"unicode"
	"unicode/utf8"

	"dashboard/config/value"
)

// capital is a text with a capital first letter.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if up := unicode.ToUpper(r); up != r {
		return string(up) + s[n:]
	}
	return s
}

// titleBelow is the gap below a title line, px at a shorter side of 720 px.
const titleBelow = 4

// plainOf is a plain value as a sample would have it.
func plainOf(p value.Plain) any { return p.Value }
