// Package delta makes a root file system from an older root file system and a small delta file.
//
// A delta file is a sequence of pieces of at most 4 MiB of the result. Each piece contains the differences from similar parts of the older
// file system, in compressed form (Zstandard, RFC 8878). Differences are numbers of 32 bits, because most of them are in addresses of
// machine code, and many addresses change by the same number. The delta file does not have to be trusted. A changed delta file gives
// another result, and the caller knows the SHA-256 sum of the right result from a signed manifest.
package delta

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/klauspost/compress/zstd"
)

const (
	// pieceSize is the size of a piece of the result, in bytes.
	pieceSize = 4 << 20
	// windowSize is the size in bytes of the part of the older file system that a piece may refer to.
	windowSize = 8 << 20
	// maxRuns is the maximum size of the list of runs of a piece, in bytes.
	maxRuns = 1 << 20
	// maxPacked is the maximum size of a compressed piece, in bytes. A piece that cannot be compressed becomes a little larger.
	maxPacked = pieceSize + maxRuns + 64<<10

	magic = "DASHBOARD-DELTA-2"
)

// Step is the size of a piece of the result, in bytes. An interrupted result can be continued at a multiple of Step.
const Step = pieceSize

// A header is the beginning of a delta file, in little endian.
type header struct {
	Magic  [len(magic)]byte
	Size   int64             // size of the result, in bytes
	Old    int64             // size of the older file system, in bytes
	OldSum [sha256.Size]byte // sum of the older file system
	NewSum [sha256.Size]byte // sum of the result
}

// A part is the header of a piece. The frame after it contains the differences, with the size of the piece, and then the list of runs.
// Three signed numbers (encoding/binary.AppendVarint) describe a run: the number of bytes between the previous run and this run, its
// length, and by how much the distance between piece and window grows. Outside of the runs, the differences are the bytes of the result.
type part struct {
	From   int64  // offset of the window in the older file system
	Packed uint32 // size of the following frame, in bytes
}

// Errors of a delta file that cannot be used.
var (
	ErrFormat = errors.New("the file is not an update of a root file system, or it is damaged")
	ErrOld    = errors.New("the update is for another version than the running one")
	ErrResult = errors.New("the result of the update is damaged")
)

// Info describes a delta file.
type Info struct {
	Size           int64 // size of the result, in bytes
	Old            int64 // size of the older file system, in bytes
	OldSum, NewSum [sha256.Size]byte
}

// Read reads the header of a delta file.
func Read(r io.Reader) (Info, error) {
	var h header
	if err := binary.Read(r, binary.LittleEndian, &h); err != nil {
		return Info{}, wrong(err)
	}
	if string(h.Magic[:]) != magic || h.Size < 0 || h.Old < 0 {
		return Info{}, ErrFormat
	}
	return Info{h.Size, h.Old, h.OldSum, h.NewSum}, nil
}

// Make writes a delta file to w. With this file, Apply makes the file system `fresh` out of the file system `old`. Make reads both file
// systems several times.
func Make(w io.Writer, old, fresh io.ReaderAt, oldSize, freshSize int64) error {
	h := header{Size: freshSize, Old: oldSize}
	copy(h.Magic[:], magic)
	for _, s := range []struct {
		of   io.ReaderAt
		size int64
		to   *[sha256.Size]byte
	}{{old, oldSize, &h.OldSum}, {fresh, freshSize, &h.NewSum}} {
		sum := sha256.New()
		if _, err := io.Copy(sum, io.NewSectionReader(s.of, 0, s.size)); err != nil {
			return err
		}
		sum.Sum(s.to[:0])
	}
	if err := binary.Write(w, binary.LittleEndian, &h); err != nil {
		return err
	}
	for at := int64(0); at < freshSize; at += pieceSize {
		if err := makePiece(w, old, fresh, oldSize, at, min(pieceSize, freshSize-at)); err != nil {
			return err
		}
	}
	return nil
}

// makePiece writes the piece at an offset of the result. It tries up to five windows of the older file system: the window at the same
// offset, two windows before and two windows after. It uses the window that resembles most bytes. Several windows help, because the content
// of a file may have moved when another file has grown.
func makePiece(w io.Writer, old, fresh io.ReaderAt, oldSize, at, size int64) error {
	piece := make([]byte, size)
	if _, err := fresh.ReadAt(piece, at); err != nil && err != io.EOF {
		return err
	}
	var window []byte
	var runs []run
	most, p := -1, part{}
	for _, shift := range []int64{0, -1, 1, -2, 2} {
		from := windowAt(at+shift*windowSize/2, oldSize)
		if most >= 0 && (from == p.From || most >= len(piece)/8*7) {
			continue // this window was tried before, or the piece is already similar enough
		}
		tried, err := readWindow(old, from, oldSize, nil)
		if err != nil {
			return err
		}
		found, n := newMatcher(piece, tried).runs(), 0
		for _, r := range found {
			n += r.n
		}
		if n > most {
			window, runs, most, p.From = tried, found, n, from
		}
	}
	packed, err := pack(differences(piece, window, runs))
	if err != nil {
		return err
	}
	p.Packed = uint32(len(packed))
	if err := binary.Write(w, binary.LittleEndian, &p); err != nil {
		return err
	}
	_, err = w.Write(packed)
	return err
}

// windowAt returns the beginning of the window around an offset.
func windowAt(at, oldSize int64) int64 {
	return max(0, min(at-(windowSize-pieceSize)/2, oldSize-windowSize))
}

