package drm

import (
	"errors"
	"fmt"
	"image"
	"runtime"
	"slices"
	"syscall"
	"unsafe"
)

// MaxClips bounds the rectangles of one Flush. Some drivers send each rectangle separately. More rectangles should be joined, because it
// is then cheaper to send the pixels between the rectangles too.
const MaxClips = 8

// A Screen is a connector that shows memory of this program.
type Screen struct {
	Mode   Mode
	Bits   int    // bits per pixel: 32 for XRGB8888, 16 for RGB565
	Stride int    // bytes from one row to the next
	Rows   int    // rows of the memory: as many as the mode has, or twice as many for two pages
	Pixels []byte // Stride*Rows bytes, valid until Close

	card      *Card
	connector *Connector
	crtc      uint32
	handle    uint32
	fb        uint32
	gamma     gamma
	noFlush   bool // true if the hardware reads the memory directly

	// Arguments of the requests for each frame. They are fields so that a frame allocates nothing.
	clips [MaxClips]clip
	dirty dirtyRequest
	set   crtcRequest
	ids   [1]uint32
	pins  runtime.Pinner
}

// NewScreen allocates a black frame buffer for the mode m of a connector, but does not show the buffer yet. `taken` lists the CRTCs that
// drive other connectors. NewScreen does not use them. If `pages` is true and the card has enough memory, it allocates memory for two
// pictures, one below the other.
func (c *Card) NewScreen(k *Connector, m Mode, taken []uint32, pages bool) (*Screen, error) {
	can, err := c.crtcs(k)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(can, func(id uint32) bool { return !slices.Contains(taken, id) })
	if i < 0 {
		return nil, fmt.Errorf("%s: %s cannot be driven beside the other connectors", c.path, k.Name)
	}
	s := &Screen{card: c, connector: k, crtc: can[i], Mode: m}
	if pages {
		if err = s.allocate(2 * m.Height); err == nil {
			return s, nil
		}
	}
	return s, s.allocate(m.Height)
}

// CRTC returns the id of the CRTC that this screen uses.
func (s *Screen) CRTC() uint32 { return s.crtc }

// allocate allocates memory for the given rows. It tries 32 bits per pixel first, and then 16.
func (s *Screen) allocate(rows int) error {
	var problem error
	for _, bits := range []int{32, 16} {
		err := s.memory(rows, bits)
		if err == nil {
			s.prepare()
			return nil
		}
		s.free()
		if problem == nil {
			problem = err
		}
	}
	return problem
}

// memory allocates a dumb buffer, makes a frame buffer of it, and maps it.
func (s *Screen) memory(rows, bits int) error {
	q := &dumbRequest{width: uint32(s.Mode.Width), height: uint32(rows), bpp: uint32(bits)}
	if err := s.card.call("MODE_CREATE_DUMB", createDumb, unsafe.Pointer(q)); err != nil {
		return err
	}
	s.handle, s.Bits, s.Stride, s.Rows = q.handle, bits, int(q.pitch), rows
	if need := uint64(q.pitch) * uint64(rows); q.size > maxBufferBytes || q.size < need || int(q.pitch)*8 < s.Mode.Width*bits {
		return fmt.Errorf("%s: a buffer of %d bytes in rows of %d for %dx%d", s.card.path, q.size, q.pitch, s.Mode.Width, rows)
	}
	if err := s.frameBuffer(q); err != nil {
		return err
	}
	at := &mapRequest{handle: q.handle}
	if err := s.card.call("MODE_MAP_DUMB", mapDumb, unsafe.Pointer(at)); err != nil {
		return err
	}
	pixels, err := s.card.node.Mmap(int64(at.offset), int(q.size))
	if err != nil {
		return fmt.Errorf("%s: mmap of %d bytes: %w", s.card.path, q.size, err)
	}
	s.Pixels = pixels
	return nil
}

// frameBuffer makes a frame buffer. It tries the kernel's newer request first, and then the older request.
func (s *Screen) frameBuffer(q *dumbRequest) error {
	format, depth := uint32(formatXR24), uint32(24)
	if q.bpp == 16 {
		format, depth = formatRG16, 16
	}
	two := &fbRequest2{
		width: q.width, height: q.height, format: format,
		handles: [4]uint32{q.handle}, pitches: [4]uint32{q.pitch},
	}
	err := s.card.call("MODE_ADDFB2", addFB2, unsafe.Pointer(two))
	if err == nil {
		s.fb = two.fb
		return nil
	}
	one := &fbRequest{width: q.width, height: q.height, pitch: q.pitch, bpp: q.bpp, depth: depth, handle: q.handle}
	if s.card.node.Ioctl(addFB, unsafe.Pointer(one)) != nil {
		return err
	}
	s.fb = one.fb
	return nil
}

// prepare fills in the parts of requests that are the same for every frame.
func (s *Screen) prepare() {
	s.pins.Pin(s) // the requests contain the addresses of s.ids and s.clips
	s.ids[0] = s.connector.ID
	s.set = crtcRequest{
		crtc: s.crtc, fb: s.fb, connectors: uint64(uintptr(unsafe.Pointer(&s.ids[0]))), countConnectors: 1,
		modeIsPassed: 1, mode: s.Mode.raw,
	}
	s.dirty = dirtyRequest{fb: s.fb, clips: uint64(uintptr(unsafe.Pointer(&s.clips[0])))}
}

