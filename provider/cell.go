package provider

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// A Cell holds the latest sample of one source. The zero value is ready for use and wakes no loop. All methods may be called from
// any goroutine. [Cell.Load] never waits and never allocates.
type Cell struct {
	latest atomic.Pointer[Sample]
	wake   func() // immutable; may be nil

	// Viewers of the value, for sources that are read only while the value is seen.
	looked atomic.Int64                  // time of the last look in Unix ns; 0 is never
	waits  atomic.Pointer[chan struct{}] // channel of the waiting source, capacity 1; nil if no source waits
	from   []*Cell                       // the cells from which the value is computed. Must not change after the first look
	source atomic.Pointer[string]        // configured name of the source; nil if it has none

	// tried is called with the error of every attempt, or with nil after a success. It is immutable and may be nil. No locks are
	// held during the call.
	tried func(err error)

	mu       sync.Mutex // guards changes of latest, and watchers. Readers do not take it
	account  account
	watchers map[chan<- struct{}]struct{}
}

// never is the sample of an empty cell.
var never Sample

// NewCell returns an empty cell that calls wake after every change. wake must not block, and may be nil.
func NewCell(wake func()) *Cell { return &Cell{wake: wake} }

// Load returns the latest sample. It is never nil: at first it is a zero sample. The caller must not change it.
func (c *Cell) Load() *Sample {
	if s := c.latest.Load(); s != nil {
		return s
	}
	return &never
}

// Promise sets the interval that the source intends to keep. It applies from the next sample on. 0 means no interval.
func (c *Cell) Promise(interval time.Duration) {
	c.change(func(s *Sample) { s.Interval = interval })
}

// Publish stores value with its time. From then on the cell owns the value. If the memory for all values has no room for it, the
// last value stays, and the sample has an error that wraps budget.ErrTooLarge.
func (c *Cell) Publish(value any, at time.Time) {
	c.PublishPart(value, at, nil)
}

// PublishPart is Publish for an incomplete value. err is the reason, or nil if nothing is missing.
func (c *Cell) PublishPart(value any, at time.Time, err error) {
	c.change(func(s *Sample) {
		s.Tried = at
		if large := c.account.charge(value); large != nil {
			err = large
			s.fail(err, at)
			return
		}
		s.Value, s.At = value, at
		s.fail(err, at)
		s.Seq++
	})
	c.notify(err)
}

// Fail records a failed attempt at the given time. The last good value stays.
func (c *Cell) Fail(err error, at time.Time) {
	c.change(func(s *Sample) {
		s.fail(err, at)
		s.Tried = at
	})
	c.notify(err)
}

// Confirm records that the published value is still current. The age of the value starts again. Seq does not change, so nothing
// is redrawn.
func (c *Cell) Confirm(at time.Time) { c.ConfirmPart(at, nil) }

// ConfirmPart is Confirm for an incomplete value. err is the reason, or nil if nothing is missing.
func (c *Cell) ConfirmPart(at time.Time, err error) {
	c.change(func(s *Sample) {
		s.At, s.Tried = at, at
		s.fail(err, at)
	})
	c.notify(err)
}

// fail records the error of an attempt, or nil after a success.
func (s *Sample) fail(err error, at time.Time) {
	switch {
	case err == nil:
		s.Failing = time.Time{}
	case s.Failing.IsZero():
		s.Failing = at
	}
	s.Err = err
}

// Watch sends a token to ch after every change of the sample, unless ch is full. The capacity of ch should be 1. The caller calls
// end when it stops watching.
func (c *Cell) Watch(ch chan<- struct{}) (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.watchers == nil {
		c.watchers = map[chan<- struct{}]struct{}{}
	}
	c.watchers[ch] = struct{}{}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.watchers, ch)
	}
}

const (
	// seenFor is the time for which a value counts as visible after a look. It is longer than the pause between two looks of a
	// static wall (render.MaxSleep).
	seenFor = time.Minute
	// lookAgain is the least time between two recorded looks.
	lookAgain = 5 * time.Second
)

// Look records that the value is visible, and also the cells from which it is computed. It never waits and never allocates.
func (c *Cell) Look(now time.Time) {
	at := now.UnixNano()
	if last := c.looked.Load(); last != 0 && at >= last && at-last < int64(lookAgain) {
		return
	}
	c.looked.Store(at)
	for _, f := range c.from {
		f.Look(now)
	}
	if ch := c.waits.Load(); ch != nil {
		select {
		case *ch <- struct{}{}:
		default: // a token is already waiting
		}
	}
}

// MadeOf sets the cells from which the value is computed. Look on this cell also calls Look on these cells. Call it before the
// first look.
func (c *Cell) MadeOf(from ...*Cell) { c.from = from }

// Call sets the configured name of the source.
func (c *Cell) Call(name string) { c.source.Store(&name) }

// FailedSource returns the name of the source whose failure the latest sample reports. It is the cell's own name, or the name of
// the first failing cell from which the value is computed. It is "" if there is no name. It never allocates.
func (c *Cell) FailedSource() string {
	if name := c.source.Load(); name != nil {
		return *name
	}
	for _, f := range c.from {
		if f.Load().Err == nil {
			continue
		}
		if name := f.FailedSource(); name != "" {
			return name
		}
	}
	return ""
}

// Seen reports whether the value was looked at within the last minute, even after the clock was set back.
func (c *Cell) Seen(now time.Time) bool {
	last := c.looked.Load()
	return last != 0 && now.Sub(time.Unix(0, last)).Abs() < seenFor
}

// WatchLooks sends a token to ch, which has capacity 1, after a look at the value, until end is called. Only one caller may watch
// at a time.
func (c *Cell) WatchLooks(ch chan struct{}) (end func()) {
	c.waits.Store(&ch)
	return func() { c.waits.Store(nil) }
}

// AwaitLook waits until the value is visible or ctx ends. It reports whether the value is visible. It uses WatchLooks.
func (c *Cell) AwaitLook(ctx context.Context) bool {
	ch := make(chan struct{}, 1)
	defer c.WatchLooks(ch)()
	for !c.Seen(time.Now()) {
		select {
		case <-ctx.Done():
			return false
		case <-ch:
		}
	}
	return true
}

func (c *Cell) change(f func(*Sample)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := *c.Load()
	f(&s)
	c.latest.Store(&s)
	for ch := range c.watchers {
		select {
		case ch <- struct{}{}:
		default: // a token is already waiting
		}
	}
}

func (c *Cell) notify(err error) {
	if c.tried != nil {
		c.tried(err)
	}
	if c.wake != nil {
		c.wake()
	}
}
