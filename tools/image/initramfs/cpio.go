// Package initramfs makes the archive from which a kernel starts: which modules go into it, in which order
// they are loaded, and its format.
package initramfs

import (
	"fmt"
	"io"
	"path"
	"strings"
)

// An Archive is an initramfs in the making, in cpio's "newc" format
// (Documentation/driver-api/early-userspace/buffer-format.rst): a header of eight-digit hexadecimal
// numbers, the name, the content, each padded to a multiple of four bytes. Errors are kept until Close.
type Archive struct {
	w       io.Writer
	n       int64 // bytes written
	inode   int
	folders map[string]bool
	err     error
}

// Types and modes of entries, inode(7).
const (
	modeFolder  = 0o040755
	modeFile    = 0o100644
	modeProgram = 0o100755
	modeDevice  = 0o020600
)

// NewArchive begins an archive.
func NewArchive(w io.Writer) *Archive {
	return &Archive{w: w, folders: map[string]bool{".": true, "/": true}}
}

// File adds a file and the folders it is in.
func (a *Archive) File(name string, content []byte) {
	a.add(name, modeFile, content)
}

// Program adds a file that can be run.
func (a *Archive) Program(name string, content []byte) {
	a.add(name, modeProgram, content)
}

func (a *Archive) add(name string, mode int, content []byte) {
	name = strings.TrimPrefix(name, "/")
	a.Folder(path.Dir(name))
	a.entry(name, mode, content, 0, 0)
}

// Folder adds a folder and those above it.
func (a *Archive) Folder(name string) {
	if a.folders[name] {
		return
	}
	a.folders[name] = true
	a.Folder(path.Dir(name))
	a.entry(name, modeFolder, nil, 0, 0)
}

// Device adds a character device: the kernel opens /dev/console before the first process can mount /dev.
func (a *Archive) Device(name string, major, minor int) {
	a.Folder(path.Dir(name))
	a.entry(name, modeDevice, nil, major, minor)
}

// Close ends the archive.
func (a *Archive) Close() error {
	a.entry("TRAILER!!!", 0, nil, 0, 0)
	return a.err
}

func (a *Archive) entry(name string, mode int, content []byte, major, minor int) {
	a.inode++
	const uid, gid, links, mtime, dev = 0, 0, 1, 0, 0
	a.write(fmt.Appendf(nil, "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%s\x00",
		a.inode, mode, uid, gid, links, mtime, len(content), dev, dev, major, minor, len(name)+1, 0, name))
	a.pad()
	a.write(content)
	a.pad()
}

func (a *Archive) pad() { a.write(make([]byte, -a.n&3)) }

func (a *Archive) write(p []byte) {
	if a.err != nil {
		return
	}
	n, err := a.w.Write(p)
	a.n, a.err = a.n+int64(n), err
}
