//go:build linux

package kernels

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"dashboard/appliance/card"
)

// An Archive is the tar archive with the kernel of an update.
type Archive struct {
	r    io.ReaderAt
	size int64
}

// NewArchive returns the archive at an offset of an update.
func NewArchive(r io.ReaderAt, at, size int64) Archive {
	return Archive{io.NewSectionReader(r, at, size), size}
}

// errArchive is the error for an archive with files that are not allowed in a kernel's folder.
var errArchive = errors.New("the update's kernel has files that a kernel's folder does not have")

// each() calls the function `do` with each file of the archive. It returns an error for a name that is not allowed in a kernel's folder.
// A name may contain one folder, such as overlays/README.
func (a Archive) each(do func(name string, size int64, r io.Reader) error) error {
	t := tar.NewReader(io.NewSectionReader(a.r, 0, a.size))
	left := int64(card.MaxKernel)
	for n := 0; ; n++ {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return errors.Join(errArchive, err)
		}
		if left -= h.Size; n == card.MaxKernelFiles || left < 0 || !usable(h) {
			return fmt.Errorf("%w: %.60q", errArchive, h.Name)
		}
		if err := do(h.Name, h.Size, t); err != nil {
			return err
		}
	}
}

// usable() reports whether a file may be in a kernel's folder.
func usable(h *tar.Header) bool {
	return h.Typeflag == tar.TypeReg && h.Size > 0 && fs.ValidPath(h.Name) && strings.Count(h.Name, "/") <= 1 &&
		!strings.Contains(h.Name, `\`) && path.Base(h.Name) != card.CommandLine
}

// names() returns the files and their sizes.
func (a Archive) names() (map[string]int64, error) {
	all := map[string]int64{}
	err := a.each(func(name string, size int64, _ io.Reader) error {
		all[name] = size
		return nil
	})
	if err == nil && len(all) == 0 {
		err = errArchive
	}
	return all, err
}

// In reports whether a folder has every file of the archive with the same contents. It reads from the card, not from the kernel's cache.
func (a Archive) In(folder string) (bool, error) {
	same := true
	err := a.each(func(name string, size int64, r io.Reader) (err error) {
		if same {
			same, err = equal(path.Join(folder, name), size, r)
		}
		return err
	})
	return same, err
}

// equal() reports whether a file has the given size and the same content as r.
func equal(file string, size int64, r io.Reader) (bool, error) {
	f, err := os.Open(file)
	if err != nil {
		return false, ignoreMissing(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() != size {
		return false, err
	}
	if err := forget(f); err != nil {
		return false, err
	}
	const block = 64 << 10
	a, b := make([]byte, block), make([]byte, block)
	for {
		n, err := io.ReadFull(r, a)
		if n == 0 {
			return true, end(err)
		}
		m, failed := io.ReadFull(f, b[:n])
		if m < n || string(a[:n]) != string(b[:n]) {
			return false, end(failed)
		}
	}
}

// end() returns nil for an error that means the end of a file. It returns other errors unchanged.
func end(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