// readWindow reads the window at an offset of the older file system into buf.
func readWindow(old io.ReaderAt, from, oldSize int64, buf []byte) ([]byte, error) {
	n := min(windowSize, oldSize-from)
	if from < 0 || n < 0 {
		return nil, ErrFormat
	}
	if int64(cap(buf)) < n {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	if _, err := old.ReadAt(buf, from); err != nil && err != io.EOF {
		return nil, err
	}
	return buf, nil
}

// differences returns the content of a piece's frame: the differences and the list of runs.
func differences(piece, window []byte, runs []run) []byte {
	out, end, shift := bytes.Clone(piece), 0, 0
	for _, r := range runs {
		if len(out) > len(piece)+maxRuns-3*binary.MaxVarintLen64 {
			break // the other bytes stay as they are
		}
		data, old := out[r.at:r.at+r.n], window[r.from:]
		for ; len(data) >= 4; data, old = data[4:], old[4:] {
			binary.LittleEndian.PutUint32(data, binary.LittleEndian.Uint32(data)-binary.LittleEndian.Uint32(old))
		}
		for i := range data {
			data[i] -= old[i]
		}
		for _, n := range []int{r.at - end, r.n, r.from - r.at - shift} {
			out = binary.AppendVarint(out, int64(n))
		}
		end, shift = r.at+r.n, r.from-r.at
	}
	return out
}

// pack compresses the content of a frame with the slowest level.
func pack(content []byte) ([]byte, error) {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(windowSize),
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, err
	}
	defer e.Close()
	return e.EncodeAll(content, nil), nil
}

// Apply writes the result of a delta file to w. `info` comes from Read, and the next bytes of `file` must be the bytes after the header.
// Apply needs memory for a window, a piece and the decoder, independent of the size of the file systems. After an error the caller must
// discard the result.
func Apply(w io.Writer, info Info, file io.Reader, old io.ReaderAt) error {
	sum := sha256.New()
	for piece, err := range Pieces(info, 0, file, old) {
		if err != nil {
			return err
		}
		sum.Write(piece)
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	if !bytes.Equal(sum.Sum(nil), info.NewSum[:]) {
		return ErrResult
	}
	return nil
}

// Pieces returns an iterator over the pieces of the result, from an offset at which a piece begins. The next bytes of `file` must be this
// piece. A piece is valid until the next iteration. The caller must verify the result. The sequence ends after an error.
func Pieces(info Info, at int64, file io.Reader, old io.ReaderAt) iter.Seq2[[]byte, error] {
	a := applier{info: info, old: old}
	return func(yield func([]byte, error) bool) {
		for ; at < info.Size; at += pieceSize {
			piece, err := a.next(file, min(pieceSize, info.Size-at))
			if err != nil {
				yield(nil, fmt.Errorf("byte %d of the result: %w", at, err))
				return
			}
			if !yield(piece, nil) {
				return
			}
		}
	}
}

// An applier has the buffers that all pieces share.
type applier struct {
	info    Info
	old     io.ReaderAt
	window  []byte
	packed  []byte
	content []byte // of the last frame
	piece   []byte // beginning of content
}

// next() returns the next piece. The piece is valid until the next call.
func (a *applier) next(file io.Reader, size int64) ([]byte, error) {
	var p part
	if err := binary.Read(file, binary.LittleEndian, &p); err != nil {
		return nil, wrong(err)
	}
	if p.Packed > maxPacked || p.From > a.info.Old {
		return nil, ErrFormat
	}
	if cap(a.packed) < int(p.Packed) {
		a.packed = make([]byte, p.Packed)
	}
	a.packed = a.packed[:p.Packed]
	if _, err := io.ReadFull(file, a.packed); err != nil {
		return nil, wrong(err)
	}
	var err error
	if a.window, err = readWindow(a.old, p.From, a.info.Old, a.window); err != nil {
		return nil, err
	}
	if err := a.unpack(size); err != nil {
		return nil, err
	}
	return a.piece, nil
}

// wrong() converts the error of a file that ends early to ErrFormat. It returns other errors of the reader unchanged.
func wrong(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return ErrFormat
	}
	return err
}

// unpack decompresses the piece, which must have the given size, and adds the runs of the window to it.
func (a *applier) unpack(size int64) error {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(pieceSize+maxRuns), zstd.WithDecoderMaxWindow(windowSize))
	if err != nil {
		return err
	}
	defer d.Close()
	if a.content, err = d.DecodeAll(a.packed, a.content[:0]); err != nil || int64(len(a.content)) < size {
		return ErrFormat
	}
	a.piece = a.content[:size]
	return add(a.piece, a.window, a.content[size:])
}

// add adds parts of the window to the differences, as the list of runs describes. The differences become a piece of the result.
func add(piece, window, list []byte) error {
	var at, shift int64
	for len(list) > 0 {
		var values [3]int64
		for i := range values {
			v, n := binary.Varint(list)
			if n <= 0 {
				return ErrFormat
			}
			values[i], list = v, list[n:]
		}
		skip, n, left := values[0], values[1], int64(len(piece))-at
		if skip < 0 || n < 0 || skip > left || n > left-skip {
			return ErrFormat
		}
		at, shift = at+skip, shift+values[2]
		from := at + shift
		if from < 0 || from > int64(len(window))-n {
			return ErrFormat
		}
		addTo(piece[at:at+n], window[from:from+n])
		at += n
	}
	return nil
}

// addTo adds the numbers of 32 bits in `old` to the numbers in `data`. The last bytes are numbers of 8 bits.
func addTo(data, old []byte) {
	for ; len(data) >= 4; data, old = data[4:], old[4:] {
		binary.LittleEndian.PutUint32(data, binary.LittleEndian.Uint32(data)+binary.LittleEndian.Uint32(old))
	}
	for i := range data {
		data[i] += old[i]
	}
}
