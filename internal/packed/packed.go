// Package packed reads compressed files that are part of the program. A File is a large file in compressed blocks and can be read at any
// offset. tools/fonts/fonts.py writes such files. A folder is a set of small files.
package packed

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"sync"
)

// blockBytes is the uncompressed size of a block in bytes. The last block may be smaller.
const blockBytes = 16 << 10

var errBroken = errors.New("packed: broken file")

// A File is an io.ReaderAt with one uncompressed block in memory. It is safe for concurrent use.
type File struct {
	size int64
	ends []byte // ends of the blocks in data, as 32-bit numbers, little-endian
	data []byte // blocks, compressed with RFC 1951

	mu    sync.Mutex
	z     io.ReadCloser // nil until a block is loaded
	src   bytes.Reader
	at    int // index of the block in memory
	block []byte
}

// New returns the file in b. It does not copy b. b contains the length of the file, the ends of the blocks, and the blocks.
func New(b []byte) (*File, error) {
	if len(b) < 4 {
		return nil, errBroken
	}
	size := int64(binary.LittleEndian.Uint32(b))
	table := 4 * ((size + blockBytes - 1) / blockBytes)
	if int64(len(b)-4) < table {
		return nil, errBroken
	}
	return &File{size: size, ends: b[4 : 4+table], data: b[4+table:], at: -1}, nil
}

// Size returns the file's uncompressed size in bytes.
func (f *File) Size() int64 { return f.size }

// ReadAt implements io.ReaderAt.
func (f *File) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, errors.New("packed: negative offset")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for n < len(p) {
		if off >= f.size {
			return n, io.EOF
		}
		if err := f.load(int(off / blockBytes)); err != nil {
			return n, err
		}
		m := copy(p[n:], f.block[off%blockBytes:])
		n, off = n+m, off+int64(m)
	}
	return n, nil
}

// load decompresses block i into memory.
func (f *File) load(i int) error {
	if i == f.at {
		return nil
	}
	start := 0
	if i > 0 {
		start = f.end(i - 1)
	}
	if start > f.end(i) || f.end(i) > len(f.data) {
		return errBroken
	}
	f.src.Reset(f.data[start:f.end(i)])
	if f.z == nil {
		f.z, f.block = flate.NewReader(&f.src), make([]byte, 0, blockBytes)
	} else if err := f.z.(flate.Resetter).Reset(&f.src, nil); err != nil {
		return err
	}
	f.at = -1
	f.block = f.block[:min(blockBytes, f.size-int64(i)*blockBytes)]
	if _, err := io.ReadFull(f.z, f.block); err != nil {
		return errBroken
	}
	f.at = i
	return nil
}

func (f *File) end(i int) int { return int(binary.LittleEndian.Uint32(f.ends[4*i:])) }
