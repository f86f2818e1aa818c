package drm

import (
	"fmt"
	"unsafe"
)

// A Scanout is the picture that a CRTC of a card shows, as rows of pixels. It is valid only during the function call that receives it.
type Scanout struct {
	Width, Height, Stride int // width and height in pixels, stride in bytes
	Format                uint32
	Pixels                []byte
}

// Seen calls the function `do` with the picture of each CRTC of the card, even if another program has drawn the picture. Seen only reads
// the memory. It requires root, because the kernel returns handles of GETFB2 only to CAP_SYS_ADMIN and to the master. Call Seen only while
// another program is the master. Otherwise this program becomes the master for a short time.
func Seen(path string, do func(Scanout)) error {
	c, err := Open(path)
	if err != nil {
		return err
	}
	defer c.Close()
	_ = c.Drop() // this program became the master if there was no other master
	return c.seen(do)
}

func (c *Card) seen(do func(Scanout)) error {
	crtcs, _, err := c.objects()
	if err != nil {
		return err
	}
	for _, id := range crtcs {
		q := &crtcRequest{crtc: id}
		if err := c.call("MODE_GETCRTC", getCRTC, unsafe.Pointer(q)); err != nil {
			return err
		}
		if q.fb == 0 || q.modeIsPassed == 0 {
			continue // the CRTC is off
		}
		if err := c.scanout(q.fb, do); err != nil {
			return err
		}
	}
	return nil
}

// scanout maps a frame buffer, calls the function `do`, and removes the mapping.
func (c *Card) scanout(id uint32, do func(Scanout)) error {
	fb := &fbRequest2{fb: id}
	if err := c.call("MODE_GETFB2", getFB2, unsafe.Pointer(fb)); err != nil {
		return err
	}
	handle := fb.handles[0]
	defer func() { _ = c.call("GEM_CLOSE", gemClose, unsafe.Pointer(&[2]uint32{handle})) }()
	size := uint64(fb.pitches[0]) * uint64(fb.height)
	if handle == 0 || size == 0 || size > maxBufferBytes || fb.offsets[0] != 0 {
		return fmt.Errorf("%s: MODE_GETFB2: a buffer of %d bytes, handle %d", c.path, size, handle)
	}
	at := &mapRequest{handle: handle}
	if err := c.call("MODE_MAP_DUMB", mapDumb, unsafe.Pointer(at)); err != nil {
		return err
	}
	pixels, err := c.node.Mmap(int64(at.offset), int(size))
	if err != nil {
		return fmt.Errorf("%s: mmap of %d bytes: %w", c.path, size, err)
	}
	do(Scanout{int(fb.width), int(fb.height), int(fb.pitches[0]), fb.format, pixels})
	return c.node.Munmap(pixels)
}
