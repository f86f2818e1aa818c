// Package drmtest provides a simulated card that answers like the kernel. It reads requests by the offsets in include/uapi/drm, and does
// not use the structures of package drm. So each package checks the other.
package drmtest

import (
	"image"
	"sync"
	"syscall"
)

// Ids of the only connector and the only CRTC.
const (
	connectorID = 31
	encoderID   = 41
	crtcID      = 51
	edidBlob    = 61
	propEDID    = 71
	propDPMS    = 72
	propRange   = 73
	propLink    = 74
)

// A Kernel is a simulated card with one connector. Set its fields before the first request, or inside Do.
type Kernel struct {
	mu sync.Mutex

	Modes      []image.Point // sizes of the modes, all with 60 frames a second. The first mode is preferred
	Plugged    bool
	EDID       []byte
	GammaSize  int  // steps in the CRTC's curves, or 0 if there are no curves
	Taken      bool // true if another program is the master
	Gone       bool // true if every request fails with ENODEV
	NoFlush    bool // true if flushing is unsupported, as with vc4
	Unmoved    int  // number of times that setting a property has no effect
	LinkBad    bool // true if the link to the screen has failed and no mode was set since then
	MaxHeight  int  // greatest height of a frame buffer, or 0 for any height
	Pad        int  // padding bytes at the end of each row
	Properties map[uint32]uint64
	OnProbe    func(plugged bool) // called when the cable is probed, or nil
	Before     []byte             // pixels of the console, without padding. They are visible until a mode is set. nil: no console

	memory  map[uint32][]byte // memory of dumb buffers, by their handles
	buffers map[uint32]buffer // frame buffers, by their ids
	mapped  int
	last    uint32
	shown   uint32 // id of the visible frame buffer
	row     int
	mode    image.Point
	clips   []image.Rectangle // rectangles of the latest flush
	flushes int
	sets    int
	darks   int
	gamma   []uint16
	master  bool
}

// A buffer is a frame buffer.
type buffer struct {
	width, height, pitch int
	handle               uint32
	format               uint32
}

// Do calls f between two requests. f may change the fields of the Kernel.
func (k *Kernel) Do(f func(k *Kernel)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f(k)
}

// Clips returns the rectangles of the latest flush.
func (k *Kernel) Clips() []image.Rectangle {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]image.Rectangle(nil), k.clips...)
}

// Flushes returns the number of flushes.
func (k *Kernel) Flushes() int { k.mu.Lock(); defer k.mu.Unlock(); return k.flushes }

// Sets returns the number of times that a mode was set.
func (k *Kernel) Sets() int { k.mu.Lock(); defer k.mu.Unlock(); return k.sets }

// Darks returns the number of times that the signal was switched off.
func (k *Kernel) Darks() int { k.mu.Lock(); defer k.mu.Unlock(); return k.darks }

// Row returns the row of the memory that is at the top of the screen.
func (k *Kernel) Row() int { k.mu.Lock(); defer k.mu.Unlock(); return k.row }

// IsMaster reports whether the program under test is the master.
func (k *Kernel) IsMaster() bool { k.mu.Lock(); defer k.mu.Unlock(); return k.master }

// Left returns how many mappings, buffers and frame buffers have not been released.
func (k *Kernel) Left() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.mapped + len(k.memory) + len(k.buffers)
}

// Shown returns the visible memory, and the number of bytes in a row. It returns nil if the screen is off or has no signal.
func (k *Kernel) Shown() ([]byte, int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.before() && k.Properties[propDPMS] == 0 {
		return k.Before, 4 * k.Modes[0].X
	}
	b, ok := k.buffers[k.shown]
	if !ok || k.Properties[propDPMS] != 0 {
		return nil, 0
	}
	return k.memory[b.handle][k.row*b.pitch:], b.pitch
}

// before() reports whether the console is still visible.
func (k *Kernel) before() bool { return k.Before != nil && k.sets+k.darks == 0 }

// Mode returns the size of the current mode.
func (k *Kernel) Mode() image.Point { k.mu.Lock(); defer k.mu.Unlock(); return k.mode }

// Mmap implements drm.Node.
func (k *Kernel) Mmap(offset int64, size int) ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	m, ok := k.memory[uint32(offset>>32)]
	if !ok || size > len(m) {
		return nil, syscall.EINVAL
	}
	k.mapped++
	return m, nil
}

// Munmap implements drm.Node.
func (k *Kernel) Munmap([]byte) error { k.mu.Lock(); defer k.mu.Unlock(); k.mapped--; return nil }

// Close implements drm.Node.
func (k *Kernel) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.master, k.memory, k.buffers, k.shown = false, nil, nil, 0
	return nil
}

// Same implements drm.Node.
func (k *Kernel) Same() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.Gone {
		return syscall.ENOENT
	}
	return nil
}
