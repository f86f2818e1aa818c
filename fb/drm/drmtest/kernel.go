// Package drmtest provides a simulated card that answers like the kernel. It reads its arguments by the offsets of
// include/uapi/drm, and not with package drm's structures, so that each package checks the other.
package drmtest

import (
	"image"
	"sync"
	"syscall"
)

// Ids of the only connector and its CRTC.
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

// A Kernel is a card with one connector. Set its fields before it is used, or with Do.
type Kernel struct {
	mu sync.Mutex

	Modes      []image.Point // sizes, all at 60 frames a second. The first is preferred
	Plugged    bool
	EDID       []byte
	GammaSize  int  // number of steps in the CRTC's curves (0 for none)
	Taken      bool // true if another program is the master
	Gone       bool // every request fails with ENODEV
	NoFlush    bool // as vc4
	Unmoved    int  // number of times that a property keeps its value when it is set
	LinkBad    bool // the link to the screen has failed, until a mode is set
	MaxHeight  int  // greatest height of a frame buffer (0: any)
	Pad        int  // padding bytes at the end of each row
	Properties map[uint32]uint64
	OnProbe    func(plugged bool) // called when the cable is probed. May be nil
	Before     []byte             // the console in the first mode, shown until a mode is set, without row padding (nil: nothing)

	memory  map[uint32][]byte // by handle
	buffers map[uint32]buffer // by fb
	mapped  int
	last    uint32
	shown   uint32 // fb
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

// Do changes fields between two requests.
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

// Sets returns how often a mode was set.
func (k *Kernel) Sets() int { k.mu.Lock(); defer k.mu.Unlock(); return k.sets }

// Darks returns how often the signal was ended.
func (k *Kernel) Darks() int { k.mu.Lock(); defer k.mu.Unlock(); return k.darks }

// Row returns the first visible row.
func (k *Kernel) Row() int { k.mu.Lock(); defer k.mu.Unlock(); return k.row }

// IsMaster reports whether a program is the master.
func (k *Kernel) IsMaster() bool { k.mu.Lock(); defer k.mu.Unlock(); return k.master }

// Left returns the number of mappings, buffers and frame buffers that were not released.
func (k *Kernel) Left() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.mapped + len(k.memory) + len(k.buffers)
}

// Shown returns the memory on the screen and the number of bytes in a row, or nil if the screen is dark or has no signal.
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

// before reports whether the screen still shows the console.
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
