package drmtest

import (
	"encoding/binary"
	"image"
	"syscall"
	"unsafe"
)

// A message is the argument of a request, as bytes.
type message []byte

func (m message) u32(at int) uint32      { return binary.NativeEndian.Uint32(m[at:]) }
func (m message) u64(at int) uint64      { return binary.NativeEndian.Uint64(m[at:]) }
func (m message) put32(at int, v uint32) { binary.NativeEndian.PutUint32(m[at:], v) }
func (m message) put64(at int, v uint64) { binary.NativeEndian.PutUint64(m[at:], v) }

// array returns the n bytes of memory whose address is at an offset of a message.
func (m message) array(at, n int) message {
	word := m.u64(at)
	p := *(*unsafe.Pointer)(unsafe.Pointer(&word)) // the address is little-endian, so its low word comes first on 32-bit machines too
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
	case 0xa1:
		k.getCRTC(m)
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
	case 0xac:
		return k.propertyBlob(m)
	}
	return k.memoryRequest(request, m)
}

// propertyBlob answers GETPROPBLOB. It writes the length of the EDID. If the request has space for exactly this length, it also writes
// the EDID.
func (k *Kernel) propertyBlob(m message) error {
	if m.u32(0) != edidBlob {
		return syscall.ENOENT
	}
	if int(m.u32(4)) == len(k.EDID) {
		copy(m.array(8, len(k.EDID)), k.EDID)
	}
	m.put32(4, uint32(len(k.EDID)))
	return nil
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
		if k.Unmoved > 0 {
			k.Unmoved--
			return nil
		}
		k.set(m.u32(8), m.u64(0))
		return nil
	}
	return syscall.EINVAL
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

// consoleFB is the console's frame buffer.
const consoleFB = 1 << 16

func (k *Kernel) getCRTC(m message) {
	m.put32(28, uint32(k.GammaSize))
	switch {
	case k.before():
		m.put32(16, consoleFB)
		m.put32(32, 1)
		k.modeInfo(m[36:], k.Modes[0], true)
	case k.shown != 0:
		m.put32(16, k.shown)
		m.put32(32, 1)
		k.modeInfo(m[36:], k.mode, true)
	}
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
	k.LinkBad = false
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
