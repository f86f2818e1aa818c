package document

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"dashboard/internal/charset"
	"dashboard/internal/extract"
)

// aliases maps other names of encodings to their names in the standard (WHATWG Encoding).
var aliases = map[string]string{"latin9": "iso-8859-15", "euc-jp-ms": "euc-jp", "cp932": "shift_jis", "cp936": "gbk", "cp949": "euc-kr", "cp950": "big5"}

// decode decodes a text. `label` is the name of its encoding (WHATWG Encoding, section 4.2). For an unknown name it uses Windows-1252.
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

// toUTF8 returns a document as UTF-8. Valid UTF-8 stays unchanged, even if the document declares another encoding. Any other document is
// decoded with the declared encoding, or with [extract.UTF8] if it declares no encoding.
func toUTF8(body []byte, label string) string {
	marked := bytes.HasPrefix(body, []byte{0xfe, 0xff}) || bytes.HasPrefix(body, []byte{0xff, 0xfe})
	if marked || label == "" || utf8.Valid(body) {
		return string(extract.UTF8(body))
	}
	return string(decode(body, label))
}
