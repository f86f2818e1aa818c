// Package systemd reports a program's state to systemd. Its folder also has the units.
package systemd

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// A Watchdog reports a program's state to systemd, sd_notify(3): ready after the first pass of its painting loop, and alive after
// each later pass. Nothing else reports that the program is alive, so systemd restarts a program whose screen has stopped. Without
// systemd it does nothing.
type Watchdog struct {
	period time.Duration // time between two signs of life, or 0 if there is no watchdog
	fed    atomic.Int64  // unix ns
	ready  atomic.Bool
}

// NewWatchdog reads systemd's limit from the environment, sd_watchdog_enabled(3). The period is half of the limit.
func NewWatchdog() *Watchdog {
	limit, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		limit = 0
	}
	return &Watchdog{period: limit / 2}
}

// Period returns the longest sleep of an idle loop between two passes, or 0 if there is no limit.
func (w *Watchdog) Period() time.Duration { return w.period }

// Passed reports a completed pass of the painting loop. It may be called from any goroutine.
func (w *Watchdog) Passed(now time.Time) {
	if w.ready.CompareAndSwap(false, true) {
		tell(daemon.SdNotifyReady)
	}
	if w.period > 0 && now.Sub(time.Unix(0, w.fed.Load())).Abs() >= w.period/2 {
		w.fed.Store(now.UnixNano())
		tell(daemon.SdNotifyWatchdog)
	}
}

// Reloading reports that the configuration is being read again, until Reloaded.
func (w *Watchdog) Reloading() {
	if ns, ok := monotonic(); ok {
		tell(fmt.Sprintf("%s\nMONOTONIC_USEC=%d", daemon.SdNotifyReloading, ns/1000))
	}
}

// Reloaded reports that the program runs normally.
func (w *Watchdog) Reloaded() { tell(daemon.SdNotifyReady) }

// Says sends the program's state in a few words, for "systemctl status".
func (w *Watchdog) Says(words string) { tell("STATUS=" + words) }

// Stopping reports that the program is ending.
func (w *Watchdog) Stopping() { tell(daemon.SdNotifyStopping) }

// tell sends one message. It does nothing without systemd, and ignores errors because there is no remedy.
func tell(state string) { _, _ = daemon.SdNotify(false, state) }
