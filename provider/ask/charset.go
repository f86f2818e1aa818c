package ask

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"dashboard/internal/charset"
)

// Plain returns a body as UTF-8 if the header of its answer names another encoding (RFC 9110, section 8.3.2). A body with a byte
// order mark, or one that is already valid UTF-8, is returned unchanged, because servers name encodings that they do not use.
func Plain(body []byte, contentType string) []byte {
	if bytes.HasPrefix(body, []byte{0xfe, 0xff}) || bytes.HasPrefix(body, []byte{0xff, 0xfe}) || utf8.Valid(body) {
		return body
	}
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil || params["charset"] == "" || strings.EqualFold(params["charset"], "utf-8") {
		return body
	}
	text, known := charset.Decode(body, params["charset"])
	if !known {
		return body
	}
	return text
}
