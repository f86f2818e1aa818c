// Package drmtest has a card in memory, which answers as the kernel does. It reads what it is handed by the offsets of
// include/uapi/drm, not by package drm's structures: each checks the other.
package drmtest

import (
	"encoding/binary"
	"image"
	"sync"
	"syscall"
	"unsafe"
)

// Numbers of the one connector and of what is behind it.
const (
	connectorID = 31
	encoderID   = 41
	crtcID      = 51
	edidBlob    = 61
	propEDID    = 71
	propDPMS    = 72
	propRange   = 73
)

// A Kernel is a card with one connector. Its fields are set before it is used or through Do.
type Kernel struct {
	mu sync.Mutex

	Modes      []image.Point // at 60 frames a second; the first is preferred
	Plugged    bool
	EDID       []byte
	GammaSize  int  // steps of the CRTC's curves; 0 for none
	Taken      bool // another program is the master
	Gone       bool // every request fails with ENODEV
	NoFlush    bool // as vc4
	MaxHeight  int  // of a frame buffer; 0: any
	Pad        int  // bytes at the end of each row
	Properties map[uint32]uint64
	OnProbe    func(plugged bool) // the cable is looked at; may be nil

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

// Flushes is how often changes were told.
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

// Shown is the memory on the screen and the bytes of its rows; nil if it is dark or has no signal.
func (k *Kernel) Shown() ([]byte, int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	b, ok := k.buffers[k.shown]
	if !ok || k.Properties[propDPMS] != 0 {
		return nil, 0
	}
	return k.memory[b.handle][k.row*b.pitch:], b.pitch
}

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

// A message is what a request is handed.
type message []byte

func (m message) u32(at int) uint32      { return binary.NativeEndian.Uint32(m[at:]) }
func (m message) u64(at int) uint64      { return binary.NativeEndian.Uint64(m[at:]) }
func (m message) put32(at int, v uint32) { binary.NativeEndian.PutUint32(m[at:], v) }
func (m message) put64(at int, v uint64) { binary.NativeEndian.PutUint64(m[at:], v) }

// array is memory that a message points to.
func (m message) array(at, n int) message {
	word := m.u64(at)
	p := *(*unsafe.Pointer)(unsafe.Pointer(&word)) // little endian: the low word on 32-bit machines
	return unsafe.Slice((*byte)(p), n)
}

// Ioctl implements drm.Node.
func (k *Kernel) Ioctl(request uint32, arg unsafe.Pointer) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.Gone {
		return syscall.ENODEV
	}
	var m message
	if arg != nil {
		m = unsafe.Slice((*byte)(arg), request>>16&0x3fff)
	}
	switch request & 0xff {
	case 0x1e: // SET_MASTER
		if k.Taken {
			return syscall.EBUSY
		}
		k.master = true
		return nil
	case 0x1f: // DROP_MASTER
		k.master = false
		return nil
	case 0x0c: // GET_CAP
		m.put64(8, 1)
		return nil
	case 0xa0:
		return k.resources(m)
	case 0xa1: // GETCRTC
		m.put32(28, uint32(k.GammaSize))
		return nil
	case 0xa5: // SETGAMMA
		return k.setGamma(m)
	case 0xa6: // GETENCODER
		m.put32(12, 1)
		return nil
	case 0xa7:
		return k.connector(m)
	case 0xaa:
		return k.property(m)
	case 0xac: // GETPROPBLOB
		if m.u32(0) != edidBlob {
			return syscall.ENOENT
		}
		if int(m.u32(4)) == len(k.EDID) {
			copy(m.array(8, len(k.EDID)), k.EDID)
		}
		m.put32(4, uint32(len(k.EDID)))
		return nil
	}
	return k.memoryRequest(request, m)
}

func (k *Kernel) memoryRequest(request uint32, m message) error {
	switch request & 0xff {
	case 0xb2:
		return k.createDumb(m)
	case 0xb3: // MAP_DUMB
		m.put64(8, uint64(m.u32(0))<<32)
		return nil
	case 0xb4: // DESTROY_DUMB
		delete(k.memory, m.u32(0))
		return nil
	case 0xb8:
		return k.addFB(m)
	case 0xaf: // RMFB
		if m.u32(0) == k.shown {
			k.shown = 0
		}
		delete(k.buffers, m.u32(0))
		return nil
	}
	if !k.master || k.Taken {
		return syscall.EACCES
	}
	switch request & 0xff {
	case 0xa2:
		return k.setCRTC(m)
	case 0xb1:
		return k.dirty(m)
	case 0xab: // SETPROPERTY
		k.set(m.u32(8), m.u64(0))
		return nil
	}
	return syscall.EINVAL
}

func (k *Kernel) set(property uint32, v uint64) {
	if k.Properties == nil {
		k.Properties = map[uint32]uint64{}
	}
	k.Properties[property] = v
}

// Gamma is what a CRTC's curves end with, of each channel; nil if none were set.
func (k *Kernel) Gamma() []uint16 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]uint16(nil), k.gamma...)
}

func (k *Kernel) setGamma(m message) error {
	if n := int(m.u32(4)); n == 0 || n != k.GammaSize || m.u32(0) != crtcID {
		return syscall.EINVAL
	}
	k.gamma = nil
	for at := 8; at < 32; at += 8 {
		curve := m.array(at, 2*k.GammaSize)
		for i := 2; i < len(curve); i += 2 {
			if binary.NativeEndian.Uint16(curve[i:]) < binary.NativeEndian.Uint16(curve[i-2:]) {
				return syscall.EINVAL // it goes down
			}
		}
		k.gamma = append(k.gamma, binary.NativeEndian.Uint16(curve[len(curve)-2:]))
	}
	return nil
}

