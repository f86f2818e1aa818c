package fetch

import (
	"bytes"
	"fmt"
	"strings"
)

// pageStart is the number of bytes that are searched for the first tag of a page. Comments and white space may precede this tag.
const pageStart = 512

// IsPage reports whether the response is a web page. The body of a web page begins with a doctype or tag of HTML. If the content type is
// HTML, the body may begin with any tag.
func (r *Response) IsPage() bool {
	start := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(r.Body[:min(len(r.Body), pageStart)], []byte("\xef\xbb\xbf"))))
	return bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html")) ||
		bytes.HasPrefix(start, []byte("<")) && strings.HasPrefix(strings.ToLower(r.ContentType), "text/html")
}

// Misread returns the error for a body that could not be decoded. If the body is a web page, the error wraps err and [ErrPage], because the
// usual cause is a login page. Otherwise Misread returns err.
func (r *Response) Misread(err error) error {
	if err == nil || !r.IsPage() {
		return err
	}
	return fmt.Errorf("%w (%w)", ErrPage, err)
}
