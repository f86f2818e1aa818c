package fb

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// RetryInterval is the time between two attempts to open a device that is
	// not there, and the least time between two looks at one that is drawn on.
	// A look costs four system calls; a person who plugs in a screen waits no
	// longer than this.
	RetryInterval = time.Second
	// LookInterval is the time between two looks at a device that nobody draws
	// on: an idle program wakes twice a minute for it.
	LookInterval = 30 * time.Second
)

// ErrAbsent is returned, wrapped with the reason, by draws that find no device.
var ErrAbsent = errors.New("no device")

// A Keeper shows frames on a device that may come and go: not there yet,
// unplugged, in another mode, or for the moment not permitted. It keeps no
// picture; Options.OnRepaint is called whenever the whole frame is needed.
//
// Its methods may be called from several goroutines.
type Keeper struct {
	opts    Options
	open    func() (Device, error)
	wake    chan struct{} // capacity 1: look now
	console atomic.Pointer[Console]

	mu      sync.Mutex // guards everything below
	display *Display   // nil while there is none
	last    State      // of the display before
	err     error      // why there is none
	hidden  bool
	halted  bool
	lost    uint64
	looked  time.Time // when the device was last asked
}

// NewKeeper returns a Keeper for what o names and tries to open it; Run keeps
// it open. Only options that can never work are an error.
func NewKeeper(o Options) (*Keeper, error) {
	return NewKeeperOf(o, o.openDevice)
}

// NewKeeperOf is NewKeeper with another way to open the device.
func NewKeeperOf(o Options, open func() (Device, error)) (*Keeper, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	k := &Keeper{opts: o, open: open, wake: make(chan struct{}, 1)}
	k.reopen() // no repaint: nothing has been drawn yet
	return k, nil
}

// Run keeps the device open until ctx is done, then halts and returns nil.
func (k *Keeper) Run(ctx context.Context) error {
	timer := time.NewTimer(k.pause())
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return k.Halt()
		case <-timer.C:
		case <-k.wake:
		}
		k.look()
		timer.Reset(k.pause())
	}
}

// pause returns the time until the next look that nobody asked for.
func (k *Keeper) pause() time.Duration {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.display == nil {
		return RetryInterval
	}
	return LookInterval
}

// repaint asks for the whole frame.
func repaint(o Options) {
	if o.OnRepaint != nil {
		o.OnRepaint()
	}
}

// look closes a device that has gone or changed and opens one that is there.
func (k *Keeper) look() {
	if k.reopen() {
		repaint(k.opts)
	}
}

// reopen reports whether there is a device that was not there before.
func (k *Keeper) reopen() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.halted {
		return false
	}
	k.looked = time.Now()
	if k.display != nil {
		err := k.display.Check()
		if err == nil {
			return false
		}
		k.drop(err)
	}
	d, err := k.newDisplay()
	if err != nil {
		k.fail(err)
		return false
	}
	k.display, k.err = d, nil
	k.leaseConsole()
	d.hidden = k.hidden // nobody else has d yet
	return true
}

func (k *Keeper) newDisplay() (*Display, error) {
	dev, err := k.open()
	if err != nil {
		return nil, err
	}
	d, err := New(dev, k.opts)
	if err != nil {
		return nil, errors.Join(err, dev.Close())
	}
	return d, nil
}

// leaseConsole takes the console when the first device is there, and tries
// again with the next if something was missing. The lease outlives devices, so
// that no text shows in between.
func (k *Keeper) leaseConsole() {
	if !k.opts.leasesConsole() {
		return
	}
	old := k.console.Load()
	if old != nil && old.Problem() == nil {
		return
	}
	old.Restore()
	// k.mu is held here and by the callbacks: they come after this.
	c := OpenConsole(k.opts.TTY, k.hide, k.unhide)
	k.hidden = c.behind
	k.console.Store(c)
}

// drop closes the display, whose device failed with err.
func (k *Keeper) drop(err error) {
	k.remember()
	_ = k.display.Halt() // err is the reason worth telling
	k.display = nil
	k.fail(err)
}

// fail notes why there is no device; the error is made once, not by each draw.
func (k *Keeper) fail(err error) { k.err = fmt.Errorf("%w: %w", ErrAbsent, err) }

// remember keeps the state of the display that is about to be closed.
func (k *Keeper) remember() {
	shown := k.last.Shown
	k.last = k.display.State()
	k.last.Shown += shown
}

func (k *Keeper) hide() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.hidden = true
	if k.display != nil {
		k.display.hide()
	}
}

// unhide has the geometry looked at too: the other console may have panned.
func (k *Keeper) unhide() {
	k.mu.Lock()
	k.hidden = false
	if k.display != nil {
		k.display.unhide()
	}
	k.mu.Unlock()
	k.lookSoon()
	repaint(k.opts)
}

func (k *Keeper) lookSoon() {
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// leaveTime bounds how long the console is kept waiting for a draw to end.
const leaveTime = 200 * time.Millisecond

// leavePage has hide go to the console's page before the console is given
// back. Without panning there is nothing to leave; a draw that hangs is not
// waited for.
func (o Options) leavePage(hide func()) {
	if !o.Pan {
		return
	}
	left := make(chan struct{})
	go func() {
		defer close(left)
		hide()
	}()
	select {
	case <-left:
	case <-time.After(leaveTime):
	}
}

// Halt implements conn.Resource: it gives the console back, closes the device
// and opens it no more. The console comes first and waits for no lock that
// DrawFrame holds, or not for long, so that Halt in a deferred function restores
// it even if a write hangs.
func (k *Keeper) Halt() error {
	k.opts.leavePage(k.hide)
	k.console.Load().Restore()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.halted {
		return nil
	}
	k.halted = true
	if k.display == nil {
		return nil
	}
	k.remember()
	err := k.display.Halt()
	k.display, k.err = nil, ErrHalted
	return err
}
