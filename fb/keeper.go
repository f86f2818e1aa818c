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
	// RetryInterval is the time between two attempts to open a missing device, and the least time between two looks at
	// a device in use. A look costs four system calls, and a new screen shows its picture after this time at the latest.
	RetryInterval = time.Second
	// takenInterval is the time between two attempts to get a screen that another program has. The person who ends that
	// program looks at the screen.
	takenInterval = 300 * time.Millisecond
	// LookInterval is the time between two looks at an idle device: an idle program wakes twice a minute for it.
	LookInterval = 30 * time.Second
)

// ErrAbsent is returned, wrapped with the reason, by draws that find no device.
var ErrAbsent = errors.New("no device")

// A Keeper shows frames on a device that may come and go: not there yet,
// unplugged, in another mode, or for the moment not permitted. It keeps no
// picture. Options.OnRepaint is called whenever the whole frame is needed.
//
// Its methods may be called from several goroutines.
type Keeper struct {
	opts    Options
	source  source
	wake    chan struct{} // capacity 1: look now
	console atomic.Pointer[Console]

	mu            sync.Mutex // held while a device is used, possibly without end. It guards these and all changes of known
	halted        bool
	looked        time.Time     // when the device was last asked
	failed, again time.Time     // when it could not be drawn on, and may be opened again
	leases        int           // consoles opened so far. The last one counts
	text          bool          // only the lease keeps the console's text away
	off           bool          // the screen is to be off
	way           []image.Point // of a picture that is moved (nil for one that stays)
	step          int           // where on it
	level, warmth float64       // of light
	logged        string        // the latest logged reason
	toldFrom      time.Time     // since then
	toldLines     int           // this many lines, also those left out

	told  sync.Mutex // held for moments. To change known, mu is needed too
	known known
	lost  atomic.Uint64
}

// NewKeeper returns a Keeper for what o names and tries to open it. Run keeps
// it open. Only options that can never work are an error.
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
		k.step = int(time.Now().Unix()/int64(shiftInterval/time.Second)) % len(k.way) // programs that start often begin elsewhere
	}
	k.reopen() // no repaint: nothing has been drawn yet
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

// wander moves the picture by a pixel a minute until ctx is done.
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

// advance moves the picture to the next place of its way. While the screen is dark the picture stays and nothing is
// drawn.
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

// pause returns the time until the next scheduled look.
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
	if d := k.known.display; d != nil {
		err := d.Check()
		if err == nil {
			return false
		}
		k.drop(err)
	}
	if k.known.hidden && k.opts.Connector != nil {
		k.absent(errAway) // a mode that is set now would be on top of it
		return false
	}
	if k.looked.Before(k.again) {
		return false // Run looks again
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
		_ = d.Power(false) // a driver that cannot do it shows the wall
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

// Power switches the screen on or off, and every one that comes after it, until
// it is called again. Without a screen it is noted.
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

// Halt implements conn.Resource: it returns the console, closes the device and does not open it again. The console
// comes first and does not wait for a lock that DrawFrame holds, or not for long. So Halt in a deferred function
// restores the console even if a write hangs.
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
		_ = d.Power(true) // a wall that ends leaves no dark screen behind
	}
	err := d.Halt()
	k.learn(func(n *known) { n.display, n.err = nil, ErrHalted })
	return err
}
