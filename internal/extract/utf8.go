package extract

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// `widest` is the maximum number of UTF-8 bytes for one byte of another encoding.
const widest = 3

// The byte order marks of UTF-8 and UTF-16.
var (
	mark         = []byte("\xef\xbb\xbf")
	littleEndian = []byte{0xff, 0xfe}
	bigEndian    = []byte{0xfe, 0xff}
)

// UTF8 converts a text to UTF-8 without a byte order mark. Text that begins with the mark of UTF-16 is converted. If most characters beyond
// ASCII are valid UTF-8, the text is UTF-8, and its invalid bytes become U+FFFD. All other text is read as Windows-1252, which contains
// Latin 1.
func UTF8(body []byte) []byte {
	switch {
	case bytes.HasPrefix(body, littleEndian):
		return fromUTF16(body[len(littleEndian):], binary.LittleEndian)
	case bytes.HasPrefix(body, bigEndian):
		return fromUTF16(body[len(bigEndian):], binary.BigEndian)
	}
	body = bytes.TrimPrefix(body, mark)
	if utf8.Valid(body) {
		return body
	}
	if mostlyUTF8(body) {
		return bytes.ToValidUTF8(body, []byte("\uFFFD"))
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(body)
	if err != nil {
		return bytes.ToValidUTF8(body, []byte("\uFFFD"))
	}
	return text
}

// mostlyUTF8 reports whether a text has more multi-byte characters than invalid bytes. UTF-8 may have a few invalid bytes, for example at
// the end of a text that was cut.
func mostlyUTF8(body []byte) bool {
	balance := 0
	for len(body) > 0 {
		r, n := utf8.DecodeRune(body)
		switch {
		case n > 1:
			balance++
		case r == utf8.RuneError:
			balance--
		}
		body = body[n:]
	}
	return balance > 0
}

func fromUTF16(body []byte, order binary.ByteOrder) []byte {
	var b strings.Builder
	for i := 0; i+1 < len(body); i += 2 {
		r := rune(order.Uint16(body[i:]))
		if utf16.IsSurrogate(r) && i+3 < len(body) {
			if both := utf16.DecodeRune(r, rune(order.Uint16(body[i+2:]))); both != utf8.RuneError {
				r = both
				i += 2
			}
		}
		b.WriteRune(r)
	}
	return []byte(b.String())
}
