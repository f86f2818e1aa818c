// Package wallzip unpacks the files of a wall out of a zip file, within bounds.
package wallzip

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

const (
	// maxFiles and maxBytes bound the unpacked files, which lie in memory.
	maxFiles = 500
	maxBytes = 24 << 20
)

var errEntry = errors.New("an entry is not a file of a wall")

// Unpack writes the files of a zip file into a folder. It leaves out a folder that contains everything, which file
// managers add. It writes nothing outside of the folder and makes no links. A file that is larger than its header is an
// error. Files that were written before an error stay.
func Unpack(file, dir string) error {
	z, err := zip.OpenReader(file)
	if err != nil {
		return err
	}
	defer z.Close()
	if len(z.File) > maxFiles {
		return fmt.Errorf("%d files: the limit is %d", len(z.File), maxFiles)
	}
	top, left := common(z.File), int64(maxBytes)
	found := false
	for _, f := range z.File {
		name := strings.TrimPrefix(strings.ReplaceAll(f.Name, `\`, "/"), top)
		if name == "" || strings.HasSuffix(name, "/") || hidden(name) {
			continue
		}
		if !filepath.IsLocal(name) || !f.Mode().IsRegular() {
			return fmt.Errorf("%w: %q", errEntry, f.Name)
		}
		n, err := one(f, filepath.Join(dir, filepath.FromSlash(name)), left)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		left -= n
		found = found || name == "widgets.yaml" || name == "client.yaml"
	}
	if !found {
		return errors.New("widgets.yaml or client.yaml is missing")
	}
	return nil
}

// hidden reports whether a file belongs to an operating system, such as macOS.
func hidden(name string) bool {
	return strings.HasPrefix(path.Base(name), ".") || strings.HasPrefix(name, "__MACOSX/")
}

// common returns the folder that contains all files, with a slash, or "".
func common(files []*zip.File) string {
	top := ""
	for _, f := range files {
		name := strings.ReplaceAll(f.Name, `\`, "/")
		if hidden(name) {
			continue
		}
		first, _, deep := strings.Cut(name, "/")
		if !deep || top != "" && top != first+"/" {
			return ""
		}
		top = first + "/"
	}
	return top
}

// one unpacks a file of at most left bytes.
func one(f *zip.File, to string, left int64) (int64, error) {
	in, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return 0, err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(out, io.LimitReader(in, left+1))
	if err == nil && n > left {
		err = fmt.Errorf("more than %d bytes in all", maxBytes)
	}
	return n, errors.Join(err, out.Close())
}
