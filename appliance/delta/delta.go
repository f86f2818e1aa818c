// Package delta makes a root file system from an older root file system and a small delta file.
//
// A delta file is a sequence of pieces of at most 4 MiB of the result. Each piece is compressed with a part of the older file system as the
// dictionary (Zstandard, RFC 8878, section 5). The delta file does not have to be trusted. A changed delta file gives another result, and
// the caller knows the SHA-256 sum of the right result from a signed manifest.
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
	// maxPacked is the maximum size of a compressed piece, in bytes. A piece that cannot be compressed becomes a little larger.
	maxPacked = pieceSize + 64<<10
	// dictionary is the dictionary's ID in the Zstandard frames. Its value has no meaning.
	dictionary = 1

	magic = "DASHBOARD-DELTA-1"
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

// A part is the header of a piece.
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
// systems several times. For a root file system of 70 MB, Make needs about 20 s.
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
// offset, two windows before and two windows after. It compresses the piece with each window and writes the smallest result. Several
// windows help, because the content of a file may have moved when another file has grown.
func makePiece(w io.Writer, old, fresh io.ReaderAt, oldSize, at, size int64) error {
	piece := make([]byte, size)
	if _, err := fresh.ReadAt(piece, at); err != nil && err != io.EOF {
		return err
	}
	var best []byte
	var p part
	for i, shift := range []int64{0, -1, 1, -2, 2} {
		from := windowAt(at+shift*windowSize/2, oldSize)
		if i > 0 && (from == p.From || len(best) < pieceSize/64) {
			continue // this window was tried before, or the piece is already small enough
		}
		window, err := readWindow(old, from, oldSize, nil)
		if err != nil {
			return err
		}
		packed, err := pack(piece, window)
		if err != nil {
			return err
		}
		if i == 0 || len(packed) < len(best) {
			best, p = packed, part{From: from, Packed: uint32(len(packed))}
		}
	}
	if err := binary.Write(w, binary.LittleEndian, &p); err != nil {
		return err
	}
	_, err := w.Write(best)
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

// pack compresses a piece with a window as its dictionary. It uses the slowest level, because faster levels find few matches in a large
// dictionary.
func pack(piece, window []byte) ([]byte, error) {
	options := []zstd.EOption{
		zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(2 * windowSize), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false),
	}
	if len(window) > 0 {
		options = append(options, zstd.WithEncoderDictRaw(dictionary, window))
	}
	e, err := zstd.NewWriter(nil, options...)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	return e.EncodeAll(piece, nil), nil
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
	info   Info
	old    io.ReaderAt
	window []byte
	packed []byte
	piece  []byte
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

// unpack decompresses the piece, which must have the given size.
func (a *applier) unpack(size int64) error {
	options := []zstd.DOption{
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(pieceSize),
		zstd.WithDecoderMaxWindow(2 * windowSize),
	}
	if len(a.window) > 0 {
		options = append(options, zstd.WithDecoderDictRaw(dictionary, a.window))
	}
	d, err := zstd.NewReader(nil, options...)
	if err != nil {
		return err
	}
	defer d.Close()
	if a.piece, err = d.DecodeAll(a.packed, a.piece[:0]); err != nil || int64(len(a.piece)) != size {
		return ErrFormat
	}
	return nil
}
