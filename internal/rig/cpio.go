package main

import (
	"fmt"
	"io"
	"path"
	"strings"
)

// An archive is an initramfs in the making, in cpio's "newc" format
// (Documentation/driver-api/early-userspace/buffer-format.rst): a header of eight-digit hexadecimal
// numbers, the name, the content, each padded to a multiple of four bytes. Errors are kept until close.
type archive struct {
	w       io.Writer
	n       int64 // bytes written
	inode   int
	folders map[string]bool
	err     error
}

// Modes of the entries, inode(7).
const (
	modeFolder  = 0o040755
	modeProgram = 0o100755
	modeDevice  = 0o020600
)

func newArchive(w io.Writer) *archive {
	return &archive{w: w, folders: map[string]bool{".": true, "/": true}}
}

// file adds a file, which may be run, and the folders it is in.
func (a *archive) file(name string, content []byte) {
	name = strings.TrimPrefix(name, "/")
	a.folder(path.Dir(name))
	a.entry(name, modeProgram, content, 0, 0)
}

// folder adds a folder and those above it.
func (a *archive) folder(name string) {
	if a.folders[name] {
		return
	}
	a.folders[name] = true
	a.folder(path.Dir(name))
	a.entry(name, modeFolder, nil, 0, 0)
}

// device adds a character device: the kernel opens /dev/console before the first process can mount /dev.
func (a *archive) device(name string, major, minor int) {
	a.folder(path.Dir(name))
	a.entry(name, modeDevice, nil, major, minor)
}

// close ends the archive.
func (a *archive) close() error {
	a.entry("TRAILER!!!", 0, nil, 0, 0)
	return a.err
}

func (a *archive) entry(name string, mode int, content []byte, major, minor int) {
	a.inode++
	const uid, gid, links, mtime, dev = 0, 0, 1, 0, 0
	a.write(fmt.Appendf(nil, "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%s\x00",
		a.inode, mode, uid, gid, links, mtime, len(content), dev, dev, major, minor, len(name)+1, 0, name))
	a.pad()
	a.write(content)
	a.pad()
}

func (a *archive) pad() { a.write(make([]byte, -a.n&3)) }

func (a *archive) write(p []byte) {
	if a.err != nil {
		return
	}
	n, err := a.w.Write(p)
	a.n, a.err = a.n+int64(n), err
}
