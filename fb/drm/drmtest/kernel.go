// Package drmtest has a card in memory, which answers as the kernel does. It reads its arguments by the offsets of
// include/uapi/drm, not by package drm's structures: each checks the other.
package drmtest

import (
	"image"
	"sync"
	"syscall"
)

// Numbers of the one connector and its CRTC.
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

// A Kernel is a card with one connector. Its fields are set before it is used or through Do.
type Kernel struct {
	mu sync.Mutex

	Modes      []image.Point // at 60 frames a second. The first is preferred
	Plugged    bool
	EDID       []byte
	GammaSize  int  // steps of the CRTC's curves (0 for none)
	Taken      bool // another program is the master
	Gone       bool // every request fails with ENODEV
	NoFlush    bool // as vc4
	Unmoved    int  // that many properties keep their value when set
	LinkBad    bool // the link to the screen has failed, until a mode is set
	MaxHeight  int  // of a frame buffer (0: any)
	Pad        int  // bytes at the end of each row
	Properties map[uint32]uint64
	OnProbe    func(plugged bool) // the cable is looked at. May be nil
	Before     []byte             // the console in the first mode before a mode is set, without row padding (nil: nothing)

	memory  map[uint32][]byte // by handle
	buffers map[uint32]buffer // by fb
	mapped  int
	last    uint32
	shown   uint32 // fb
	row     int
	mode    image.Point
	clips   []image.Rectangle // of the latest flush
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

// Do changes something between two requests.
func (k *Kernel) Do(f func(k *Kernel)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f(k)
}

// Clips are the rectangles of the latest flush, and Flushes and Sets how many of them there were, and of modes.
func (k *Kernel) Clips() []image.Rectangle {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]image.Rectangle(nil), k.clips...)
}

// Flushes counts the reported changes.
func (k *Kernel) Flushes() int { k.mu.Lock(); defer k.mu.Unlock(); return k.flushes }

// Sets is how often a mode was set.
func (k *Kernel) Sets() int { k.mu.Lock(); defer k.mu.Unlock(); return k.sets }

// Darks is how often the signal was ended.
func (k *Kernel) Darks() int { k.mu.Lock(); defer k.mu.Unlock(); return k.darks }

// Row is the first row that is shown.
func (k *Kernel) Row() int { k.mu.Lock(); defer k.mu.Unlock(); return k.row }

// IsMaster reports whether the card was taken.
func (k *Kernel) IsMaster() bool { k.mu.Lock(); defer k.mu.Unlock(); return k.master }

// Left is how much was not given back: mappings, buffers and frame buffers.
func (k *Kernel) Left() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.mapped + len(k.memory) + len(k.buffers)
}

// Shown is the memory on the screen and the bytes of its rows, or nil if it is dark or has no signal.
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

// before reports whether the console is on the screen still.
func (k *Kernel) before() bool { return k.Before != nil && k.sets+k.darks == 0 }

// Mode is the size that is set.
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
