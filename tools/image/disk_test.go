package main

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"sync"
)

// blockSize is the unit that is kept or lost as a whole: a sector.
const blockSize = 512

// A disk is a disk whose power can be cut: a file that is only read, and the written blocks over it. Writes are in the
// cache until a flush, and a cut loses the same as on a real card with a volatile cache.
type disk struct {
	base io.ReaderAt
	size int64

	mu      sync.Mutex
	kept    map[int64][]byte // blocks on the medium, by their number
	cached  map[int64][]byte // blocks that a cut may lose
	written int64            // bytes, since the disk was made
	flushes int64

	dice    *rand.Rand // of the samples; nil for none
	every   int
	samples []*disk
}

// newDisk returns a disk of a size in bytes, a multiple of the block size. Behind the end of base are zeros.
func newDisk(base io.ReaderAt, size int64) *disk {
	return &disk{base: base, size: size, kept: map[int64][]byte{}, cached: map[int64][]byte{}}
}

// Size is the disk's length in bytes.
func (d *disk) Size() int64 { return d.size }

// Base is what the disk was made from.
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

// each cuts p, which is at a place of the disk, into the parts that are each in one block.
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

// block returns a block's content, which may not be changed.
func (d *disk) block(n int64) []byte {
	if b, ok := d.cached[n]; ok {
		return b
	}
	if b, ok := d.kept[n]; ok {
		return b
	}
	b := make([]byte, blockSize)
	_, _ = d.base.ReadAt(b, n*blockSize) // behind the end it leaves zeros
	return b
}

// Changes writes the blocks that were written between two places of the disk to a copy of that part.
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

// Flush puts everything on the medium.
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

// Cut is the end of the power: some of the blocks in the cache are on the medium, in no order, and the others keep
// their old content. It returns how many of them were lost.
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

// Sample has the disk keep, for one in so many blocks written and flushes, what a power cut at this moment
// would leave. 0 ends it.
func (d *disk) Sample(r *rand.Rand, every int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dice, d.every = r, every
}

// sample may take one. The caller holds mu.
func (d *disk) sample() {
	if d.every == 0 || d.dice.IntN(d.every) != 0 {
		return
	}
	c := &disk{base: d.base, size: d.size, kept: maps.Clone(d.kept), cached: maps.Clone(d.cached)}
	c.Cut(d.dice)
	d.samples = append(d.samples, c)
}

// Samples returns the samples taken since the last call as separate disks.
func (d *disk) Samples() []*disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := d.samples
	d.samples = nil
	return all
}

// Written returns how many bytes were written and how often the cache was flushed, since the disk was made.
func (d *disk) Written() (bytes, flushes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.written, d.flushes
}
