package drm

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"syscall"
	"unsafe"
)

var (
	// ErrTaken is returned if another program is the card's master, or if this program has given up being the master.
	ErrTaken = errors.New("another program has it")
	// ErrNoDumb is returned for a card without memory that the processor can paint in, such as a card for computing.
	ErrNoDumb = errors.New("it has no memory to paint into")
)

// A Node is the open device of a Card. Package drmtest contains a Node that simulates a card in memory.
type Node interface {
	Ioctl(request uint32, arg unsafe.Pointer) error // the error is a syscall.Errno
	Mmap(offset int64, size int) ([]byte, error)
	Munmap([]byte) error
	Close() error
	Same() error // returns nil if the path still leads to the open device
}

// A Card is an open card. Its methods and the methods of its screens may be called from several goroutines. Each
// request to the kernel is atomic.
type Card struct {
	path string
	node Node
}

// NewCard returns a card on the node n. Closing the card closes the node.
func NewCard(path string, n Node) *Card { return &Card{path: path, node: n} }

// Path returns the path of the device.
func (c *Card) Path() string { return c.path }

// Close closes the card. If no other program has opened it, the console appears on its screens again.
func (c *Card) Close() error { return c.node.Close() }

// Alive returns nil if the card still exists at its path, and otherwise the reason why not.
func (c *Card) Alive() error {
	if err := c.node.Same(); err != nil {
		return err
	}
	_, err := c.count()
	return err
}

// call sends a request to the kernel. Its error contains the request's name.
func (c *Card) call(name string, request uint32, arg unsafe.Pointer) error {
	if err := c.node.Ioctl(request, arg); err != nil {
		return fmt.Errorf("%s: %s: %w", c.path, name, err)
	}
	return nil
}

// Take makes this program the card's master, which may set modes. It returns ErrTaken if another program is the master.
func (c *Card) Take() error {
	err := c.node.Ioctl(setMaster, nil)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EBUSY), errors.Is(err, syscall.EINVAL):
		return fmt.Errorf("%s: %w", c.path, ErrTaken)
	}
	return fmt.Errorf("%s: SET_MASTER: %w", c.path, err)
}

// Drop gives up being the master, so that other programs can set modes. The console sets its mode when it draws. Until then, the picture
// stays visible.
func (c *Card) Drop() error { return c.call("DROP_MASTER", dropMaster, nil) }

// Paintable returns ErrNoDumb if the card has no memory that the processor can paint in.
func (c *Card) Paintable() error {
	q := &capRequest{capability: capDumb}
	if err := c.node.Ioctl(getCap, unsafe.Pointer(q)); err != nil || q.value == 0 {
		return fmt.Errorf("%s: %w", c.path, ErrNoDumb)
	}
	return nil
}

// count asks for the numbers of CRTCs and connectors.
func (c *Card) count() (*cardRes, error) {
	q := &cardRes{}
	return q, c.call("MODE_GETRESOURCES", getResources, unsafe.Pointer(q))
}

// objects() returns the ids of the CRTCs and connectors. The first request asks how many there are, and the second request has space for
// this many ids. If objects were added in between, an event will report them, and objects() will be called again.
func (c *Card) objects() (crtcs, connectors []uint32, err error) {
	n, err := c.count()
	if err != nil {
		return nil, nil, err
	}
	crtcs, connectors = make([]uint32, min(n.countCRTCs, maxObjects)), make([]uint32, min(n.countConnectors, maxObjects))
	var pins runtime.Pinner
	defer pins.Unpin()
	q := &cardRes{
		crtcs: address(&pins, crtcs), countCRTCs: uint32(len(crtcs)),
		connectors: address(&pins, connectors), countConnectors: uint32(len(connectors)),
	}
	if err := c.call("MODE_GETRESOURCES", getResources, unsafe.Pointer(q)); err != nil {
		return nil, nil, err
	}
	return crtcs[:min(len(crtcs), int(q.countCRTCs))], connectors[:min(len(connectors), int(q.countConnectors))], nil
}

// address returns the address of a slice in the form that the kernel's interface needs, or 0 if the slice is empty. `pins` prevents the
// garbage collector from moving the slice.
func address[T any](pins *runtime.Pinner, s []T) uint64 {
	if len(s) == 0 {
		return 0
	}
	pins.Pin(&s[0])
	return uint64(uintptr(unsafe.Pointer(&s[0])))
}

// name returns the text in b, which ends before the first zero byte.
func name(b [32]byte) string {
	s, _, _ := bytes.Cut(b[:], []byte{0})
	return string(s)
}

// crtcs() returns the CRTCs that can drive a connector, beginning with the connector's current CRTC.
func (c *Card) crtcs(of *Connector) ([]uint32, error) {
	all, _, err := c.objects()
	if err != nil {
		return nil, err
	}
	var can []uint32
	for _, id := range of.encoders {
		q := &encoderReply{encoder: id}
		if err := c.call("MODE_GETENCODER", getEncoder, unsafe.Pointer(q)); err != nil {
			return nil, err
		}
		if q.crtc != 0 && id == of.encoder {
			can = append([]uint32{q.crtc}, can...)
		}
		for i, crtc := range all {
			if i < 32 && q.possibleCRTCs>>i&1 != 0 {
				can = append(can, crtc)
			}
		}
	}
	return can, nil
}
