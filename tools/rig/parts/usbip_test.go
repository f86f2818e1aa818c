//go:build linux

package parts

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// A slave is a simulated device at an address of an I2C bus. One goroutine calls its methods.
type slave interface {
	write(b []byte) (taken bool)
	read(n int) (b []byte, taken bool)
}

// A wire is an emulated I2C adapter on USB (i2c-tiny-usb). This process emulates it over USB/IP, and the kernel's vhci_hcd is the USB
// controller (Documentation/usb/usbip_protocol.rst, drivers/i2c/busses/i2c-tiny-usb.c).
type wire struct {
	name string // such as i2c-0
	conn *os.File

	mu     sync.Mutex // guards the following fields and the slaves
	slaves map[uint16]slave
	taken  bool // true if the last message was accepted
}

const (
	attach = "/sys/devices/platform/vhci_hcd.0/attach"
	detach = "/sys/devices/platform/vhci_hcd.0/detach"

	submit, unlink          = 1, 2
	submitReply, unlinkDone = 3, 4
	headerBytes             = 48
	toHost                  = 1
	readFlag                = 1
)

// newWire plugs in an adapter to which the given slaves are connected.
func newWire(t *testing.T, slaves map[uint16]slave) *wire {
	t.Helper()
	before, err := filepath.Glob("/dev/i2c-*")
	must(t, err)
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	must(t, err)
	w := &wire{conn: os.NewFile(uintptr(pair[0]), "usbip"), slaves: slaves}
	const device, fullSpeed = 1<<16 | 1, 2
	must(t, os.WriteFile(attach, fmt.Appendf(nil, "0 %d %d %d", pair[1], device, fullSpeed), 0))
	unix.Close(pair[1]) // the kernel has its own copy of this file descriptor
	ended := make(chan error, 1)
	go func() { ended <- w.serve() }()
	t.Cleanup(func() {
		w.unplug()
		if err := <-ended; err != nil {
			t.Errorf("the adapter: %v", err)
		}
		w.conn.Close()
	})
	eventually(t, "the bus", func() bool {
		now, err := filepath.Glob("/dev/i2c-*")
		if err != nil || len(now) <= len(before) {
			return false
		}
		w.name = filepath.Base(now[len(now)-1])
		return true
	})
	return w
}

// unplug removes the adapter. If the adapter is already unplugged, unplug does nothing.
func (w *wire) unplug() { _ = os.WriteFile(detach, []byte("0"), 0) }

// serve answers the controller until the adapter is unplugged.
func (w *wire) serve() error {
	for {
		var h [headerBytes]byte
		if _, err := io.ReadFull(w.conn, h[:]); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, unix.ECONNRESET) {
				return nil
			}
			return err
		}
		be := binary.BigEndian
		reply := make([]byte, headerBytes)
		copy(reply[4:8], h[4:8]) // sequence number of the request
		if be.Uint32(h[0:]) == unlink {
			be.PutUint32(reply[0:], unlinkDone) // the request was already answered
			if _, err := w.conn.Write(reply); err != nil {
				return nil
			}
			continue
		}
		in, n := be.Uint32(h[12:]) == toHost, int(be.Uint32(h[24:]))
		var out []byte
		if !in {
			out = make([]byte, n)
			if _, err := io.ReadFull(w.conn, out); err != nil {
				return err
			}
		}
		answer, ok := w.control(h[40:48], out, n)
		be.PutUint32(reply[0:], submitReply)
		if !ok {
			stall := int32(-int32(unix.EPIPE))
			be.PutUint32(reply[20:], uint32(stall))
		}
		if in {
			answer = answer[:min(len(answer), n)]
			be.PutUint32(reply[24:], uint32(len(answer)))
			reply = append(reply, answer...)
		} else {
			be.PutUint32(reply[24:], uint32(n))
		}
		if _, err := w.conn.Write(reply); err != nil {
			return nil // the adapter was unplugged
		}
	}
}

// The table `status` maps the success of the last transfer to the status that the adapter reports.
var status = map[bool]byte{true: 1, false: 2}

var (
	deviceDescriptor = []byte{18, 1, 0x10, 1, 0xff, 0, 0, 8, 0x40, 0x1c, 0x34, 0x05, 0, 1, 0, 0, 0, 1}
	configDescriptor = []byte{9, 2, 18, 0, 1, 1, 0, 0x80, 50, 9, 4, 0, 0, 0, 0xff, 0, 0, 0}
)

// control performs one control transfer.
func (w *wire) control(setup, out []byte, n int) (in []byte, ok bool) {
	le := binary.LittleEndian
	kind, request, value, index := setup[0], setup[1], le.Uint16(setup[2:]), le.Uint16(setup[4:])
	w.mu.Lock()
	defer w.mu.Unlock()
	if kind&0x60 == 0 { // standard requests, which every USB device answers
		switch {
		case request == 6 && value>>8 == 1:
			return deviceDescriptor, true
		case request == 6 && value>>8 == 2:
			return configDescriptor, true
		case request == 6:
			return nil, false
		}
		return []byte{0, 0}, true
	}
	switch {
	case request == 1:
		return []byte{0x01, 0x00, 0xff, 0x8e}, true // supports I2C, and SMBus over it
	case request == 2:
		return nil, true // sets the delay
	case request == 3:
		return []byte{status[w.taken]}, true
	case request >= 4 && request <= 7:
		return w.transfer(index, value&readFlag != 0, out, n), true
	}
	return nil, false
}

// transfer handles one message on the bus.
func (w *wire) transfer(address uint16, read bool, out []byte, n int) (in []byte) {
	s := w.slaves[address]
	ok := s != nil
	if ok && read {
		in, ok = s.read(n)
	} else if ok {
		ok = s.write(out)
	}
	w.taken = ok
	if read && len(in) < n {
		in = append(in, make([]byte, n-len(in))...)
	}
	return in
}
