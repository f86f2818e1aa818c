package document

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"dashboard/internal/charset"
	"dashboard/internal/extract"
)

// aliases are labels of documents that the web's list of encodings lacks.
var aliases = map[string]string{"latin9": "iso-8859-15", "euc-jp-ms": "euc-jp", "cp932": "shift_jis", "cp936": "gbk", "cp949": "euc-kr", "cp950": "big5"}

// decode returns a text of the encoding of a label (WHATWG Encoding, section 4.2), and of Western Windows for an unknown one.
func decode(body []byte, label string) []byte {
	label = strings.ToLower(strings.TrimSpace(label))
	if known, ok := aliases[label]; ok {
		label = known
	}
	text, known := charset.Decode(body, label)
	if !known {
		text, _ = charset.Decode(body, "windows-1252")
	}
	return text
}

// toUTF8 returns a document as text. UTF-8 stays, whichever encoding it declares. Otherwise the declared encoding
// counts, and [extract.UTF8] without one.
func toUTF8(body []byte, label string) string {
	marked := bytes.HasPrefix(body, []byte{0xfe, 0xff}) || bytes.HasPrefix(body, []byte{0xff, 0xfe})
	if marked || label == "" || utf8.Valid(body) {
		return string(extract.UTF8(body))
	}
	return string(decode(body, label))
}
