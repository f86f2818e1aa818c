package cec

import (
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"
)

// A pluggable is an adapter that can be unplugged. After that, the kernel answers every request with ENODEV (cec_ioctl in
// drivers/media/cec/core/cec-api.c).
type pluggable struct {
	*bus
	gone atomic.Bool
}

func (p *pluggable) Ioctl(request uint32, arg unsafe.Pointer) error {
	if p.gone.Load() {
		return syscall.ENODEV
	}
	return p.bus.Ioctl(request, arg)
}

// TestAdapterUnplugged: an adapter that was unplugged is reported as gone, and no goroutine asks it again.
func TestAdapterUnplugged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pluggable{bus: newBus(0x1000)}
		a, err := New(p, "wall", false)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		time.Sleep(time.Minute)
		if a.Gone() {
			t.Error("a silent adapter is gone")
		}
		p.gone.Store(true)
		time.Sleep(2 * listenTime)
		synctest.Wait()
		select {
		case <-a.ended:
		default:
			t.Error("a goroutine still asks the adapter")
		}
		if !a.Gone() {
			t.Error("an unplugged adapter is not gone")
		}
	})
}