func (k *Kernel) resources(m message) error {
	if m.u32(36) > 0 {
		m.array(8, 4).put32(0, crtcID)
	}
	if m.u32(40) > 0 {
		m.array(16, 4).put32(0, connectorID)
	}
	m.put32(36, 1)
	m.put32(40, 1)
	return nil
}

// ConnectorName is the name of the connector.
const ConnectorName = "HDMI-A-1"

func (k *Kernel) connector(m message) error {
	if m.u32(48) != connectorID {
		return syscall.ENOENT
	}
	if m.u32(32) == 0 && k.OnProbe != nil {
		k.OnProbe(k.Plugged)
	}
	var modes []image.Point
	if k.Plugged {
		modes = k.Modes
	}
	if n := int(m.u32(32)); n >= len(modes) && n > 0 {
		to := m.array(8, n*68)
		for i, size := range modes {
			k.modeInfo(to[i*68:], size, i == 0)
		}
	}
	if n := int(m.u32(36)); n >= 3 {
		ids, values := m.array(16, 12), m.array(24, 24)
		edid := uint64(0)
		if len(k.EDID) > 0 && k.Plugged {
			edid = edidBlob
		}
		for i, v := range []uint64{edid, k.Properties[propDPMS], k.Properties[propRange]} {
			ids.put32(4*i, propEDID+uint32(i))
			values.put64(8*i, v)
		}
	}
	if m.u32(40) > 0 {
		m.array(0, 4).put32(0, encoderID)
	}
	m.put32(32, uint32(len(modes)))
	m.put32(36, 3)
	m.put32(40, 1)
	m.put32(44, encoderID)
	m.put32(52, 11)
	m.put32(56, 1)
	m.put32(60, 2)
	if k.Plugged {
		m.put32(60, 1)
	}
	return nil
}

func (k *Kernel) modeInfo(to message, size image.Point, preferred bool) {
	w, h := size.X, size.Y
	to.put32(0, uint32((w+160)*(h+30)*60/1000))
	binary.NativeEndian.PutUint16(to[4:], uint16(w))
	binary.NativeEndian.PutUint16(to[10:], uint16(w+160))
	binary.NativeEndian.PutUint16(to[14:], uint16(h))
	binary.NativeEndian.PutUint16(to[20:], uint16(h+30))
	to.put32(24, 60)
	to.put32(32, 0)
	if preferred {
		to.put32(32, 8)
	}
}

func (k *Kernel) property(m message) error {
	label := map[uint32]string{propEDID: "EDID", propDPMS: "DPMS", propRange: "Broadcast RGB"}[m.u32(16)]
	if label == "" {
		return syscall.ENOENT
	}
	clear(m[24:56])
	copy(m[24:56], label)
	if label != "Broadcast RGB" {
		return nil
	}
	names := []string{"Automatic", "Full", "Limited 16:235"}
	m.put32(20, 8)
	if int(m.u32(60)) >= len(names) {
		to := m.array(8, 40*len(names))
		for i, n := range names {
			to.put64(40*i, uint64(i))
			copy(to[40*i+8:], n)
		}
	}
	m.put32(60, uint32(len(names)))
	return nil
}

func (k *Kernel) createDumb(m message) error {
	height, width, bpp := int(m.u32(0)), int(m.u32(4)), int(m.u32(8))
	if bpp != 32 {
		return syscall.EINVAL
	}
	if k.memory == nil {
		k.memory, k.buffers = map[uint32][]byte{}, map[uint32]buffer{}
	}
	k.last++
	pitch := width*4 + k.Pad
	k.memory[k.last] = make([]byte, pitch*height)
	m.put32(16, k.last)
	m.put32(20, uint32(pitch))
	m.put64(24, uint64(pitch*height))
	return nil
}

func (k *Kernel) addFB(m message) error {
	b := buffer{width: int(m.u32(4)), height: int(m.u32(8)), format: m.u32(12), handle: m.u32(20), pitch: int(m.u32(36))}
	if k.MaxHeight > 0 && b.height > k.MaxHeight || b.format != 0x34325258 || k.memory[b.handle] == nil {
		return syscall.EINVAL
	}
	k.last++
	k.buffers[k.last] = b
	m.put32(0, k.last)
	return nil
}

func (k *Kernel) setCRTC(m message) error {
	if m.u32(12) != crtcID {
		return syscall.ENOENT
	}
	if m.u32(8) == 0 {
		k.shown = 0
		k.darks++
		return nil
	}
	w, h := int(binary.NativeEndian.Uint16(m[40:])), int(binary.NativeEndian.Uint16(m[50:]))
	b, ok := k.buffers[m.u32(16)]
	y := int(m.u32(24))
	if !ok || m.array(0, 4).u32(0) != connectorID || y+h > b.height || w > b.width {
		return syscall.ENOSPC
	}
	k.shown, k.row, k.mode = m.u32(16), y, image.Pt(w, h)
	k.sets++
	k.set(propDPMS, 0)
	return nil
}

func (k *Kernel) dirty(m message) error {
	if k.NoFlush {
		return syscall.ENOSYS
	}
	n := int(m.u32(12))
	if _, ok := k.buffers[m.u32(0)]; !ok || n > 256 {
		return syscall.EINVAL
	}
	k.clips = k.clips[:0]
	list := m.array(16, 8*n)
	for i := range n {
		at := func(j int) int { return int(binary.NativeEndian.Uint16(list[8*i+2*j:])) }
		r := image.Rectangle{Min: image.Pt(at(0), at(1)), Max: image.Pt(at(2), at(3))}
		if r.Empty() {
			return syscall.EINVAL
		}
		k.clips = append(k.clips, r)
	}
	k.flushes++
	return nil
}
