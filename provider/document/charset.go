package document

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// charsets are the encodings that documents declare besides UTF-8 and UTF-16. Those of the web mean Windows' where they say
// ISO-8859-1 (WHATWG Encoding, section 4.2).
func charsets(label string) *charmap.Charmap {
	switch strings.ToLower(strings.TrimSpace(label)) {
	case "iso-8859-2", "latin2":
		return charmap.ISO8859_2
	case "iso-8859-5":
		return charmap.ISO8859_5
	case "iso-8859-7":
		return charmap.ISO8859_7
	case "iso-8859-9", "latin5", "windows-1254", "cp1254":
		return charmap.Windows1254
	case "iso-8859-15", "latin9":
		return charmap.ISO8859_15
	case "windows-1250", "cp1250":
		return charmap.Windows1250
	case "windows-1251", "cp1251":
		return charmap.Windows1251
	case "koi8-r":
		return charmap.KOI8R
	case "koi8-u":
		return charmap.KOI8U
	}
	return charmap.Windows1252
}

// toUTF8 returns a document as text. What is UTF-8 stays, whatever it declares; else the declared encoding counts, and without one
// that of Western Windows.
func toUTF8(body []byte, label string) string {
	body = withoutBOM(body)
	switch {
	case bytes.HasPrefix(body, []byte{0xfe, 0xff}):
		return fromUTF16(body[2:], binary.BigEndian)
	case bytes.HasPrefix(body, []byte{0xff, 0xfe}):
		return fromUTF16(body[2:], binary.LittleEndian)
	case utf8.Valid(body):
		return string(body)
	case label == "":
		return strings.ToValidUTF8(string(body), "\uFFFD")
	}
	text, err := charsets(label).NewDecoder().Bytes(body)
	if err != nil {
		return strings.ToValidUTF8(string(body), "\uFFFD")
	}
	return string(text)
}

func fromUTF16(body []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(body)/2)
	for i := range units {
		units[i] = order.Uint16(body[2*i:])
	}
	return string(utf16.Decode(units))
}
