package ddc

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"unsafe"

	"dashboard/fb/kernel"
)

// Requests and flags of include/uapi/linux/i2c-dev.h and i2c.h.
const (
	i2cRdwr  = 0x707
	i2cFuncs = 0x705
	funcI2C  = 1 // I2C_FUNC_I2C
	flagRead = 1 // I2C_M_RD
)

// message is struct i2c_msg. Its layout is the same as in C, on 32-bit and on 64-bit machines.
type message struct {
	address, flags, length uint16
	data                   *byte
}

// messages is struct i2c_rdwr_ioctl_data.
type messages struct {
	list  *message
	count uint32
}

// A wire is an open I2C bus of the kernel.
type wire struct{ file *kernel.File }

// OpenBus opens the device of an I2C bus, such as /dev/i2c-1.
func OpenBus(path string) (Bus, error) {
	f, err := kernel.Open(path)
	if err != nil {
		return nil, err
	}
	var funcs uintptr
	if err := f.Ioctl(i2cFuncs, unsafe.Pointer(&funcs)); err != nil || funcs&funcI2C == 0 {
		_ = f.Close()
		return nil, fmt.Errorf("%s: it is no I2C bus for messages", path)
	}
	return &wire{f}, nil
}

func (w *wire) transfer(b []byte, flags uint16) error {
	m := message{address: Address, flags: flags, length: uint16(len(b)), data: &b[0]}
	all := messages{&m, 1}
	err := w.file.Ioctl(i2cRdwr, unsafe.Pointer(&all))
	runtime.KeepAlive(&m)
	return err
}

func (w *wire) Write(b []byte) error { return w.transfer(b, 0) }
func (w *wire) Read(b []byte) error  { return w.transfer(b, flagRead) }
func (w *wire) Close() error         { return w.file.Close() }

var busName = regexp.MustCompile(`^i2c-[0-9]{1,4}$`)

// BusOf returns the path of the I2C bus of the monitor on a connector. `sysfs` is a folder such as /sys/class/drm, in which
// card0-HDMI-A-1/ddc is a link to the bus. If the driver does not report the bus, BusOf returns "".
func BusOf(sysfs, card, connector string) string {
	to, err := os.Readlink(filepath.Join(sysfs, card+"-"+connector, "ddc"))
	if err != nil || !busName.MatchString(filepath.Base(to)) {
		return ""
	}
	return filepath.Join("/dev", filepath.Base(to))
}
