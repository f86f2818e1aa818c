//go:build linux

package main

import (
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const (
	watchdogDevice = "/dev/watchdog0"
	watchdogTime   = 14              // seconds. A Raspberry Pi counts to 15 at most. systemd takes over with the same value
	watchdogPause  = 4 * time.Second // between two signs of life
	watchdogLimit  = time.Minute     // for everything before systemd. The card alone may take cardTime
)

// A watchdog restarts the board if this program stands still before it has become systemd. From then on systemd feeds
// it: closing the device without a word leaves it armed (Documentation/watchdog/watchdog-api.rst).
type watchdog struct{ armed, off bool }

// newWatchdog leaves the board's watchdog alone if systemd is configured to do so, as QEMU's Raspberry Pi needs it.
func newWatchdog() *watchdog {
	line, _ := os.ReadFile("/proc/cmdline") // what cannot be read asks for nothing
	return &watchdog{off: slices.Contains(strings.Fields(string(line)), "systemd.watchdog_sec=0")}
}

// arm arms the watchdog once its driver is there.
func (w *watchdog) arm() {
	if w.armed || w.off {
		return
	}
	f, err := os.OpenFile(watchdogDevice, os.O_WRONLY, 0)
	if err != nil {
		return // not yet, or this machine has none
	}
	w.armed = true
	if err := unix.IoctlSetPointerInt(int(f.Fd()), unix.WDIOC_SETTIMEOUT, watchdogTime); err != nil {
		say("watchdog: %v", err)
	}
	go feed(f, watchdogLimit, time.Sleep)
}

// feed gives a sign of life every watchdogPause, up to a limit: a start that hangs ends by the watchdog.
func feed(w io.Writer, limit time.Duration, sleep func(time.Duration)) {
	for spent := time.Duration(0); spent < limit; spent += watchdogPause {
		if _, err := w.Write([]byte{0}); err != nil { // any byte except V, which switches it off
			say("watchdog: %v", err)
			return
		}
		sleep(watchdogPause)
	}
}
