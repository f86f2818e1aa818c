package main

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"golang.org/x/sys/unix"
)

// A watchdog tells systemd how the service is: ready once the first frame is painted, and alive as long
// as the render loop completes its passes. Nothing else feeds it: a wall that stands still is restarted.
type watchdog struct {
	period time.Duration // between two signs of life; 0 if nobody waits for them
	fed    atomic.Int64  // unix ns
	ready  atomic.Bool
}

// newWatchdog reads what systemd asks for, sd_watchdog_enabled(3): half of its limit is the period.
func newWatchdog() *watchdog {
	limit, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		limit = 0
	}
	return &watchdog{period: limit / 2}
}

// passed notes a completed pass of the render loop.
func (w *watchdog) passed(now time.Time) {
	if w.ready.CompareAndSwap(false, true) {
		tell(daemon.SdNotifyReady)
	}
	if w.period > 0 && now.Sub(time.Unix(0, w.fed.Load())).Abs() >= w.period/2 {
		w.fed.Store(now.UnixNano())
		tell(daemon.SdNotifyWatchdog)
	}
}

// reloading and stopping tell what is going on, sd_notify(3).
func (w *watchdog) reloading() {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) == nil {
		tell(fmt.Sprintf("%s\nMONOTONIC_USEC=%d", daemon.SdNotifyReloading, ts.Nano()/1000))
	}
}

func (w *watchdog) reloaded() { tell(daemon.SdNotifyReady) }
func (w *watchdog) stopping() { tell(daemon.SdNotifyStopping) }

// tell sends one message. Without systemd there is nobody to tell, and if it does not hear us there is
// nothing to be done about it.
func tell(state string) { _, _ = daemon.SdNotify(false, state) }
