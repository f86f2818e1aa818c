//go:build linux

package board

import (
	"errors"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3/gpio"
)

// The number of an ioctl request contains the size of the request's structure. On every architecture, the structures must have these
// sizes.
func TestSizes(t *testing.T) {
	for name, c := range map[string]struct {
		request uint32
		size    uintptr
	}{
		"chip":    {getChipInfo, unsafe.Sizeof(unix.GPIOChipInfo{})},
		"info":    {unix.GPIO_V2_GET_LINEINFO_IOCTL, unsafe.Sizeof(unix.GPIOV2LineInfo{})},
		"request": {unix.GPIO_V2_GET_LINE_IOCTL, unsafe.Sizeof(unix.GPIOV2LineRequest{})},
		"values":  {unix.GPIO_V2_LINE_GET_VALUES_IOCTL, unsafe.Sizeof(unix.GPIOV2LineValues{})},
	} {
		if want := uintptr(c.request >> 16 & 0x3fff); c.size != want {
			t.Errorf("%s: got %d bytes, want %d", name, c.size, want)
		}
	}
	if n := unsafe.Sizeof(unix.GPIOV2LineEvent{}); n != eventBytes {
		t.Errorf("event: got %d bytes", n)
	}
}

func TestOpenWithoutChips(t *testing.T) {
	if _, err := openIn(t.TempDir(), 17, gpio.PullDown, "test"); !errors.Is(err, ErrNone) {
		t.Errorf("got %v", err)
	}
}
