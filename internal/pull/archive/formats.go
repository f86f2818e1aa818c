package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// maxStream is the maximum size of an uncompressed tar.gz, in bytes. Ignored files count too, because they must be read to find the next
// file.
const maxStream = 64 << 20

// entryMark begins each entry in the directory of a zip file (APPNOTE.TXT, section 4.3.12).
var entryMark = []byte("PK\x01\x02")

// zipReader returns a reader for a zip file. It converts backslashes in names to slashes, because some programs on Windows write
// backslashes.
func zipReader(f *os.File) reader {
	return func(visit func(entry) error) (string, error) {
		info, err := f.Stat()
		if err == nil {
			err = countEntries(io.NewSectionReader(f, 0, info.Size()))
		}
		if err != nil {
			return "", err
		}
		z, err := zip.NewReader(f, info.Size())
		if err != nil {
			return "", err
		}
		for _, one := range z.File {
			e := entry{strings.ReplaceAll(one.Name, `\`, "/"), one.Mode().IsRegular(), one.Open}
			if err := visit(e); err != nil {
				return "", err
			}
		}
		return commitOf(z.Comment), nil
	}
}

// countEntries refuses a zip file with too many entries before its directory is read into memory.
func countEntries(r io.Reader) error {
	const overlap = 3 // if an entryMark is cut at the end of a block, at most 3 of its 4 bytes are in the block
	block, kept, n := make([]byte, 64<<10), 0, 0
	for {
		read, err := r.Read(block[kept:])
		all := block[:kept+read]
		if n += bytes.Count(all, entryMark); n > maxEntries {
			return errMany
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		kept = copy(block, all[max(0, len(all)-overlap):])
	}
}

// tarReader returns a reader for a tar.gz file. Each call of this reader starts at the beginning of the file.
func tarReader(f *os.File) reader {
	return func(visit func(entry) error) (commit string, err error) {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return "", err
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			return "", err
		}
		bounded := &io.LimitedReader{R: z, N: maxStream}
		t := tar.NewReader(bounded)
		for {
			h, err := t.Next()
			switch {
			case bounded.N <= 0:
				return "", fmt.Errorf("it unpacks to more than %d bytes", maxStream)
			case errors.Is(err, io.EOF):
				return commit, nil
			case err != nil:
				return "", err
			case h.Typeflag == tar.TypeXGlobalHeader:
				commit = commitOf(h.PAXRecords["comment"]) // git archive writes the commit here
				continue
			}
			e := entry{h.Name, h.Typeflag == tar.TypeReg, func() (io.ReadCloser, error) { return io.NopCloser(t), nil }}
			if h.Typeflag == tar.TypeDir {
				e.name = strings.TrimSuffix(e.name, "/") + "/"
			}
			if err := visit(e); err != nil {
				return "", err
			}
		}
	}
}

// commitOf returns the commit in the comment of a git archive: 40 digits of SHA-1, or 64 of SHA-256.
func commitOf(comment string) string {
	if len(comment) != 40 && len(comment) != 64 || strings.Trim(comment, "0123456789abcdef") != "" {
		return ""
	}
	return comment
}
