package fb_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/fb"
	"dashboard/fb/fbtest"
)

func TestVSync(t *testing.T) {
	const frame = 16 * time.Millisecond
	blank := func() error {
		now := time.Now()
		time.Sleep(now.Truncate(frame).Add(frame).Sub(now))
		return nil
	}
	hang := make(chan struct{})
	waits := 0
	for _, test := range []struct {
		name  string
		wait  func() error
		state string
		took  time.Duration // maximum duration of the three draws together
	}{
		{"real", blank, "on", 3 * frame},
		{"returns at once", func() error { return nil }, "off: the driver does not wait", 0},
		{"not there", func() error { return errors.New("inappropriate ioctl for device") }, "off: inappropriate ioctl for device", 0},
		{"hangs at first", func() error { <-hang; return nil }, "probing", 0},
		{"hangs later", func() error {
			if waits++; waits > 5 {
				<-hang
			}
			return blank()
		}, "off: the driver did not return in time", frame + 50*time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hang = make(chan struct{})
				m := memory(16, 8)
				m.SetWaitVSync(test.wait)
				d := newDisplay(t, m, fb.Options{VSync: true})
				time.Sleep(10 * frame) // by now, vsync.run has tested the driver
				start := time.Now()
				for i := range 3 {
					mustDraw(t, d.DrawFrame(fbtest.Pattern(d.Bounds(), i), nil))
				}
				if took := time.Since(start); took > test.took || test.state == "on" && took < 2*frame {
					t.Errorf("three draws: got %v, want at most %v", took, test.took)
				}
				if got := d.State().VSync; got != test.state {
					t.Errorf("state: got %q, want %q", got, test.state)
				}
				start = time.Now()
				mustDraw(t, d.Halt())
				if took := time.Since(start); took > 100*time.Millisecond {
					t.Errorf("Halt took %v", took)
				}
				close(hang)
				time.Sleep(time.Second) // by now, the call of the driver has returned
				synctest.Wait()
				if !m.Closed() {
					t.Error("the device was not closed")
				}
			})
		})
	}
}

// TestVSyncFailsLater: waiting for a blank works at first, and fails later. The draws after that still succeed, and State.VSync contains
// the error.
func TestVSyncFailsLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := memory(16, 8)
		m.SetWaitVSync(func() error { time.Sleep(16 * time.Millisecond); return nil })
		d := newDisplay(t, m, fb.Options{VSync: true})
		time.Sleep(time.Second)
		m.SetWaitVSync(func() error { return errors.New("no such device") })
		for i := range 3 {
			mustDraw(t, d.DrawFrame(fbtest.Pattern(d.Bounds(), i), nil))
		}
		if got, want := d.State().VSync, "off: no such device"; got != want {
			t.Errorf("state: got %q, want %q", got, want)
		}
		mustDraw(t, d.Halt())
	})
}

// A driver without support for vertical blanks is not reported as a fault.
func TestNoVSyncIsNoFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDisplay(t, memory(16, 8), fb.Options{VSync: true})
		synctest.Wait()
		if got := d.State().VSync; !strings.HasPrefix(got, "not needed: ") {
			t.Errorf("state: got %q, want no fault", got)
		}
		mustDraw(t, d.Halt())
	})
}
