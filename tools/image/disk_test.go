package main

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"sync"
)

// blockSize is the size of a sector. A power cut keeps or loses a sector as a whole.
const blockSize = 512

// A disk is an emulated disk whose power can be cut. It consists of a read-only file and the blocks that were written since. Written
// blocks are in a cache until a flush. A cut loses blocks of this cache, as on a real card with a volatile cache.
type disk struct {
	base io.ReaderAt
	size int64

	mu      sync.Mutex
	kept    map[int64][]byte // blocks on the medium, by their number
	cached  map[int64][]byte // blocks that a cut may lose
	written int64            // number of bytes written since the disk was made
	flushes int64

	dice    *rand.Rand // chooses the moments of samples, or nil for no samples
	every   int
	samples []*disk
}

// newDisk returns a disk of a size in bytes, a multiple of the block size. The disk contains zeros behind the end of `base`.
func newDisk(base io.ReaderAt, size int64) *disk {
	return &disk{base: base, size: size, kept: map[int64][]byte{}, cached: map[int64][]byte{}}
}

// Size returns the disk's length in bytes.
func (d *disk) Size() int64 { return d.size }

// Base returns the file that the disk was created from.
func (d *disk) Base() io.ReaderAt { return d.base }

// ReadAt reads the last written data, as the machine sees it.
func (d *disk) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 || at+int64(len(p)) > d.size {
		return 0, fmt.Errorf("nbd: read of %d bytes at %d: %w", len(p), at, io.EOF)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(p), d.each(p, at, func(block int64, from int, part []byte) error {
		copy(part, d.block(block)[from:])
		return nil
	})
}

// WriteAt writes into the cache.
func (d *disk) WriteAt(p []byte, at int64) (int, error) {
	if at < 0 || at+int64(len(p)) > d.size {
		return 0, fmt.Errorf("nbd: write of %d bytes at %d: %w", len(p), at, io.ErrShortWrite)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.written += int64(len(p))
	return len(p), d.each(p, at, func(block int64, from int, part []byte) error {
		b := make([]byte, blockSize)
		if len(part) < blockSize {
			copy(b, d.block(block))
		}
		copy(b[from:], part)
		d.cached[block] = b
		d.sample()
		return nil
	})
}

// each() divides p, which begins at an offset of the disk, into parts that lie in one block each, and calls `do` for each part.
func (d *disk) each(p []byte, at int64, do func(block int64, from int, part []byte) error) error {
	for len(p) > 0 {
		from := int(at % blockSize)
		n := min(blockSize-from, len(p))
		if err := do(at/blockSize, from, p[:n]); err != nil {
			return err
		}
		p, at = p[n:], at+int64(n)
	}
	return nil
}

// block returns a block's content. The caller must not change it.
func (d *disk) block(n int64) []byte {
	if b, ok := d.cached[n]; ok {
		return b
	}
	if b, ok := d.kept[n]; ok {
		return b
	}
	b := make([]byte, blockSize)
	_, _ = d.base.ReadAt(b, n*blockSize) // bytes after the end are zeros
	return b
}

// Changes writes the written blocks in a part of the disk to a copy of this part. `start` and `size` describe the part, in bytes.
func (d *disk) Changes(copy io.WriterAt, start, size int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, blocks := range []map[int64][]byte{d.kept, d.cached} {
		for n, b := range blocks {
			at := n*blockSize - start
			if at < 0 || at >= size {
				continue
			}
			if _, err := copy.WriteAt(b, at); err != nil {
				return err
			}
		}
	}
	return nil
}

// Flush moves all cached blocks to the medium.
func (d *disk) Flush() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.flushes++
	d.sample()
	for n, b := range d.cached {
		d.kept[n] = b
	}
	clear(d.cached)
}

// Cut simulates a power cut. A random part of the cached blocks reaches the medium. The other blocks keep their old content. Cut returns
// the number of lost blocks and the number of cached blocks.
func (d *disk) Cut(r *rand.Rand) (lost, cached int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	cached = len(d.cached)
	for n, b := range d.cached {
		if r.IntN(2) == 0 {
			d.kept[n] = b
		} else {
			lost++
		}
	}
	clear(d.cached)
	return lost, cached
}

// Sample makes the disk record states that a power cut would leave. On average it records one state for every `every` writes of a block
// and flushes. If `every` is 0, the recording ends.
func (d *disk) Sample(r *rand.Rand, every int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dice, d.every = r, every
}

// sample decides at random whether to record a state. The caller must hold mu.
func (d *disk) sample() {
	if d.every == 0 || d.dice.IntN(d.every) != 0 {
		return
	}
	c := &disk{base: d.base, size: d.size, kept: maps.Clone(d.kept), cached: maps.Clone(d.cached)}
	c.Cut(d.dice)
	d.samples = append(d.samples, c)
}

// Samples returns the states that were recorded since the last call, each as a separate disk.
func (d *disk) Samples() []*disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := d.samples
	d.samples = nil
	return all
}

// Written returns the number of bytes written and the number of flushes since the disk was created.
func (d *disk) Written() (bytes, flushes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.written, d.flushes
}
