package fetch

import (
	"bytes"
	"fmt"
	"strings"
)

// pageStart bounds the bytes before the first tag of a page: comments and white space.
const pageStart = 512

// IsPage reports whether the answer is a web page: it begins as HTML does, or it is markup of the type HTML.
func (r *Response) IsPage() bool {
	start := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(r.Body[:min(len(r.Body), pageStart)], []byte("\xef\xbb\xbf"))))
	return bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html")) ||
		bytes.HasPrefix(start, []byte("<")) && strings.HasPrefix(strings.ToLower(r.ContentType), "text/html")
}

// Misread returns the error for a body that could not be read: err itself, and for a web page one that wraps [ErrPage] too. The
// usual cause is a login page.
func (r *Response) Misread(err error) error {
	if err == nil || !r.IsPage() {
		return err
	}
	return fmt.Errorf("%w (%w)", ErrPage, err)
}
