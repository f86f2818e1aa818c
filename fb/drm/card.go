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
	// ErrTaken reports that another program is the master of the card, or that this program has given up being it.
	ErrTaken = errors.New("another program has it")
	// ErrNoDumb reports a card that the processor cannot paint on, such as a card for computing.
	ErrNoDumb = errors.New("it has no memory to paint into")
)

// A Node is the open device of a Card. Open returns one, and drmtest has one in memory.
type Node interface {
	Ioctl(request uint32, arg unsafe.Pointer) error // the error is a syscall.Errno
	Mmap(offset int64, size int) ([]byte, error)
	Munmap([]byte) error
	Close() error
	Same() error // nil if the path still leads to this card
}

// A Card is an open card. Its methods and the methods of its screens may be called from several goroutines. Each
// request to the kernel is atomic.
type Card struct {
	path string
	node Node
}

// NewCard returns a card with a node, which it closes.
func NewCard(path string, n Node) *Card { return &Card{path: path, node: n} }

// Path returns the path of the device.
func (c *Card) Path() string { return c.path }

// Close closes the card. If no other program has it open, its screens show the console again.
func (c *Card) Close() error { return c.node.Close() }

// Alive returns nil if the card still exists under its path, and otherwise the reason.
func (c *Card) Alive() error {
	if err := c.node.Same(); err != nil {
		return err
	}
	_, err := c.count()
	return err
}

// call makes a request. Its error contains the name of the request.
func (c *Card) call(name string, request uint32, arg unsafe.Pointer) error {
	if err := c.node.Ioctl(request, arg); err != nil {
		return fmt.Errorf("%s: %s: %w", c.path, name, err)
	}
	return nil
}

// Take makes this program the master, which may set modes. It returns ErrTaken if another program is the master.
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

// Drop lets other programs set modes. The console does so when it draws. The shown picture stays until then.
func (c *Card) Drop() error { return c.call("DROP_MASTER", dropMaster, nil) }

// Paintable returns ErrNoDumb if the card has no memory that the processor can paint in.
func (c *Card) Paintable() error {
	q := &capRequest{capability: capDumb}
	if err := c.node.Ioctl(getCap, unsafe.Pointer(q)); err != nil || q.value == 0 {
		return fmt.Errorf("%s: %w", c.path, ErrNoDumb)
	}
	return nil
}

// count requests the numbers of objects.
func (c *Card) count() (*cardRes, error) {
	q := &cardRes{}
	return q, c.call("MODE_GETRESOURCES", getResources, unsafe.Pointer(q))
}

// objects returns the ids of the CRTCs and of the connectors. The second request has the room that the first one has reported. If
// there are more objects by then, an event reports them, and they are requested again.
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

// address returns the address of a slice in the kernel's form, or 0 for an empty slice. pins keep the slice in place.
func address[T any](pins *runtime.Pinner, s []T) uint64 {
	if len(s) == 0 {
		return 0
	}
	pins.Pin(&s[0])
	return uint64(uintptr(unsafe.Pointer(&s[0])))
}

// name returns the text of a field, which ends with a zero byte or fills the field.
func name(b [32]byte) string {
	s, _, _ := bytes.Cut(b[:], []byte{0})
	return string(s)
}

// crtcs returns the CRTCs that can drive a connector, the current one first.
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
