package folder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxChunk is the maximum number of bytes that one call reads. Each call has its own buffer, because a read that hangs may end after its
// caller has given up.
const maxChunk = 256 << 10

// A file is an open regular file. It is not safe for concurrent use.
type file struct {
	root *Root
	name string
	file *os.File
	dead bool // true after a call that hangs. The file must not be used any more
}

// Stat implements fs.File.
func (f *file) Stat() (fs.FileInfo, error) {
	if f.dead {
		return nil, &fs.PathError{Op: "stat", Path: f.name, Err: ErrHung}
	}
	info, err := within(f.root, "stat", f.name, f.file.Stat, nil)
	f.dead = errors.Is(err, ErrHung)
	return info, err
}

// Read implements fs.File.
func (f *file) Read(p []byte) (int, error) {
	if f.dead {
		return 0, &fs.PathError{Op: "read", Path: f.name, Err: ErrHung}
	}
	if len(p) == 0 {
		return 0, nil
	}
	own := make([]byte, min(len(p), maxChunk))
	n, err := within(f.root, "read", f.name, func() (int, error) { return f.file.Read(own) }, nil)
	if f.dead = errors.Is(err, ErrHung); f.dead {
		return 0, err
	}
	return copy(p, own[:n]), err
}

// ReadAt implements io.ReaderAt.
func (f *file) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) && err == nil {
		if f.dead {
			return n, &fs.PathError{Op: "read", Path: f.name, Err: ErrHung}
		}
		own := make([]byte, min(len(p)-n, maxChunk))
		at := off + int64(n)
		var k int
		k, err = within(f.root, "read", f.name, func() (int, error) { return f.file.ReadAt(own, at) }, nil)
		if f.dead = errors.Is(err, ErrHung); f.dead {
			return n, err
		}
		n += copy(p[n:], own[:k])
	}
	if n == len(p) {
		err = nil
	}
	return n, err
}

// Close implements fs.File. If a call is still running, the file is closed later by the garbage collector.
func (f *file) Close() error {
	if f.dead {
		return nil
	}
	return f.file.Close()
}

// TooLong is the error for a file with more bytes than the limit.
type TooLong struct {
	Limit int64 // limit in bytes
}

// Error implements error.
func (e *TooLong) Error() string { return fmt.Sprintf("longer than %d bytes", e.Limit) }

// Read reads a whole file of at most `limit` bytes. Errors are of type *fs.PathError. If the file is longer, the error wraps a [TooLong].
func Read(fsys fs.FS, name string, limit int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := readAll(f, limit)
	if int64(len(data)) > limit {
		return nil, &fs.PathError{Op: "read", Path: name, Err: &TooLong{limit}}
	}
	return data, pathError("read", name, err)
}

// readAll reads at most one byte more than the limit. The buffer has the size that the file system reports. If this size is wrong, the
// buffer grows.
func readAll(f fs.File, limit int64) ([]byte, error) {
	const guess = 512 // first size of the buffer in bytes, for a file without a known size
	size := int64(guess)
	if info, err := f.Stat(); err == nil {
		size = max(guess, min(info.Size(), limit)+1)
	}
	data := make([]byte, 0, size)
	for int64(len(data)) <= limit {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := f.Read(data[len(data):min(int64(cap(data)), limit+1)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return data, nil
}

// Reason returns the cause of an error of a file, without the file's name.
func Reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
