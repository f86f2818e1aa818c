package rig

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"time"
)

// A partsBench is a computer whose kernel emulates the devices around a screen: a television, a monitor, a light sensor and a touchscreen.
// The tests of package parts run on it.
type partsBench struct{ *computer }

const guestParts = "/parts"

// partsDrivers lists the drivers that emulate devices. partsWords are their parameters on the kernel's command line.
var partsDrivers = []string{"virtio_input", "evdev", "vivid", "vhci_hcd", "i2c_tiny_usb", "i2c_dev", "bh1750", "uinput"}

const partsWords = " vivid.n_devs=1"

func newPartsBench(ctx context.Context, l *lab, m *machine, dir string) (trial, error) {
	c, err := newComputer(ctx, l, m, nil, dir)
	return &partsBench{c}, err
}

func (b *partsBench) probes() []probe {
	return []probe{
		{"a television on CEC: off, on, away, watched by somebody", b.runs("TestTelevision")},
		{"a monitor on its own wire: dimmed, off, on, faulty, unplugged", b.runs("TestMonitor")},
		{"a light sensor: the room gets dark, the sensor goes", b.runs("TestLight")},
		{"taps, double taps and swipes on a screen turned each way", b.runs("TestTouch")},
		{"a touch wakes; the touchscreen goes and comes; lost events", b.runs("TestTouchWakes")},
		{"a touch wakes a remote screen that is off with its wall", b.runs("TestRemoteTouch")},
		{"a line of the board wakes, for a while", b.runs("TestLine")},
		{"a framebuffer whose screen another program has is not off", b.runs("TestForeignMaster")},
		{"a change on the connector, and on the framebuffer", b.pace},
	}
}

// loadLate loads the drivers if they are not loaded yet.
func (b *partsBench) loadLate() error {
	err := b.guest.load(b.late)
	b.late = nil
	return err
}

// partsTime is the maximum time of one test in the machine.
const partsTime = 10 * time.Minute

// runs() returns a function that runs a test in the machine. If the test prints the line PRESS, the machine's button is pressed.
func (b *partsBench) runs(name string) func() error {
	return func() (err error) {
		if err := b.loadLate(); err != nil {
			return err
		}
		b.pid, err = b.guest.start(nil, guestParts, "-inside", fmt.Sprintf("-whole=%v", *whole), "-test.v", "-test.run", "^"+name+"$")
		if err != nil {
			return err
		}
		pressed := 0
		for end := time.Now().Add(partsTime); ; {
			a, err := b.guest.wait(b.pid, 10*lookPause)
			if err != nil {
				return err
			}
			if presses := b.logged("PRESS"); presses > pressed {
				pressed++
				if err := b.Do("system_powerdown", nil); err != nil {
					return err
				}
			}
			if a.Ended {
				log := b.guest.log(b.pid)
				b.pid = 0
				return b.verdict(a.Status, log)
			}
			if time.Now().After(end) {
				_ = b.guest.signal(b.pid, syscall.SIGQUIT)
				return fmt.Errorf("%s has not ended after %v", name, partsTime)
			}
		}
	}
}

// verdict returns a test's result, from the exit status and output of its program.
func (b *partsBench) verdict(status int, log string) error {
	if status != 0 || !strings.Contains(log, "--- PASS") {
		return fmt.Errorf("exit status %d:\n%s", status, log)
	}
	for line := range strings.Lines(log) {
		if _, text, ok := strings.Cut(line, "measured: "); ok {
			b.note("%s", strings.TrimSpace(text))
		}
	}
	return nil
}
