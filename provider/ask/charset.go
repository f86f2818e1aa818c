package ask

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"dashboard/internal/charset"
)

// Plain converts the body of an answer to UTF-8 if the answer's header names another encoding (RFC 9110, section 8.3.2). It does not
// change a body that has a byte order mark or is already valid UTF-8, because servers sometimes name a wrong encoding.
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
