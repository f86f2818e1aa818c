// Package files writes the files that tools make. The same input always gives the same bytes.
package files

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
)

// Write writes a file, and makes its folders first.
func Write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// Gzip compresses data as much as possible, without a name or a time.
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
