package charset

import "unicode/utf8"

// `kana` is the difference between the rune of a half-width katakana and its byte in Shift JIS and EUC-JP.
const kana = 0xff61 - 0xa1

func shiftJIS(text []byte) (rune, int) {
	c0 := text[0]
	switch {
	case c0 <= 0x80:
		return rune(c0), 1
	case within(c0, 0xa1, 0xdf):
		return rune(c0) + kana, 1
	case c0 == 0xa0, c0 > 0xfc, len(text) < 2, text[1] < 0x40, text[1] == 0x7f:
		return bad, 1
	case text[1] > 0xfc:
		return bad, 2
	}
	row, column := int(c0)-0x81, int(text[1])-0x40
	if c0 >= 0xe0 {
		row = int(c0) - 0xc1
	}
	if text[1] > 0x7f {
		column--
	}
	return at(jis0208(), row*188+column), 2
}

func eucJP(text []byte) (rune, int) {
	c0 := text[0]
	switch {
	case c0 < utf8.RuneSelf:
		return rune(c0), 1
	case c0 == 0x8e:
		return halfWidth(text)
	case c0 == 0x8f:
		return eucThree(text)
	case !within(c0, 0xa1, 0xfe), len(text) < 2, !within(text[1], 0xa1, 0xfe):
		return bad, 1
	}
	return at(jis0208(), int(c0-0xa1)*94+int(text[1]-0xa1)), 2
}

func halfWidth(text []byte) (rune, int) {
	switch {
	case len(text) < 2, !within(text[1], 0xa1, 0xfe):
		return bad, 1
	case text[1] > 0xdf:
		return bad, 2
	}
	return rune(text[1]) + kana, 2
}

// eucThree reads a character of JIS X 0212, which has three bytes.
func eucThree(text []byte) (rune, int) {
	if len(text) == 2 && within(text[1], 0xa1, 0xfd) {
		return bad, 2
	}
	if len(text) < 3 || !within(text[1], 0xa1, 0xfe) {
		return bad, 1
	}
	if !within(text[2], 0xa1, 0xfe) {
		return bad, 2
	}
	return at(jis0212(), int(text[1]-0xa1)*94+int(text[2]-0xa1)), 3
}

// iso2022JP is the character set that the last escape sequence in the text has chosen. 0 is ASCII, I is katakana, B is JIS X 0208, and D
// is JIS X 0212.
type iso2022JP byte

func (d *iso2022JP) read(text []byte) (rune, int) {
	c := text[0]
	switch {
	case c >= utf8.RuneSelf:
		return bad, 1
	case c == 0x1b:
		return d.escape(text)
	case *d == 0:
		return rune(c), 1
	case *d == 'I' && within(c, 0x21, 0x5f):
		return rune(c) + 0x80 + kana, 1
	case *d == 'I':
		return bad, 1
	case c == '\n':
		*d = 0
		return '\n', 1
	case len(text) < 2:
		return bad, 1
	}
	return d.pair(c, text[1]), 2
}

// pair() returns the rune of two bytes. It does not check the bytes. A second byte beyond the end of a row gives a character of the next
// row.
func (d *iso2022JP) pair(c0, c1 byte) rune {
	i := int(c0-0x21)*94 + int(c1-0x21)
	if *d == 'D' {
		return at(jis0212(), i)
	}
	return at(jis0208(), i)
}

// escape reads an escape sequence, which adds no character to the result.
func (d *iso2022JP) escape(text []byte) (rune, int) {
	if len(text) < 3 {
		return bad, 1
	}
	switch string(text[1:3]) {
	case "$@", "$B":
		*d = 'B'
	case "(B", "(J":
		*d = 0
	case "(I":
		*d = 'I'
	case "$(":
		if len(text) < 4 || text[3] != 'D' {
			return bad, 1
		}
		*d = 'D'
		return -1, 4
	default:
		return bad, 1
	}
	return -1, 3
}
