//go:build linux

package parts

import (
	"encoding/binary"
	"image"
	"os"
	"path/filepath"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Requests and codes of include/uapi/linux/uinput.h and input-event-codes.h.
const (
	setEventBit = 0x40045564
	setKeyBit   = 0x40045565
	setAxisBit  = 0x40045567
	setProperty = 0x4004556e
	setAxis     = 0x401c5504
	setDevice   = 0x405c5503
	create      = 0x5501
	destroy     = 0x5502
	deviceName  = 0x8040552c

	typeSync, typeKey, typeAxis = 0, 1, 3
	keyTouch                    = 0x14a
	axisX, axisY                = 0x00, 0x01
	axisSlot, axisMTX, axisMTY  = 0x2f, 0x35, 0x36
	axisTracking                = 0x39
	propertyDirect              = 1

	glassMax = 4095 // maximum value on both axes
)

// A glass is an emulated touchscreen for ten fingers, made with uinput. It uses protocol B of Documentation/input/multi-touch-protocol.rst.
type glass struct {
	t    *testing.T
	fd   int
	size image.Point // size of the screen under the touchscreen
	id   int32
}

// newGlass connects a touchscreen.
func newGlass(t *testing.T, size image.Point) *glass {
	t.Helper()
	fd, err := open("/dev/uinput")
	must(t, err)
	g := &glass{t: t, fd: fd, size: size}
	for request, values := range map[uint][]int{
		setEventBit: {typeSync, typeKey, typeAxis}, setKeyBit: {keyTouch}, setProperty: {propertyDirect},
		setAxisBit: {axisX, axisY, axisSlot, axisMTX, axisMTY, axisTracking},
	} {
		for _, v := range values {
			must(t, unix.IoctlSetInt(fd, request, v))
		}
	}
	for axis, most := range map[uint16]uint32{axisX: glassMax, axisY: glassMax, axisSlot: 9, axisMTX: glassMax, axisMTY: glassMax, axisTracking: 0xffff} {
		a := make([]byte, 28)
		binary.NativeEndian.PutUint16(a, axis)
		put32(a[12:], most)
		must(t, ioctl(fd, setAxis, a))
	}
	d := make([]byte, 92)
	binary.NativeEndian.PutUint16(d, 3) // USB
	copy(d[8:], "A Great Glass")
	must(t, ioctl(fd, setDevice, d))
	must(t, unix.IoctlSetInt(fd, create, 0))
	name := make([]byte, 64)
	must(t, ioctl(fd, deviceName, name))
	eventually(t, "the touchscreen's device", func() bool {
		all, _ := filepath.Glob(filepath.Join("/sys/class/input", name32(name), "event*"))
		if len(all) == 0 {
			return false
		}
		_, err := os.Stat(filepath.Join("/dev/input", filepath.Base(all[0])))
		return err == nil
	})
	t.Cleanup(func() { unix.Close(fd) })
	return g
}

// unplug removes the touchscreen.
func (g *glass) unplug() {
	must(g.t, unix.IoctlSetInt(g.fd, destroy, 0))
	unix.Close(g.fd)
}

// An event is struct input_event without its time, which the kernel adds.
type event struct {
	kind, code uint16
	value      int32
}

// send sends events and the end of their packet.
func (g *glass) send(events ...event) {
	g.t.Helper()
	var b []byte
	for _, e := range append(events, event{}) {
		one := make([]byte, unsafe.Sizeof(unix.Timeval{})+8)
		at := one[len(one)-8:]
		binary.NativeEndian.PutUint16(at, e.kind)
		binary.NativeEndian.PutUint16(at[2:], e.code)
		put32(at[4:], uint32(e.value))
		b = append(b, one...)
	}
	_, err := unix.Write(g.fd, b)
	must(g.t, err)
}

// place converts a pixel of the screen to the coordinates of the touchscreen.
func (g *glass) place(p image.Point) (x, y int32) {
	return int32((2*p.X + 1) * (glassMax + 1) / (2 * g.size.X)), int32((2*p.Y + 1) * (glassMax + 1) / (2 * g.size.Y))
}

// down() puts a new finger on a pixel if `fresh` is true. Otherwise it moves the present finger to the pixel.
func (g *glass) down(p image.Point, fresh bool) {
	g.t.Helper()
	x, y := g.place(p)
	var events []event
	if fresh {
		g.id++
		events = []event{{typeAxis, axisTracking, g.id}, {typeKey, keyTouch, 1}}
	}
	g.send(append(events, event{typeAxis, axisMTX, x}, event{typeAxis, axisMTY, y}, event{typeAxis, axisX, x}, event{typeAxis, axisY, y})...)
}

func (g *glass) up() {
	g.t.Helper()
	g.send(event{typeAxis, axisTracking, -1}, event{typeKey, keyTouch, 0})
}

// hand is the time in which a swiping finger moves from one position to the next.
const hand = 30 * time.Millisecond

// atOnce is the longest touch that the dashboard surely recognizes as a tap. The dashboard's limit for a tap is 400 ms.
const atOnce = 350 * time.Millisecond

// tap() taps on a pixel. If the touch takes too long because the machine is emulated, tap repeats it.
func (g *glass) tap(p image.Point) {
	g.t.Helper()
	for range 20 {
		began := time.Now()
		g.down(p, true)
		g.up()
		if time.Since(began) < atOnce {
			return
		}
		time.Sleep(atOnce)
	}
	g.t.Fatal("the machine is too slow for a tap")
}

// twice() makes a double tap. The second touch must begin within 350 ms. If this may have taken longer, twice() returns false.
func (g *glass) twice(p image.Point) (sure bool) {
	g.t.Helper()
	began := time.Now()
	g.down(p, true)
	g.up()
	g.down(p, true)
	g.up()
	return time.Since(began) < atOnce
}

// swipe moves a finger from one pixel to another. It returns false if the finger may have rested too long at the start. The dashboard's
// limit is 800 ms.
func (g *glass) swipe(from, to image.Point) (sure bool) {
	g.t.Helper()
	began := time.Now()
	g.down(from, true)
	for i := 1; i <= 4; i++ {
		g.down(from.Add(to.Sub(from).Mul(i).Div(4)), false)
		if i == 1 {
			sure = time.Since(began) < 2*atOnce
		}
		time.Sleep(hand)
	}
	g.up()
	return sure
}
