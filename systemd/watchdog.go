// Package systemd reports a program's state to systemd. Its folder also contains the systemd units.
package systemd

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// A Watchdog reports a program's state to systemd (sd_notify(3)). After the first pass of the painting loop it reports that the program
// is ready. After later passes it reports that the program is alive. No other part of the program reports this. So if the painting loop
// stops, systemd restarts the program. Without systemd, a Watchdog does nothing.
type Watchdog struct {
	period time.Duration // maximum time between two passes of an idle loop, or 0 without a watchdog
	fed    atomic.Int64  // time of the latest report that the program is alive, in Unix ns
	ready  atomic.Bool
}

// NewWatchdog reads systemd's limit from the environment (sd_watchdog_enabled(3)). The period is half of this limit. Passed sends at most
// one report in half a period.
func NewWatchdog() *Watchdog {
	limit, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		limit = 0
	}
	return &Watchdog{period: limit / 2}
}

// Period returns the maximum time between two passes of an idle loop, or 0 if there is no limit.
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

// Reloading reports that the program reads its configuration again. At the end of the reload, the caller must call Reloaded.
func (w *Watchdog) Reloading() {
	if ns, ok := monotonic(); ok {
		tell(fmt.Sprintf("%s\nMONOTONIC_USEC=%d", daemon.SdNotifyReloading, ns/1000))
	}
}

// Reloaded reports that the program runs normally again.
func (w *Watchdog) Reloaded() { tell(daemon.SdNotifyReady) }

// Says sends a short text about the program's state, which "systemctl status" shows.
func (w *Watchdog) Says(words string) { tell("STATUS=" + words) }

// Stopping reports that the program is ending.
func (w *Watchdog) Stopping() { tell(daemon.SdNotifyStopping) }

// tell sends a message. Without systemd it does nothing. It ignores errors, because the program cannot correct them.
func tell(state string) { _, _ = daemon.SdNotify(false, state) }
