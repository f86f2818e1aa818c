package fb

import (
	"image"
	"testing"
)

// stuckDevice hangs when a page is shown, until the test releases it.
type stuckDevice struct {
	fakeDevice
	began, end chan struct{}
}

func (d stuckDevice) Pan(int) error {
	d.began <- struct{}{}
	<-d.end
	return nil
}

// TestStateWhileDrawHangs: the state and the size of the screen are available while a draw does not end.
func TestStateWhileDrawHangs(t *testing.T) {
	g := paddedGeometry(RGB565, 16, 8, 0, image.Point{})
	g.VirtualHeight, g.Size = 16, 2*g.Size
	dev := stuckDevice{fakeDevice{g, make([]byte, g.Size)}, make(chan struct{}), make(chan struct{})}
	k, err := NewKeeperOf(Options{Pan: true, TTY: NoTTY}, func() (Device, error) { return dev, nil })
	if err != nil {
		t.Fatal(err)
	}
	frame := noise(k.Bounds())
	drawn := make(chan error)
	go func() { drawn <- k.DrawFrame(frame, nil) }()
	<-dev.began
	asked := make(chan State)
	go func() { // if one of these calls hangs, the test fails after ten minutes, and the goroutine dump shows the call
		_ = k.String()
		_ = k.pause()
		if k.Bounds() != image.Rect(0, 0, 16, 8) {
			t.Errorf("bounds: got %v", k.Bounds())
		}
		asked <- k.State()
	}()
	if s := <-asked; !s.Open || s.Shown != 0 || s.Panning != "on" || s.Geometry != g {
		t.Errorf("got %+v, want the state before the draw ends", s)
	}
	close(dev.end)
	if err := <-drawn; err != nil {
		t.Fatal(err)
	}
	if s := k.State(); s.Shown != 1 {
		t.Errorf("got %d frames shown, want 1", s.Shown)
	}
	go func() { <-dev.began }() // receives the value that dev sends when Halt shows the console's page
	if err := k.Halt(); err != nil {
		t.Error(err)
	}
}

// leaseFrom gives k a console on the simulated terminal t.
func (k *Keeper) leaseFrom(t terminal) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.lease(func(release, acquire func()) *Console { return lease(t, 0, release, acquire) })
}

// TestOldLease: a signal for an old lease does not affect the present lease.
func TestOldLease(t *testing.T) {
	g := paddedGeometry(RGB565, 16, 8, 0, image.Point{})
	repaints := 0
	k, err := NewKeeperOf(Options{TTY: NoTTY, OnRepaint: func() { repaints++ }}, func() (Device, error) {
		return fakeDevice{g, make([]byte, g.Size)}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Halt()
	k.leaseFrom(newFakeTerminal())
	old := k.console.Load()
	old.Restore()
	k.leaseFrom(newFakeTerminal())
	old.answer(releaseSignal)
	if k.State().Hidden {
		t.Error("the old lease hid the screen of the new one")
	}
	k.console.Load().answer(releaseSignal)
	if !k.State().Hidden {
		t.Error("the new lease did not hide the screen")
	}
	old.answer(acquireSignal)
	if !k.State().Hidden || repaints != 0 {
		t.Errorf("hidden %v and %d repaints after the old lease's signal, want true and 0", k.State().Hidden, repaints)
	}
	k.console.Load().answer(acquireSignal)
	if k.State().Hidden || repaints != 1 {
		t.Errorf("hidden %v and %d repaints after the new lease's signal, want false and 1", k.State().Hidden, repaints)
	}
}
