package netstream

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

const (
	// pinnedShare bounds the memory of the files that only slow clients still use: a quarter of the budget. With a budget of 64 MiB, this
	// is about eighty files of a 1080p dashboard.
	pinnedShare = 4
	// writeBytes is the size of the pieces in which a body is written. Between two pieces, the writer checks whether the file was revoked.
	// A typical frame is one piece.
	writeBytes = 256 << 10
)

// ErrRevoked is returned by reads of a body whose file was revoked. The client of the body was so slow that old files exceeded their share
// of the budget.
var ErrRevoked = errors.New("netstream: reading took too long, the file is gone")

// A file holds the encoded bytes of a response. All clients that read these bytes share it. Its data does not change as long as it has a
// reader. A size keeps its newest file. An older file lives until its last reader is done.
type file struct {
	data    []byte
	revoked atomic.Bool

	readers []*lease // files.mu guards this field and the following fields
	home    *spares  // receives this file after its last reader, so that the file can be used again
	kept    bool     // true if a size still serves this file
}

// spares are unused files of one size and kind, which can be used again. `most` is the maximum number of these files. In the zero value
// and for a removed size, `most` is 0, so that no file is kept.
type spares struct {
	free []*file
	most int
}

// files records the readers of every file, and limits the memory of old files.
type files struct {
	mu      sync.Mutex
	old     []*file // files that are not kept but still have readers, oldest first
	pinned  int     // bytes of all files in old
	max     int     // limit of the field `pinned`. Only a single file may exceed it
	revoked uint64
}

func newFiles() *files { return &files{} }

// limit sets the maximum total size of old files, in bytes.
func (f *files) limit(bytes int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.max = bytes
}

// take returns an empty file, marked as kept. It uses a spare file of `home` if there is one.
func (f *files) take(home *spares) *file {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := len(home.free); n > 0 {
		x := home.free[n-1]
		home.free = home.free[:n-1]
		x.kept, x.data = true, x.data[:0]
		return x
	}
	return &file{home: home, kept: true}
}

// room returns the file's data with length 0 and a capacity of at least `bytes`. If it has to allocate memory, it adds one eighth,
// because the next frames will have a similar length.
func (x *file) room(bytes int) []byte {
	if cap(x.data) < bytes {
		x.data = make([]byte, 0, bytes+bytes/8)
	}
	return x.data[:0]
}

// retire marks a file as old, because its size no longer serves it. If all old files exceed their limit, retire revokes the oldest files.
// If x is nil, it does nothing.
func (f *files) retire(x *file) {
	if x == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	x.kept = false
	if len(x.readers) == 0 {
		x.goHome()
		return
	}
	f.old = append(f.old, x)
	f.pinned += cap(x.data)
	for f.pinned > f.max && len(f.old) > 1 {
		f.revokeLocked(f.old[0])
	}
}

// revokeLocked revokes an old file: its readers get an error at their next read. The memory stays in use until the readers close their
// bodies.
func (f *files) revokeLocked(x *file) {
	f.forgetLocked(x)
	x.revoked.Store(true)
	f.revoked += uint64(len(x.readers))
	for _, l := range x.readers {
		if l.onRevoke != nil {
			l.onRevoke()
		}
	}
}

// forgetLocked removes a file from the list of old files.
func (f *files) forgetLocked(x *file) {
	for i, o := range f.old {
		if o == x {
			f.old = append(f.old[:i], f.old[i+1:]...)
			f.pinned -= cap(x.data)
			return
		}
	}
}

// goHome adds an unused file to the spare files of its home. If the home already has enough spare files, or if the file was revoked, the
// file is dropped.
func (x *file) goHome() {
	if h := x.home; len(h.free) < h.most && !x.revoked.Load() {
		h.free = append(h.free, x)
	}
}

// abandon releases the files of a removed size. It releases unused files now. A file that is still read is released when its last reader
// closes its body.
func (f *files) abandon(home *spares) {
	f.mu.Lock()
	defer f.mu.Unlock()
	*home = spares{}
}

// spareBytes returns the memory of the spare files.
func (f *files) spareBytes(home *spares) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, x := range home.free {
		n += cap(x.data)
	}
	return n
}

// lease registers a client that reads a file. `onRevoke` is called when the file is revoked, unless `onRevoke` is nil.
func (f *files) lease(x *file, onRevoke func()) *lease {
	l := &lease{files: f, file: x, rest: x.data, onRevoke: onRevoke}
	f.mu.Lock()
	defer f.mu.Unlock()
	x.readers = append(x.readers, l)
	return l
}

// release ends a lease. If the file is old and has no other readers, release adds the file to the spare files of its home.
func (f *files) release(l *lease) {
	f.mu.Lock()
	defer f.mu.Unlock()
	x := l.file
	for i, o := range x.readers {
		if o == l {
			last := len(x.readers) - 1
			x.readers[i] = x.readers[last]
			x.readers[last] = nil
			x.readers = x.readers[:last]
			break
		}
	}
	if len(x.readers) == 0 && !x.kept {
		f.forgetLocked(x)
		x.goHome()
	}
}

// A lease is the use of a file by one client. It is the body of a response.
type lease struct {
	files    *files
	file     *file
	rest     []byte
	onRevoke func()
	closed   bool
}

// Read implements io.Reader.
func (l *lease) Read(p []byte) (int, error) {
	if err := l.err(); err != nil {
		return 0, err
	}
	if len(l.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// WriteTo implements io.WriterTo. It does not copy the data.
func (l *lease) WriteTo(w io.Writer) (written int64, err error) {
	for len(l.rest) > 0 {
		if err := l.err(); err != nil {
			return written, err
		}
		n, err := w.Write(l.rest[:min(len(l.rest), writeBytes)])
		written += int64(n)
		l.rest = l.rest[n:]
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

func (l *lease) err() error {
	if l.closed {
		return io.ErrClosedPipe
	}
	if l.file.revoked.Load() {
		return ErrRevoked
	}
	return nil
}

// Close ends the lease. It may be called more than once.
func (l *lease) Close() error {
	if !l.closed {
		l.closed = true
		l.rest = nil
		l.files.release(l)
	}
	return nil
}

// stats() returns the number of revoked responses and the bytes of old files, for Stats.
func (f *files) stats() (revoked uint64, pinned int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.revoked, f.pinned
}
