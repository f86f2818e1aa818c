// Package charset decodes text in the encodings that web browsers support (WHATWG Encoding, section 4.2). It does not encode text.
package charset

import (
	_ "embed"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// `labels` contains a line for each encoding: its name, then its other labels.
//
//go:embed labels.txt
var labels string

// Decode converts body to UTF-8. Bytes that are not valid in the encoding become U+FFFD. Decode returns false for an unknown label. The
// result has at most three times as many bytes as body.
func Decode(body []byte, label string) ([]byte, bool) {
	name := named(label)
	if next := wide(name); next != nil {
		return walk(body, next), true
	}
	e := narrow(name)
	if e == nil {
		return nil, false
	}
	text, err := e.NewDecoder().Bytes(body)
	return text, err == nil
}

// named() returns the name of the encoding to which a label belongs, or "" for an unknown label.
func named(label string) string {
	label = strings.ToLower(strings.TrimSpace(label))
	for line := range strings.Lines(labels) {
		all := strings.Fields(line)
		for _, one := range all {
			if one == label {
				return all[0]
			}
		}
	}
	return ""
}

// narrow() returns an encoding by its name if the encoding needs no table of this package. For other names it returns nil.
func narrow(name string) encoding.Encoding {
	switch name {
	case "utf-8":
		return unicode.UTF8
	case "utf-16be":
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	case "utf-16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case "replacement":
		return encoding.Replacement
	}
	if e := single[name]; e != nil {
		return e
	}
	return nil
}

// `single` contains the encodings with one byte for each character.
var single = map[string]*charmap.Charmap{
	"ibm866":         charmap.CodePage866,
	"iso-8859-2":     charmap.ISO8859_2,
	"iso-8859-3":     charmap.ISO8859_3,
	"iso-8859-4":     charmap.ISO8859_4,
	"iso-8859-5":     charmap.ISO8859_5,
	"iso-8859-6":     charmap.ISO8859_6,
	"iso-8859-7":     charmap.ISO8859_7,
	"iso-8859-8":     charmap.ISO8859_8,
	"iso-8859-8-i":   charmap.ISO8859_8,
	"iso-8859-10":    charmap.ISO8859_10,
	"iso-8859-13":    charmap.ISO8859_13,
	"iso-8859-14":    charmap.ISO8859_14,
	"iso-8859-15":    charmap.ISO8859_15,
	"iso-8859-16":    charmap.ISO8859_16,
	"koi8-r":         charmap.KOI8R,
	"koi8-u":         charmap.KOI8U,
	"macintosh":      charmap.Macintosh,
	"windows-874":    charmap.Windows874,
	"windows-1250":   charmap.Windows1250,
	"windows-1251":   charmap.Windows1251,
	"windows-1252":   charmap.Windows1252,
	"windows-1253":   charmap.Windows1253,
	"windows-1254":   charmap.Windows1254,
	"windows-1255":   charmap.Windows1255,
	"windows-1256":   charmap.Windows1256,
	"windows-1257":   charmap.Windows1257,
	"windows-1258":   charmap.Windows1258,
	"x-mac-cyrillic": charmap.MacintoshCyrillic,
	"x-user-defined": charmap.XUserDefined,
}

// next is a function that reads the character at the start of a text, which must not be empty. It returns the number of bytes read and
// the rune. The rune is U+FFFD for invalid bytes, at least `pairs` for two runes, and negative for no rune.
type next func(text []byte) (rune, int)

// walk decodes a text, character by character. If `read` returns a negative rune, walk adds nothing to the result.
func walk(text []byte, read next) []byte {
	out := make([]byte, 0, len(text)+len(text)/2)
	for len(text) > 0 {
		r, size := read(text)
		text = text[size:]
		if r >= pairs {
			out = utf8.AppendRune(utf8.AppendRune(out, (r-pairs)>>16), (r-pairs)&0xffff)
		} else if r >= 0 {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

// wide() returns the function that reads an encoding of East Asia, by the encoding's name. For other names it returns nil.
func wide(name string) next {
	switch name {
	case "gbk":
		return gbk
	case "gb18030":
		return gb18030
	case "big5":
		return big5
	case "euc-kr":
		return eucKR
	case "euc-jp":
		return eucJP
	case "shift_jis":
		return shiftJIS
	case "iso-2022-jp":
		return new(iso2022JP).read
	}
	return nil
}