// Show sets the mode and shows the memory from the given row on. It allocates nothing.
func (s *Screen) Show(row int) error {
	s.set.y = uint32(row)
	if err := s.card.node.Ioctl(setCRTC, unsafe.Pointer(&s.set)); err != nil {
		return s.failed("MODE_SETCRTC", err)
	}
	return nil
}

// Set reports whether the connector already shows a mode of this size, no matter which program has set the mode. If it does, the caller
// can delay Show until the first picture, so that the screen does not become black in between.
func (s *Screen) Set() bool {
	q := &crtcRequest{crtc: s.crtc}
	if err := s.card.call("MODE_GETCRTC", getCRTC, unsafe.Pointer(q)); err != nil || q.fb == 0 || q.modeIsPassed == 0 {
		return false
	}
	return s.connector.encoder != 0 && int(q.mode.hDisplay) == s.Mode.Width && int(q.mode.vDisplay) == s.Mode.Height
}

// Dark switches the signal off. The next Show switches it on again. Some screens need such an interruption after they were plugged in.
func (s *Screen) Dark() error {
	return s.card.call("MODE_SETCRTC", setCRTC, unsafe.Pointer(&crtcRequest{crtc: s.crtc}))
}

// failed() adds the request's name to an error. If permission is missing, it returns ErrTaken instead, because only the card's master has
// this permission.
func (s *Screen) failed(request string, err error) error {
	if errors.Is(err, syscall.EACCES) {
		return fmt.Errorf("%s: %w", s.card.path, ErrTaken)
	}
	return fmt.Errorf("%s: %s: %w", s.card.path, request, err)
}

// Flush reports the changed rectangles of the memory to the driver, at most MaxClips. It allocates nothing.
func (s *Screen) Flush(rs []image.Rectangle) error {
	if s.noFlush {
		return nil
	}
	n := 0
	all := image.Rect(0, 0, s.Mode.Width, s.Rows)
	for _, r := range rs {
		if r = r.Intersect(all); r.Empty() { // an empty rectangle would make the whole request fail
			continue
		}
		if n == MaxClips {
			return fmt.Errorf("%s: more than %d rectangles", s.card.path, MaxClips)
		}
		s.clips[n] = clip{uint16(r.Min.X), uint16(r.Min.Y), uint16(r.Max.X), uint16(r.Max.Y)}
		n++
	}
	if n == 0 {
		return nil
	}
	s.dirty.countClips = uint32(n)
	err := s.card.node.Ioctl(dirtyFB, unsafe.Pointer(&s.dirty))
	if errors.Is(err, syscall.ENOSYS) { // vc4: the hardware reads the memory directly
		s.noFlush = true
		return nil
	}
	if err != nil {
		return s.failed("MODE_DIRTYFB", err)
	}
	return nil
}

// errUnmoved is returned if a driver accepts a power state, but does not change its state.
var errUnmoved = errors.New("the driver accepted the power state but did not change it")

// Power switches the screen on or off, and then reads the state from the driver. If the state is not the requested state, Power repeats
// the request once.
func (s *Screen) Power(on bool) error {
	value := uint64(dpmsOff)
	if on {
		value = dpmsOn
	}
	for range powerTries {
		if err := s.card.write(s.connector, "DPMS", value); err != nil {
			return err
		}
		if k, err := s.card.connector(s.connector.ID, false); err != nil || k.IsOn() == on {
			return nil // some drivers report no state, so an error counts as success
		}
	}
	return fmt.Errorf("%s: DPMS: %w", s.connector.Name, errUnmoved)
}

// powerTries bounds how often Power requests a state.
const powerTries = 2

// Range sets the range of color levels that are sent to the screen: "full", "limited" or "auto".
// With "auto", the driver uses the range that the screen requests.
func (s *Screen) Range(word string) error {
	label := map[string]string{"full": "Full", "limited": "Limited 16:235", "auto": "Automatic"}[word]
	value, ok := s.connector.properties["Broadcast RGB"].enums[label]
	if !ok {
		return fmt.Errorf("%s: rgb_range %s: %w", s.connector.Name, word, errNoProperty)
	}
	return s.card.write(s.connector, "Broadcast RGB", value)
}

// write sets a property of a connector.
func (c *Card) write(k *Connector, label string, value uint64) error {
	p, ok := k.properties[label]
	if !ok {
		return fmt.Errorf("%s: %s: %w", k.Name, label, errNoProperty)
	}
	return c.call("MODE_SETPROPERTY "+label, setProperty, unsafe.Pointer(&propertyRequest{value: value, property: p.id, connector: k.ID}))
}

// Close stops showing the memory, so that the screen becomes dark, and releases the memory. It also
// removes the mapping, because a mapping would keep the card open.
func (s *Screen) Close() error {
	defer s.pins.Unpin()
	_ = s.Tint(1, 1, 1) // restore the original colors for the next program. An error means that the card was removed
	return s.free()
}

func (s *Screen) free() error {
	var errs []error
	if s.Pixels != nil {
		errs = append(errs, s.card.node.Munmap(s.Pixels))
	}
	if s.fb != 0 {
		fb := s.fb
		errs = append(errs, s.card.call("MODE_RMFB", rmFB, unsafe.Pointer(&fb)))
	}
	if s.handle != 0 {
		handle := s.handle
		errs = append(errs, s.card.call("MODE_DESTROY_DUMB", destroyDumb, unsafe.Pointer(&handle)))
	}
	s.Pixels, s.fb, s.handle = nil, 0, 0
	return errors.Join(errs...)
}
