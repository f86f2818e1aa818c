package fetch

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"os"
	"path/filepath"
)

// readFile reads a whole regular file. Anything else (a pipe, a device) could hold the reader for ever.
func readFile(path string, limit int64) (*Response, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, errors.Unwrap(err)) // the path is in the URL already
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: not a regular file", ErrRequest)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, errors.Unwrap(err))
	}
	defer f.Close()
	body, _, err := readAll(f, info.Size(), limit, noTurn)
	if err != nil {
		return nil, err
	}
	kind := mime.TypeByExtension(filepath.Ext(path))
	if kind == "" {
		kind = http.DetectContentType(body)
	}
	return &Response{Status: http.StatusOK, ContentType: kind, Body: body, LastModified: info.ModTime().UTC().Format(http.TimeFormat)}, nil
}
