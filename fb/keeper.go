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
	// RetryInterval is the time between two attempts to open a missing device, and the least time between two checks of a device in
	// use. A check costs four system calls. A new screen shows its picture within this time.
	RetryInterval = time.Second
	// takenInterval is the time between two attempts to get a screen that another program uses. It is short, because the user who
	// ends that program expects the wall at once.
	takenInterval = 300 * time.Millisecond
	// LookInterval is the time between two checks of an idle device. An idle program wakes twice a minute for them.
	LookInterval = 30 * time.Second
)

// ErrAbsent is wrapped, together with the reason, by the errors of draws without a device.
var ErrAbsent = errors.New("no device")

// A Keeper shows frames on a device that may be missing for a while: it has not appeared yet, it is unplugged, it is in another
// mode, or the program may not open it now. It stores no picture. Options.OnRepaint is called whenever the whole frame is needed.
//
// Its methods may be called from several goroutines.
type Keeper struct {
	opts    Options
	source  source
	wake    chan struct{} // capacity 1. A value requests a check of the device
	console atomic.Pointer[Console]

	mu            sync.Mutex // held while a device is used, possibly forever. Guards the following fields and all changes of known
	halted        bool
	looked        time.Time     // time of the latest check of the device
	failed, again time.Time     // time of a failed draw, and time at which the device may be opened again
	leases        int           // number of consoles opened so far. Only the last one counts
	text          bool          // only the lease keeps the console's text away
	off           bool          // the screen should be off
	way           []image.Point // positions of a picture that moves (nil if it does not move)
	step          int           // index of the current position
	level, warmth float64       // brightness and warmth of the light
	logged        string        // the reason that was logged last
	toldFrom      time.Time     // since then
	toldLines     int           // number of log lines, including suppressed ones

	told  sync.Mutex // held only for moments. To change known, the caller also needs mu
	known known
	lost  atomic.Uint64
}

// NewKeeper returns a Keeper for the device of the options and tries to open it. Run keeps it open. Only options that can never
// work are an error.
func NewKeeper(o Options) (*Keeper, error) {
	return newKeeper(o, o.source())
}

// NewKeeperOf is NewKeeper with another way to open the device.
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
		k.step = int(time.Now().Unix()/int64(shiftInterval/time.Second)) % len(k.way) // programs that restart often begin at another position
	}
	k.reopen() // no repaint, because nothing was drawn yet
	return k, nil
}

// Run keeps the device open until ctx is done, then halts and returns nil.
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

// wander moves the picture by one pixel each minute until ctx is done.
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

// advance moves the picture to its next position. While the screen is dark, nothing is moved or drawn.
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

// repaint requests the whole frame.
func repaint(o Options) {
	if o.OnRepaint != nil {
		o.OnRepaint()
	}
}

// look closes a device that was removed or has changed, and opens a device that has appeared.
func (k *Keeper) look() {
	if k.reopen() {
		repaint(k.opts)
	}
}

// reopen opens the device if necessary. It reports whether a device was opened.
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
		k.absent(errAway) // a mode that is set now would hide the other console
		return false
	}
	if k.looked.Before(k.again) {
		return false // Run checks again
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
		_ = d.Power(false) // if the driver cannot switch the screen off, the wall is shown
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

// Power switches the current screen and every later one on or off, until the next call. If there is no screen, the state is stored.
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

// Halt implements conn.Resource. It releases the console, closes the device and does not open it again. The console is released
// first, with at most a short wait for a lock that DrawFrame holds. So Halt in a deferred function restores the console even if a
// write hangs.
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
		_ = d.Power(true) // leave the screen on at the end
	}
	err := d.Halt()
	k.learn(func(n *known) { n.display, n.err = nil, ErrHalted })
	return err
}
