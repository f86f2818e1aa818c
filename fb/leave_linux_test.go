package fb

import (
	"fmt"
	"image"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// loggingDevice has two pages. It writes each change of the visible page into a terminal's log.
type loggingDevice struct {
	fakeDevice
	log *fakeTerminal
}

func (d loggingDevice) Pan(row int) error { return d.log.do("pan", fmt.Sprint(row)) }

// newLeased returns a Keeper with a console. Its display uses two pages. `row` was the first visible row when the device was opened.
func newLeased(t *testing.T, row int) (*Keeper, *fakeTerminal) {
	t.Helper()
	g := paddedGeometry(RGB565, 16, 8, 0, image.Point{})
	g.VirtualHeight, g.Size, g.YOffset = 16, 2*g.Size, row
	log := newFakeTerminal()
	k, err := NewKeeperOf(Options{Pan: true, TTY: NoTTY}, func() (Device, error) {
		return loggingDevice{fakeDevice{g, make([]byte, g.Size)}, log}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	k.leaseFrom(log)
	log.steps()
	return k, log
}

// TestLeavePage: the console's page is made visible before the console is released, whichever page
// was visible when the display was opened.
func TestLeavePage(t *testing.T) {
	for _, c := range []struct{ opened, draws int }{{0, 1}, {0, 2}, {8, 0}, {8, 1}, {8, 2}} {
		k, log := newLeased(t, c.opened)
		for range c.draws {
			if err := k.DrawFrame(noise(k.Bounds()), nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := k.Halt(); err != nil {
			t.Fatal(err)
		}
		steps := log.steps()
		text := slices.Index(steps, fmt.Sprint("kd ", kdText))
		page := c.opened
		for i, s := range steps {
			var row int
			if n, _ := fmt.Sscanf(s, "pan %d", &row); n == 1 {
				page = row
				if i > text {
					t.Errorf("opened at %d, %d draws: %q after the console was given back", c.opened, c.draws, s)
				}
			}
		}
		if page != 0 || text < 0 {
			t.Errorf("opened at %d, %d draws: the console finds row %d shown; %q", c.opened, c.draws, page, steps)
		}
	}
}

// TestLeavePageHung: if a draw never ends, the console is released after leaveTime. Without
// panning, the release does not wait for the draw.
func TestLeavePageHung(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for pan, want := range map[bool]time.Duration{true: leaveTime, false: 0} {
			ended := make(chan struct{})
			began := time.Now()
			Options{Pan: pan}.leavePage(func() { <-ended })
			if got := time.Since(began); got != want {
				t.Errorf("panning %v: left after %v, want %v", pan, got, want)
			}
			close(ended)
		}
	})
}
