//go:build linux

package appliance

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
	watchdogTime   = 14              // timeout in seconds. A Raspberry Pi supports at most 15. systemd uses the same value later
	watchdogPause  = 4 * time.Second // time between two writes to the watchdog
	watchdogLimit  = time.Minute     // time limit for everything before the start of systemd. Finding the card may take cardTime
)

// A watchdog restarts the board if this program hangs before it has become systemd. After that, systemd feeds the watchdog. This program
// closes the device without writing the byte V, so the watchdog stays armed (Documentation/watchdog/watchdog-api.rst).
type watchdog struct{ armed, off bool }

// newWatchdog returns a watchdog. It is off if the kernel's command line makes systemd ignore the board's watchdog. QEMU's Raspberry Pi
// needs this setting.
func newWatchdog() *watchdog {
	line, _ := os.ReadFile("/proc/cmdline") // a file that cannot be read counts as empty
	return &watchdog{off: slices.Contains(strings.Fields(string(line)), "systemd.watchdog_sec=0")}
}

// arm arms the watchdog once its driver has been loaded.
func (w *watchdog) arm() {
	if w.armed || w.off {
		return
	}
	f, err := os.OpenFile(watchdogDevice, os.O_WRONLY, 0)
	if err != nil {
		return // the driver is not loaded yet, or this machine has no watchdog
	}
	w.armed = true
	if err := unix.IoctlSetPointerInt(int(f.Fd()), unix.WDIOC_SETTIMEOUT, watchdogTime); err != nil {
		say("watchdog: %v", err)
	}
	go feed(f, watchdogLimit, time.Sleep)
}

// feed writes to the watchdog every watchdogPause until a limit. If the start takes longer, nothing feeds the watchdog, and the watchdog
// restarts the board.
func feed(w io.Writer, limit time.Duration, sleep func(time.Duration)) {
	for spent := time.Duration(0); spent < limit; spent += watchdogPause {
		if _, err := w.Write([]byte{0}); err != nil { // any byte except V, because V disarms the watchdog
			say("watchdog: %v", err)
			return
		}
		sleep(watchdogPause)
	}
}
