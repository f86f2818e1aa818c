// Package initramfs creates an initramfs: an archive with the files for the start of a kernel. It also determines which modules are
// loaded, and in which order.
package initramfs

import (
	"io"
	"path"

	"github.com/u-root/u-root/pkg/cpio"
)

// An Archive writes an initramfs in the "newc" format of cpio (Documentation/driver-api/early-userspace/buffer-format.rst). The same calls
// give the same bytes. The first error is kept, and Close returns it.
type Archive struct {
	w   cpio.RecordWriter
	err error
}

// NewArchive starts an archive that is written to w.
func NewArchive(w io.Writer) *Archive {
	return &Archive{w: cpio.NewDedupWriter(cpio.Newc.Writer(w))} // a folder is written only once
}

// File adds the folders of a file, and then the file.
func (a *Archive) File(name string, content []byte) {
	a.add(cpio.StaticFile(name, string(content), 0o644))
}

// Program adds an executable file.
func (a *Archive) Program(name string, content []byte) {
	a.add(cpio.StaticFile(name, string(content), 0o755))
}

// Device adds a character device. /dev/console must be in the archive, because the kernel opens it before the first process mounts /dev.
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

// folder adds the parents of a folder, and then the folder.
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
