package netstream

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

const (
	// pinnedShare is the part of the budget, one in four, for files that only slow clients still hold. With 64 MiB this
	// is about eighty files of a 1080p dashboard.
	pinnedShare = 4
	// writeBytes is the size of the pieces in which a body is written. After each piece, the writer checks whether the body was
	// revoked. A usual frame is one piece.
	writeBytes = 256 << 10
)

// ErrRevoked ends the reading of a body. Its client was so slow that the memory for old files was used up.
var ErrRevoked = errors.New("netstream: reading took too long, the file is gone")

// A file holds the encoded bytes of one response and is shared by all readers. Its data does not change while a reader
// holds it. A size keeps the newest file. Older ones live until their last reader is done.
type file struct {
	data    []byte
	revoked atomic.Bool

	readers []*lease // guarded by files.mu, like the following fields
	home    *spares  // spare buffers that receive the file's buffer after the last reader
	kept    bool     // a size still serves this file
}

// spares are unused files of one size and kind that are used again. The zero value and the spares of a removed size keep no files.
type spares struct {
	free []*file
	most int
}

// files records which readers hold each file, and bounds the old files.
type files struct {
	mu      sync.Mutex
	old     []*file // no longer kept but still read, the oldest first
	pinned  int     // bytes of old
	max     int     // bytes
	revoked uint64
}

func newFiles() *files { return &files{} }

// limit sets how many bytes old files may take.
func (f *files) limit(bytes int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.max = bytes
}

// take returns an empty file that is marked as kept. It reuses a spare file of home if there is one.
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

// room returns the file's empty data with space for n bytes. If it has to grow, it adds an eighth, because the next
// frames are about as long.
func (x *file) room(bytes int) []byte {
	if cap(x.data) < bytes {
		x.data = make([]byte, 0, bytes+bytes/8)
	}
	return x.data[:0]
}

// retire marks the file as no longer the newest one of its size. A nil file is ignored.
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

// revokeLocked gives up an old file. Its readers fail at their next step and keep the memory until then.
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

// forgetLocked takes a file off the list of old ones.
func (f *files) forgetLocked(x *file) {
	for i, o := range f.old {
		if o == x {
			f.old = append(f.old[:i], f.old[i+1:]...)
			f.pinned -= cap(x.data)
			return
		}
	}
}

// goHome returns an unused file to the spares of its size.
func (x *file) goHome() {
	if h := x.home; len(h.free) < h.most && !x.revoked.Load() {
		h.free = append(h.free, x)
	}
}

// abandon marks a size as removed. Its unused files are dropped at once, and the others when their last reader is done.
func (f *files) abandon(home *spares) {
	f.mu.Lock()
	defer f.mu.Unlock()
	*home = spares{}
}

// spareBytes returns the memory of the unused files of a size.
func (f *files) spareBytes(home *spares) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, x := range home.free {
		n += cap(x.data)
	}
	return n
}

// lease starts the reading of a file by one client. onRevoke may be nil.
func (f *files) lease(x *file, onRevoke func()) *lease {
	l := &lease{files: f, file: x, rest: x.data, onRevoke: onRevoke}
	f.mu.Lock()
	defer f.mu.Unlock()
	x.readers = append(x.readers, l)
	return l
}

// release ends a reading.
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

// A lease is one client's reading of a file.
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

// WriteTo implements io.WriterTo, without a copy.
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

// Close gives the file back. It may be called more than once.
func (l *lease) Close() error {
	if !l.closed {
		l.closed = true
		l.rest = nil
		l.files.release(l)
	}
	return nil
}

// stats returns numbers for Stats.
func (f *files) stats() (revoked uint64, pinned int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.revoked, f.pinned
}
