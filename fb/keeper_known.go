package fb

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"
)

// The type known is the part of a Keeper's state that other goroutines may read while the device is in use.
type known struct {
	display *Display // nil if there is no device
	last    State    // state of the previous display. Its count Shown includes all earlier displays
	err     error    // the reason for a missing device
	hidden  bool     // true if another console is in front
}

// now() returns a copy of the known state.
func (k *Keeper) now() known {
	k.told.Lock()
	defer k.told.Unlock()
	return k.known
}

// learn changes the known state. The caller holds mu.
func (k *Keeper) learn(change func(*known)) {
	k.told.Lock()
	defer k.told.Unlock()
	change(&k.known)
}

const (
	// tellMost bounds the number of log lines about a screen within tellTime. A loose plug may
	// connect and disconnect the screen several times a second.
	tellMost = 100
	tellTime = 10 * time.Minute
)

// tell logs a line, unless it equals the last line or too many lines were logged. The caller holds mu.
func (k *Keeper) tell(what string, log func(*slog.Logger)) {
	if k.opts.Log == nil || what == k.logged {
		return
	}
	if now := time.Now(); now.Sub(k.toldFrom) >= tellTime {
		k.toldFrom, k.toldLines = now, 0
	}
	switch k.toldLines++; {
	case k.toldLines <= tellMost:
		k.logged = what
		log(k.opts.Log)
	case k.toldLines == tellMost+1:
		k.logged = ""
		k.opts.Log.Warn("no further lines for now: the screen connects too often", "device", k.String(), "pause", tellTime-time.Since(k.toldFrom))
	}
}

// drop closes the display, because its device has failed with err.
func (k *Keeper) drop(err error) {
	k.remember()
	_ = k.known.display.Halt() // err is the error to report
	k.fail(err)
}

// fail records that there is no device. It also creates the error that later calls of DrawFrame and Absent return, so that these calls
// need not create it.
func (k *Keeper) fail(err error) {
	k.learn(func(n *known) { n.display, n.err = nil, fmt.Errorf("%w: %w", ErrAbsent, err) })
}

// absent() does the work of fail() for a device that cannot be opened, and logs the reason. If the machine has no connector and no
// framebuffer, the log line is not a warning. Such a machine may be meant to have no screen.
func (k *Keeper) absent(err error) {
	k.fail(err)
	if errors.Is(err, errNoConnector) && errors.Is(err, fs.ErrNotExist) {
		k.tell(err.Error(), func(l *slog.Logger) {
			l.Info("this machine has no screen; the wall appears on one that is connected later", "reason", err)
		})
		return
	}
	k.tell(err.Error(), func(l *slog.Logger) { l.Warn("no screen", "device", k.String(), "reason", err) })
}

// remember stores the state of a display that will be closed.
func (k *Keeper) remember() {
	k.learn(func(n *known) {
		shown := n.last.Shown
		n.last = n.display.State()
		n.last.Shown += shown
	})
}
