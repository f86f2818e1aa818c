package fetch

import (
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path/filepath"

	"dashboard/internal/folder"
)

// readFile reads a whole regular file of fsys.
func readFile(fsys fs.FS, path string, limit int64) (*Response, error) {
	if fsys == nil {
		fsys = folder.Dir("")
	}
	info, err := fs.Stat(fsys, path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, errors.Unwrap(err)) // the path is in the URL already
	}
	body, err := folder.Read(fsys, path, limit)
	var long *folder.TooLong
	switch {
	case errors.Is(err, folder.ErrNotRegular):
		return nil, fmt.Errorf("%w: %w", ErrRequest, errors.Unwrap(err))
	case errors.As(err, &long):
		return nil, fmt.Errorf("%w: %w", ErrTooLarge, long)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, errors.Unwrap(err))
	}
	kind := mime.TypeByExtension(filepath.Ext(path))
	if kind == "" {
		kind = http.DetectContentType(body)
	}
	return &Response{Status: http.StatusOK, ContentType: kind, Body: body, LastModified: info.ModTime().UTC().Format(http.TimeFormat)}, nil
}
