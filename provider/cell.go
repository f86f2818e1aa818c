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
	looked atomic.Int64                  // time of the last look, ns of Unix time; 0 is never
	waits  atomic.Pointer[chan struct{}] // of the waiting source, capacity 1; nil while none waits
	from   []*Cell                       // the cells from which the value is made; not changed after the first look
	source atomic.Pointer[string]        // name of the source, as configured; nil without one

	// tried gets the error of every attempt, nil after a success. It is immutable and may be nil. It is called without locks
	// held.
	tried func(err error)

	mu       sync.Mutex // guards the read-change-write of latest, and watchers; readers do not take it
	account  account
	watchers map[chan<- struct{}]struct{}
}

// never is the sample of an empty cell.
var never Sample

// NewCell returns an empty cell that calls wake after every change. wake must not block. It may be nil.
func NewCell(wake func()) *Cell { return &Cell{wake: wake} }

// Load returns the latest sample, never nil: a zero sample at first. The caller must not change it.
func (c *Cell) Load() *Sample {
	if s := c.latest.Load(); s != nil {
		return s
	}
	return &never
}

// Promise sets the interval that the source intends to keep, from the next sample on. 0 is none.
func (c *Cell) Promise(interval time.Duration) {
	c.change(func(s *Sample) { s.Interval = interval })
}

// Publish makes value the current one as of at. The cell owns value from now on. If the memory for all values has no room for
// it, the last one stays, and the sample has an error that wraps budget.ErrTooLarge.
func (c *Cell) Publish(value any, at time.Time) {
	c.PublishPart(value, at, nil)
}

// PublishPart is Publish of an incomplete value. err is the reason, or nil if nothing is missing.
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

// Confirm records that the published value is still current. Its age restarts, and its Seq stays, so that nothing is drawn again.
func (c *Cell) Confirm(at time.Time) { c.ConfirmPart(at, nil) }

// ConfirmPart is Confirm of an incomplete value. err is the reason, or nil if nothing is missing.
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

// Watch puts a token into ch after every change of the sample, unless ch is full. Its capacity should be 1. The caller calls end
// when it stops watching.
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
	// seenFor is how long a value counts as seen after a look. It is longer than the pause between two looks of a static wall
	// (render.MaxSleep).
	seenFor = time.Minute
	// lookAgain is the least time between two recorded looks.
	lookAgain = 5 * time.Second
)

// Look records that the value is seen, and with it the cells from which it is made. It never waits and never allocates.
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
		default: // a token is waiting
		}
	}
}

// MadeOf sets the cells from which the value is made. A look at the value is also a look at them. It is called before the first
// look.
func (c *Cell) MadeOf(from ...*Cell) { c.from = from }

// Call sets the name of the source, as configured.
func (c *Cell) Call(name string) { c.source.Store(&name) }

// FailedSource returns the name of the source whose failure the latest sample reports: the cell's own, or the name of the first
// failing cell from which its value is made. It is "" without a name, and never allocates.
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

// Seen reports whether the value was looked at within the last minute, also after the clock was set back.
func (c *Cell) Seen(now time.Time) bool {
	last := c.looked.Load()
	return last != 0 && now.Sub(time.Unix(0, last)).Abs() < seenFor
}

// WatchLooks puts a token into ch, of capacity 1, after a look at the value, until end is called. Only one caller may watch at a
// time.
func (c *Cell) WatchLooks(ch chan struct{}) (end func()) {
	c.waits.Store(&ch)
	return func() { c.waits.Store(nil) }
}

// AwaitLook waits until the value is seen or ctx ends, and reports whether it is seen. It uses WatchLooks.
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
		default: // a token is waiting
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
