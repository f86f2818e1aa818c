// Package archive unpacks the files of a wall from a zip file or a tar.gz file. It limits the number and the size of the files.
package archive

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

const (
	// maxFiles and maxBytes limit the unpacked files, because on an appliance they are in memory.
	maxFiles = 500
	maxBytes = 24 << 20
	// maxEntries is the maximum number of entries of an archive. A repository can contain many other files in addition to the wall.
	maxEntries = 4096
)

var (
	errEntry  = errors.New("an entry is not a file of a wall")
	errMany   = fmt.Errorf("more than %d entries", maxEntries)
	errFormat = errors.New("neither a zip file nor a tar.gz")
)

// An entry is a file, a folder or something else in an archive.
type entry struct {
	name    string
	regular bool
	open    func() (io.ReadCloser, error)
}

// A reader calls `visit` with each entry of an archive, in order. It returns the commit that git has written into the archive, or "".
type reader func(visit func(entry) error) (commit string, err error)

// readerOf chooses the reader of a file by its first bytes.
func readerOf(f *os.File) (reader, error) {
	var first [2]byte
	if _, err := f.ReadAt(first[:], 0); err != nil {
		return nil, errFormat
	}
	switch string(first[:]) {
	case "PK":
		return zipReader(f), nil
	case "\x1f\x8b":
		return tarReader(f), nil
	}
	return nil, errFormat
}

// Unpack writes the files of an archive into a folder, and returns the commit that git has written into the archive, or "". If a top folder
// contains everything, Unpack leaves this folder out, because file managers and git servers add it. The parameter `within` is the path of a
// folder below the top folder. Unpack writes only the files in this folder, or all files if `within` is "".
//
// Unpack writes nothing outside of `dir` and makes no links. It leaves out hidden files. It returns an error if both widgets.yaml and
// client.yaml are missing, or if a file is larger than its header states. After an error, the files that were written stay.
func Unpack(file, dir, within string) (commit string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	read, err := readerOf(f)
	if err != nil {
		return "", err
	}
	top, err := common(read)
	if err != nil {
		return "", err
	}
	u := &unpacking{dir: dir, prefix: top, left: maxBytes}
	if within = strings.Trim(within, "/"); within != "" {
		u.prefix += within + "/"
	}
	if commit, err = read(u.take); err != nil {
		return "", err
	}
	if !u.found {
		return "", errors.New(strings.TrimPrefix(within+"/", "/") + "widgets.yaml or client.yaml is missing")
	}
	return commit, nil
}

// unpacking holds the state of Unpack.
type unpacking struct {
	dir, prefix string
	files       int
	left        int64 // remaining number of bytes
	found       bool
}

func (u *unpacking) take(e entry) error {
	name, ok := strings.CutPrefix(e.name, u.prefix)
	if !ok || name == "" || strings.HasSuffix(name, "/") || hidden(name) {
		return nil
	}
	if !filepath.IsLocal(name) || !e.regular {
		return fmt.Errorf("%w: %q", errEntry, e.name)
	}
	if u.files++; u.files > maxFiles {
		return fmt.Errorf("more files than the limit: the limit is %d", maxFiles)
	}
	n, err := write(e, filepath.Join(u.dir, filepath.FromSlash(name)), u.left)
	if err != nil {
		return fmt.Errorf("%s: %w", e.name, err)
	}
	u.left -= n
	u.found = u.found || name == "widgets.yaml" || name == "client.yaml"
	return nil
}

// hidden() reports whether a part of a path begins with a dot or is __MACOSX. Operating systems and git add such files.
func hidden(name string) bool {
	for part := range strings.SplitSeq(path.Clean(name), "/") {
		if strings.HasPrefix(part, ".") && part != ".." || part == "__MACOSX" {
			return true
		}
	}
	return false
}

// common() returns the top folder that contains all files, with a slash at the end. If there is no such folder, it returns "".
func common(read reader) (top string, err error) {
	n, several := 0, false
	_, err = read(func(e entry) error {
		if n++; n > maxEntries {
			return errMany
		}
		if hidden(e.name) {
			return nil
		}
		first, _, deep := strings.Cut(e.name, "/")
		several = several || !deep || top != "" && top != first+"/"
		top = first + "/"
		return nil
	})
	if several {
		top = ""
	}
	return top, err
}

// write writes the file of an entry. `left` is the maximum number of bytes.
func write(e entry, to string, left int64) (int64, error) {
	in, err := e.open()
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
