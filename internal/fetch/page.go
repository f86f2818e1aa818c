package fetch

import (
	"bytes"
	"fmt"
	"strings"
)

// pageStart bounds the bytes before the first tag of a page, such as comments and white space.
const pageStart = 512

// IsPage reports whether the response is a web page: it begins like HTML, or it is markup with the content type HTML.
func (r *Response) IsPage() bool {
	start := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(r.Body[:min(len(r.Body), pageStart)], []byte("\xef\xbb\xbf"))))
	return bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html")) ||
		bytes.HasPrefix(start, []byte("<")) && strings.HasPrefix(strings.ToLower(r.ContentType), "text/html")
}

// Misread returns the error for a body that could not be decoded. For a web page, the error wraps err and [ErrPage]. The usual
// cause is a login page. Otherwise it is err.
func (r *Response) Misread(err error) error {
	if err == nil || !r.IsPage() {
		return err
	}
	return fmt.Errorf("%w (%w)", ErrPage, err)
}
