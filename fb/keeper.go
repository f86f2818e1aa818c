package fb

import (
	"context"
	"errors"
	"image"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"dashboard/fb/drm"
)

const (
	// RetryInterval is the time between two attempts to open a missing device, so a new screen shows its picture within this time. It is
	// also the minimum time between two checks of a device in use. A check makes four system calls.
	RetryInterval = time.Second
	// takenInterval is the time between two attempts to get a screen that another program uses. It is short, because a user who ends that
	// program expects the wall at once.
	takenInterval = 300 * time.Millisecond
	// LookInterval is the time between two checks of an idle device. An idle program wakes twice a minute for these checks.
	LookInterval = 30 * time.Second
)

// ErrAbsent is in the error of every draw without a device. The error usually also contains the reason.
var ErrAbsent = errors.New("no device")

// A Keeper shows frames on a device that may be missing for a while. For example, the device has
// not appeared yet, is unplugged, changes its mode, or cannot be opened because of its permissions.
// A Keeper stores no picture. It calls Options.OnRepaint whenever it needs the whole frame.
//
// Its methods may be called from several goroutines.
type Keeper struct {
	opts    Options
	source  source
	wake    chan struct{} // capacity 1. A value requests a check of the device
	console atomic.Pointer[Console]

	mu            sync.Mutex // held while the device is used, even if the driver hangs. It guards the following fields
	halted        bool
	looked        time.Time     // time of the latest check
	failed, again time.Time     // time of the latest failed draw, and earliest time to open the device again
	leases        int           // number of leases of the console so far. Only the latest lease counts
	text          bool          // true if the lease hides the kernel's text
	off           bool          // true if Power has requested to switch the screen off
	way           []image.Point // positions of the picture that prevent burn-in, or nil if the picture does not move
	step          int           // index of the present position in `way`
	level, warmth float64       // arguments of the latest Tint
	logged        string        // the latest log line
	toldFrom      time.Time     // start of the period in which log lines are counted
	toldLines     int           // number of lines in this period, including suppressed ones

	told  sync.Mutex // held only for moments. It guards the field `known`. To change this field, hold mu too
	known known
	lost  atomic.Uint64
}

// NewKeeper returns a Keeper for the device that the options describe, and tries to open the device. Run then keeps the device open. Halt
// closes it, and must be called even without Run. NewKeeper returns an error only for options that can never work.
func NewKeeper(o Options) (*Keeper, error) {
	return newKeeper(o, o.source())
}

// NewKeeperOf does the same as NewKeeper, but the function `open` opens the device.
func NewKeeperOf(o Options, open func() (Device, error)) (*Keeper, error) {
	return newKeeper(o, plainSource(open))
}

func newKeeper(o Options, s source) (*Keeper, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	k := &Keeper{opts: o, source: s, wake: make(chan struct{}, 1), level: 1}
	if o.Shift > 0 {
		k.way = walk(o.Shift)
		// The first position depends on the time. So a program that restarts often does not always begin at the same position.
		k.step = int(time.Now().Unix()/int64(shiftInterval/time.Second)) % len(k.way)
	}
	s.listen()
	k.reopen() // no repaint, because nothing was drawn yet
	return k, nil
}

// Run keeps the device open until ctx is done. Then it halts the Keeper and returns the result of Halt.
func (k *Keeper) Run(ctx context.Context) error {
	timer := time.NewTimer(k.pause())
	defer timer.Stop()
	var watching sync.WaitGroup
	defer watching.Wait()
	watching.Go(func() { k.source.watch(ctx, k.lookSoon) })
	if k.way != nil {
		watching.Go(func() { k.wander(ctx) })
	}
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

// wander moves the picture by one pixel each minute, until ctx is done.
func (k *Keeper) wander(ctx context.Context) {
	tick := time.NewTicker(shiftInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			k.advance()
		}
	}
}

// advance moves the picture to its next position and requests a repaint. While the screen is off, it does nothing.
func (k *Keeper) advance() {
	k.mu.Lock()
	d := k.known.display
	moves := d != nil && !k.off
	if moves {
		k.step = (k.step + 1) % len(k.way)
		d.shiftTo(k.way[k.step])
	}
	k.mu.Unlock()
	if moves {
		repaint(k.opts)
	}
}

// pause returns the time until the next scheduled check.
func (k *Keeper) pause() time.Duration {
	switch n := k.now(); {
	case n.display != nil:
		return LookInterval
	case errors.Is(n.err, drm.ErrTaken):
		return takenInterval
	}
	return RetryInterval
}

// repaint asks the program to draw the whole frame.
func repaint(o Options) {
	if o.OnRepaint != nil {
		o.OnRepaint()
	}
}

// look checks the device. It closes a device that was removed or has changed, and opens a device that has appeared.
func (k *Keeper) look() {
	if k.reopen() {
		repaint(k.opts)
	}
}

// reopen opens the device if it is missing or has changed. It reports whether it has opened a device.
func (k *Keeper) reopen() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.halted {
		return false
	}
	k.looked = time.Now()
	if d := k.known.display; d != nil {
		err := d.Check()
		if err == nil {
			return false
		}
		k.drop(err)
	}
	if k.known.hidden && k.opts.Connector != nil {
		k.absent(errAway) // setting a mode now would hide the other console
		return false
	}
	if k.looked.Before(k.again) {
		return false // try again at the next check
	}
	d, err := k.newDisplay()
	if err != nil {
		k.absent(err)
		return false
	}
	if k.way != nil {
		d.shiftTo(k.way[k.step])
	}
	d.tint(k.level, k.warmth)
	k.learn(func(n *known) { n.display, n.err = d, nil })
	k.leaseConsole(d.geometry.Connector == "")
	d.hidden.Store(k.known.hidden)
	if k.off {
		_ = d.Power(false) // if the driver cannot switch the screen off, the wall stays visible
	}
	k.tell("screen "+d.geometry.String(), func(l *slog.Logger) {
		l.Info("screen", "device", k.String(), "geometry", d.geometry.String(), "vsync", d.vsync.String())
	})
	return true
}

func (k *Keeper) newDisplay() (*Display, error) {
	dev, err := k.source.open()
	if err != nil {
		return nil, err
	}
	d, err := New(dev, k.opts)
	if err != nil {
		return nil, errors.Join(err, dev.Close())
	}
	return d, nil
}

// Power switches the screen on or off. Later screens get the same state. If there is no screen, Power only stores the state.
func (k *Keeper) Power(on bool) error {
	err := k.power(on)
	if err == nil && on {
		repaint(k.opts)
	}
	return err
}

func (k *Keeper) power(on bool) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.halted {
		return ErrHalted
	}
	k.off = !on
	if k.known.display == nil {
		return nil
	}
	return k.known.display.Power(on)
}

func (k *Keeper) lookSoon() {
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// Halt implements conn.Resource. It first releases the console, then closes the device, and never opens the device again. Before it
// releases the console, it waits only briefly for a draw to end. So a deferred Halt restores the console even if a write to the screen
// hangs.
func (k *Keeper) Halt() error {
	k.opts.leavePage(k.hide)
	k.console.Load().Restore()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.halted {
		return nil
	}
	k.halted = true
	defer k.source.close()
	d := k.known.display
	if d == nil {
		return nil
	}
	k.remember()
	if k.off {
		_ = d.Power(true) // leave the screen switched on
	}
	err := d.Halt()
	k.learn(func(n *known) { n.display, n.err = nil, ErrHalted })
	return err
}
