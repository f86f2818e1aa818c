//go:build linux

package parts

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Requests and values of include/uapi/linux/cec.h and videodev2.h. Structures are bytes at the offsets of the headers,
// so that nothing is shared with the tested code.
const (
	cecTransmit = 0xc0386105
	cecReceive  = 0xc0386106
	cecGetLog   = 0x805c6103
	cecSetLog   = 0xc05c6104
	cecSetMode  = 0x40046109
	modeBoth    = 0x11 // initiator and follower
	modeMonitor = 0xe0

	messageBytes = 56
	atLength     = 16
	atTimeout    = 20
	atMessage    = 32
	atTxStatus   = 50

	queryControl = 0xc0445624
	queryMenu    = 0xc02c5625
	setControl   = 0xc008561c
	nextControl  = 0x80000000
)

func ioctl(fd int, request uintptr, b []byte) error {
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(unsafe.Pointer(&b[0]))); errno != 0 {
		return errno
	}
	return nil
}

func u32(b []byte) uint32           { return binary.NativeEndian.Uint32(b) }
func put32(b []byte, v uint32)      { binary.NativeEndian.PutUint32(b, v) }
func name32(b []byte) string        { text, _, _ := bytes.Cut(b[:32], []byte{0}); return string(text) }
func hex(b []byte) string           { return fmt.Sprintf("% x", b) }
func open(path string) (int, error) { return unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC, 0) }

// An ear receives the messages of an adapter.
type ear struct {
	fd    int
	mu    sync.Mutex
	heard []string
	done  chan struct{}
	ended chan struct{}
}

// listen opens an adapter in a mode. It receives messages until the test ends, and calls `each` with every message.
func listen(t *testing.T, path string, mode uint32, each func([]byte)) *ear {
	t.Helper()
	fd, err := open(path)
	must(t, err)
	e := &ear{fd: fd, done: make(chan struct{}), ended: make(chan struct{})}
	b := make([]byte, 4)
	put32(b, mode)
	must(t, ioctl(fd, cecSetMode, b))
	go func() {
		defer close(e.ended)
		for {
			select {
			case <-e.done:
				return
			default:
			}
			m := make([]byte, messageBytes)
			put32(m[atTimeout:], 200)
			if ioctl(fd, cecReceive, m) != nil {
				continue // nothing arrived before the timeout
			}
			body := m[atMessage : atMessage+min(16, u32(m[atLength:]))]
			e.mu.Lock()
			e.heard = append(e.heard, hex(body))
			e.mu.Unlock()
			each(body)
		}
	}()
	t.Cleanup(func() {
		close(e.done)
		<-e.ended
		_ = unix.Close(fd)
	})
	return e
}

// count returns how often a message was received.
func (e *ear) count(message string) (n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, h := range e.heard {
		if h == message {
			n++
		}
	}
	return n
}

func (e *ear) all() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Join(e.heard, ", ")
}

// A television is one side of vivid's cable. It reports its state and obeys commands.
type television struct {
	*ear
	t     *testing.T
	power sync.Mutex
	off   bool
}

// newTelevision creates a television on vivid's input. It then removes the device file of the input's adapter, because a board sees only
// its own adapter.
func newTelevision(t *testing.T, path string) *television {
	t.Helper()
	v := &television{t: t}
	v.ear = listen(t, path, modeBoth, v.hear)
	l := make([]byte, 92)
	l[6], l[7] = 5, 1 // CEC 1.4, one address
	put32(l[8:], 0xffffffff)
	copy(l[16:], "television")
	l[39] = 0x80 // the device is a television. The zero bytes before it also mean a television
	must(t, ioctl(v.fd, cecSetLog, l))
	must(t, os.Remove(path))
	return v
}

func (v *television) hear(m []byte) {
	if len(m) < 2 {
		return
	}
	switch m[1] {
	case 0x36:
		v.set(true)
	case 0x04, 0x0d:
		v.set(false)
	case 0x8f:
		state := byte(0)
		if v.dark() {
			state = 1
		}
		_ = v.say(m[0]>>4, 0x90, state) // the error is ignored, because the sender may be unplugged already
	}
}

func (v *television) set(off bool) {
	v.power.Lock()
	defer v.power.Unlock()
	v.off = off
}

func (v *television) dark() bool {
	v.power.Lock()
	defer v.power.Unlock()
	return v.off
}

// say sends a message to an address.
func (v *television) say(to byte, body ...byte) error {
	m := make([]byte, messageBytes)
	put32(m[atLength:], uint32(1+len(body)))
	m[atMessage] = to
	copy(m[atMessage+1:], body)
	return ioctl(v.fd, cecTransmit, m)
}

// plug connects the cable between vivid's two sides. For this it sets the menu control of the input's connection.
func plug(t *testing.T) {
	t.Helper()
	nodes, err := filepath.Glob("/dev/video*")
	must(t, err)
	for _, path := range nodes {
		fd, err := open(path)
		if err != nil {
			continue
		}
		err = connect(fd)
		unix.Close(fd)
		if err == nil {
			return
		}
	}
	t.Fatalf("none of %v can be connected", nodes)
}

func connect(fd int) error {
	control := make([]byte, 68)
	put32(control, nextControl)
	for ioctl(fd, queryControl, control) == nil {
		if name32(control[8:]) != "HDMI 000-0 Is Connected To" {
			put32(control, u32(control)|nextControl)
			continue
		}
		for i := range u32(control[44:]) + 1 {
			menu := make([]byte, 44)
			put32(menu, u32(control))
			put32(menu[4:], i)
			if ioctl(fd, queryMenu, menu) == nil && name32(menu[8:]) == "Output HDMI 000-0" {
				value := make([]byte, 8)
				put32(value, u32(control))
				put32(value[4:], i)
				return ioctl(fd, setControl, value)
			}
		}
		break
	}
	return os.ErrNotExist
}

// sides() returns the devices of vivid's input and output.
func sides(t *testing.T) (input, output string) {
	t.Helper()
	paths, err := filepath.Glob("/dev/cec*")
	must(t, err)
	slices.Sort(paths)
	if len(paths) != 2 {
		t.Fatalf("adapters: %v, want vivid's two", paths)
	}
	return paths[0], paths[1]
}
