// Package initramfs makes the archive for the start of a kernel: its modules, the order in which they are
// loaded, and its format.
package initramfs

import (
	"io"
	"path"

	"github.com/u-root/u-root/pkg/cpio"
)

// An Archive is an initramfs that is being made, in cpio's "newc" format
// (Documentation/driver-api/early-userspace/buffer-format.rst). The same calls make the same bytes. Errors are kept until Close.
type Archive struct {
	w   cpio.RecordWriter
	err error
}

// NewArchive begins an archive.
func NewArchive(w io.Writer) *Archive {
	return &Archive{w: cpio.NewDedupWriter(cpio.Newc.Writer(w))} // so that a folder is written once
}

// File adds a file, and its folders.
func (a *Archive) File(name string, content []byte) {
	a.add(cpio.StaticFile(name, string(content), 0o644))
}

// Program adds a file that can be executed.
func (a *Archive) Program(name string, content []byte) {
	a.add(cpio.StaticFile(name, string(content), 0o755))
}

// Device adds a character device. It is needed because the kernel opens /dev/console before the first process can mount /dev.
func (a *Archive) Device(name string, major, minor uint64) {
	a.add(cpio.CharDev(name, 0o600, major, minor))
}

// Close ends the archive.
func (a *Archive) Close() error {
	if a.err == nil {
		a.err = cpio.WriteTrailer(a.w)
	}
	return a.err
}

func (a *Archive) add(r cpio.Record) {
	r = cpio.MakeReproducible(r)
	a.folder(path.Dir(r.Name))
	a.write(r)
}

// folder adds a folder, after its parents.
func (a *Archive) folder(name string) {
	if name == "." {
		return
	}
	a.folder(path.Dir(name))
	a.write(cpio.Directory(name, 0o755))
}

func (a *Archive) write(r cpio.Record) {
	if a.err == nil {
		a.err = a.w.WriteRecord(r)
	}
}
