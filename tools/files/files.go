// Package files writes files for the tools. The same input always gives the same bytes.
package files

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
)

// Write writes a file. It first creates the file's folders.
func Write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// Gzip compresses data with the best compression. The result contains no file name and no time.
func Gzip(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(data)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}
