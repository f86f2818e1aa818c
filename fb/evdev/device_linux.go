package evdev

import (
	"bytes"
	"fmt"
	"runtime"
	"strconv"
	"time"
	"unsafe"

	"dashboard/fb/kernel"
)

// Requests of ioctl(2), include/uapi/linux/input.h.
const (
	getName    = 0x81004506 // EVIOCGNAME(256)
	getKeys    = 0x80604521 // EVIOCGBIT(EV_KEY, 96)
	getAbs     = 0x80084523 // EVIOCGBIT(EV_ABS, 8)
	getProps   = 0x80084509 // EVIOCGPROP(8)
	getAxis    = 0x80184540 // this number plus the number of an axis is the request for this axis
	grab       = 0x40044590 // EVIOCGRAB
	setClock   = 0x400445a0 // EVIOCSCLOCKID
	monotonic  = 1          // CLOCK_MONOTONIC
	nameBytes  = 256
	shortBytes = 8
)

// longBytes is the size of the kernel's long.
const longBytes = strconv.IntSize / 8

// absInfo is struct input_absinfo.
type absInfo struct{ value, min, max, fuzz, flat, resolution int32 }

// A Device is an open input device. Only one goroutine may use it, but any goroutine may call Close.
type Device struct {
	file *kernel.File
	info Info
}

// Open opens an input device and reads its capabilities.
func Open(path string) (*Device, error) {
	f, err := kernel.Open(path)
	if err != nil {
		return nil, err
	}
	d := &Device{file: f}
	if err := d.describe(); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return d, nil
}

func (d *Device) describe() error {
	var name [nameBytes]byte
	keys, abs, props := make(bits, keyBytes), make(bits, shortBytes), make(bits, shortBytes)
	if err := d.file.Ioctl(getName, unsafe.Pointer(&name[0])); err != nil {
		return err
	}
	for request, b := range map[uint32]bits{getKeys: keys, getAbs: abs, getProps: props} {
		if err := d.file.Ioctl(request, unsafe.Pointer(&b[0])); err != nil {
			return err
		}
		runtime.KeepAlive(b)
	}
	text, _, _ := bytes.Cut(name[:], []byte{0})
	d.info = classify(string(text), keys, abs, props)
	if !d.info.Touch {
		return nil
	}
	x, y := uint32(absX), uint32(absY)
	if d.info.Multi {
		x, y = absMTX, absMTY
	}
	var err error
	if d.info.X, err = d.axis(x); err != nil {
		return err
	}
	d.info.Y, err = d.axis(y)
	return err
}

func (d *Device) axis(n uint32) (Axis, error) {
	var a absInfo
	err := d.file.Ioctl(getAxis+n, unsafe.Pointer(&a))
	return Axis{a.min, a.max}, err
}

// Describe returns the capabilities of the device at a path. It does not change the device.
func Describe(path string) (Info, error) {
	d, err := Open(path)
	if err != nil {
		return Info{}, err
	}
	defer d.Close()
	i := d.Info()
	i.Name = printable(i.Name)
	return i, nil
}

// Info returns the capabilities of the device.
func (d *Device) Info() Info { return d.info }

// Take requests exclusive access, so that only this program receives the device's events. It does not request exclusive access to a full
// keyboard, because the user needs the keyboard to switch consoles. Take also makes the kernel use the monotonic clock for the times of
// events.
func (d *Device) Take() {
	clock := int32(monotonic)
	_ = d.file.Ioctl(setClock, unsafe.Pointer(&clock)) // an error means an older kernel, whose events have the time of the system clock
	if !d.info.Full {
		_ = d.file.IoctlValue(grab, 1) // if this fails, another program has exclusive access or receives the events too
	}
}

// Slot returns the slot to which the next values belong.
func (d *Device) Slot() int {
	var a absInfo
	if !d.info.Multi || d.file.Ioctl(getAxis+absSlot, unsafe.Pointer(&a)) != nil {
		return 0
	}
	return int(a.value)
}

// Read reads events. It waits for events, until the deadline or until Close.
func (d *Device) Read(b []byte) (int, error) { return d.file.Read(b) }

// SetReadDeadline sets the time at which Read stops waiting. The zero time means never.
func (d *Device) SetReadDeadline(t time.Time) error { return d.file.SetReadDeadline(t) }

// Close closes the device, which also ends exclusive access.
func (d *Device) Close() error { return d.file.Close() }

var _ source = (*Device)(nil)

func openSource(path string) (source, error) { return Open(path) }
