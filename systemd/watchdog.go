// Package systemd tells systemd how a program is, beside the units that have it listen.
package systemd

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// A Watchdog tells systemd how a program is, sd_notify(3): ready once the first pass of its painting loop is done, and alive
// as long as more follow. Nothing else feeds it: a screen that stands still is started again. Without systemd it is silent.
type Watchdog struct {
	period time.Duration // between two signs of life; 0 if nobody waits for them
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

// Period is how long a loop that has nothing to do may sleep between two passes; 0 if nobody minds.
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

// Reloading tells that the configuration is being read again; Reloaded ends that.
func (w *Watchdog) Reloading() {
	if ns, ok := monotonic(); ok {
		tell(fmt.Sprintf("%s\nMONOTONIC_USEC=%d", daemon.SdNotifyReloading, ns/1000))
	}
}

// Reloaded tells that the program runs as before.
func (w *Watchdog) Reloaded() { tell(daemon.SdNotifyReady) }

// Says tells in a few words how the program is, for "systemctl status".
func (w *Watchdog) Says(words string) { tell("STATUS=" + words) }

// Stopping tells that the program is ending.
func (w *Watchdog) Stopping() { tell(daemon.SdNotifyStopping) }

// tell sends one message. Without systemd there is nobody to tell, and if it does not hear us there is
// nothing to be done about it.
func tell(state string) { _, _ = daemon.SdNotify(false, state) }
