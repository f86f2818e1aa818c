package ask

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path/filepath"
	"strings"

	"dashboard/internal/fetch"
	"dashboard/internal/folder"
)

// filePrefix is the beginning of an address that names a file of this machine. The path of the file follows the prefix. The path may be
// relative, and % has no special meaning in the path.
const filePrefix = "file://"

// IsFile reports whether an address is a file of this machine.
func IsFile(url string) bool { return strings.HasPrefix(url, filePrefix) }

// Do sends a request as [fetch.Client.Do] does. If the address is a file, Do reads the file from the file system `files` instead. If
// `files` is nil, the path is relative to the working directory. The answer for a file has status 200 and the time when the file last
// changed. Every error is a [*fetch.Error].
func Do(ctx context.Context, c *fetch.Client, files fs.FS, r *fetch.Request) (*fetch.Response, error) {
	path, ok := strings.CutPrefix(r.URL, filePrefix)
	if !ok {
		return c.Do(ctx, r)
	}
	resp, err := readFile(files, path, r.Limit())
	if err != nil {
		return nil, r.Failure(err)
	}
	return resp, nil
}

// readFile reads a whole regular file of at most `limit` bytes.
func readFile(files fs.FS, path string, limit int64) (*fetch.Response, error) {
	if files == nil {
		files = folder.Dir("")
	}
	info, err := fs.Stat(files, path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", fetch.ErrUnavailable, errors.Unwrap(err)) // without the path, which is already in the address
	}
	body, err := folder.Read(files, path, limit)
	var long *folder.TooLong
	switch {
	case errors.Is(err, folder.ErrNotRegular):
		return nil, fmt.Errorf("%w: %w", fetch.ErrRequest, errors.Unwrap(err))
	case errors.As(err, &long):
		return nil, fmt.Errorf("%w: %w", fetch.ErrTooLarge, long)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", fetch.ErrUnavailable, errors.Unwrap(err))
	}
	kind := mime.TypeByExtension(filepath.Ext(path))
	if kind == "" {
		kind = http.DetectContentType(body)
	}
	return &fetch.Response{Status: http.StatusOK, ContentType: kind, Body: body, LastModified: info.ModTime().UTC().Format(http.TimeFormat)}, nil
}
