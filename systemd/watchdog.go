// Package systemd reports a program's state to systemd. Its folder also has the units.
package systemd

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// A Watchdog reports a program's state to systemd, sd_notify(3): ready after the first pass of its painting loop, and
// alive with each later pass. Nothing else feeds it, so systemd restarts a program whose screen stands still. Without
// systemd it does nothing.
type Watchdog struct {
	period time.Duration // between two signs of life, or 0 without a watchdog
	fed    atomic.Int64  // unix ns
	ready  atomic.Bool
}

// NewWatchdog reads from the environment what systemd asks for, sd_watchdog_enabled(3): half of its limit is the period.
func NewWatchdog() *Watchdog {
	limit, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		limit = 0
	}
	return &Watchdog{period: limit / 2}
}

// Period returns how long an idle loop may sleep between two passes, or 0 without a limit.
func (w *Watchdog) Period() time.Duration { return w.period }

// Passed notes a completed pass of the painting loop. It may be called from any goroutine.
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
