package document

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"

	"dashboard/internal/extract"
)

// aliases are labels of documents that the web's list of encodings lacks.
var aliases = map[string]string{"latin9": "iso-8859-15", "euc-jp-ms": "euc-jp", "cp932": "shift_jis", "cp936": "gbk", "cp949": "euc-kr", "cp950": "big5"}

// charset returns the encoding of a label (WHATWG Encoding, section 4.2), and Western Windows for an unknown one.
func charset(label string) encoding.Encoding {
	label = strings.ToLower(strings.TrimSpace(label))
	if known, ok := aliases[label]; ok {
		label = known
	}
	if e, err := htmlindex.Get(label); err == nil {
		return e
	}
	return charmap.Windows1252
}

// toUTF8 returns a document as text. UTF-8 stays, whichever encoding it declares. Otherwise the declared encoding
// counts, and [extract.UTF8] without one.
func toUTF8(body []byte, label string) string {
	marked := bytes.HasPrefix(body, []byte{0xfe, 0xff}) || bytes.HasPrefix(body, []byte{0xff, 0xfe})
	if marked || label == "" || utf8.Valid(body) {
		return string(extract.UTF8(body))
	}
	text, err := charset(label).NewDecoder().Bytes(body)
	if err != nil {
		return strings.ToValidUTF8(string(body), "\uFFFD")
	}
	return string(text)
}
