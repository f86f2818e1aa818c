package provider

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// A Cell holds the latest sample of one source. The zero value is ready for use and wakes nobody.
// All methods may be called from any goroutine; [Cell.Load] never waits and never allocates.
type Cell struct {
	latest atomic.Pointer[Sample]
	wake   func() // immutable; may be nil

	// Who looks at the value, for sources that are asked only while somebody does.
	looked atomic.Int64                  // when somebody did last, ns of Unix time; 0 is never
	waits  atomic.Pointer[chan struct{}] // of whoever waits for that, capacity 1; nil while nobody does
	from   []*Cell                       // what the value is made of; not changed once somebody looks

	// tried is told of the error of every attempt, nil for a good one; immutable, may be nil. It is called without locks
	// held, by whoever publishes.
	tried func(err error)

	mu       sync.Mutex // guards the read-change-write of latest, which readers do not take, and what follows
	account  account
	watchers map[chan<- struct{}]struct{}
}

// never is the sample of a cell nothing was published into.
var never Sample

// NewCell returns an empty cell that calls wake after every change. The wake function must not block; nil wakes nobody.
func NewCell(wake func()) *Cell { return &Cell{wake: wake} }

// Load returns the latest sample, never nil: a zero sample at first. The caller must not change it.
func (c *Cell) Load() *Sample {
	if s := c.latest.Load(); s != nil {
		return s
	}
	return &never
}

// Promise sets the time between values that the source intends to keep, from the next sample on; 0 = none.
func (c *Cell) Promise(interval time.Duration) {
	c.change(func(s *Sample) { s.Interval = interval })
}

// Publish makes value the current one as of at. The cell owns value from now on. If the memory for all values has no room for
// it, the last one stays, and the sample has an error that wraps budget.ErrTooLarge.
func (c *Cell) Publish(value any, at time.Time) {
	c.PublishPart(value, at, nil)
}

// PublishPart is Publish of a value a part of which could not be had: err says why, nil that nothing is missing.
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

// Fail records that an attempt ended badly at the given time; the last good value stays.
func (c *Cell) Fail(err error, at time.Time) {
	c.change(func(s *Sample) {
		s.fail(err, at)
		s.Tried = at
	})
	c.notify(err)
}

// Confirm records that the source was asked and its value is still the published one: the value's age starts anew, its
// Seq stays, so nothing is drawn again.
func (c *Cell) Confirm(at time.Time) { c.ConfirmPart(at, nil) }

// ConfirmPart is Confirm of a value a part of which could not be had: err says why, nil that nothing is missing.
func (c *Cell) ConfirmPart(at time.Time, err error) {
	c.change(func(s *Sample) {
		s.At, s.Tried = at, at
		s.fail(err, at)
	})
	c.notify(err)
}

// fail notes the error of an attempt, nil for a good one.
func (s *Sample) fail(err error, at time.Time) {
	switch {
	case err == nil:
		s.Failing = time.Time{}
	case s.Failing.IsZero():
		s.Failing = at
	}
	s.Err = err
}

// Watch puts a token into ch after every change of what [Cell.Load] returns, unless ch is full: it should have a capacity of
// 1. Whoever watches calls end when it does so no longer.
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
	// seenFor is how long a value counts as seen after somebody looked at it: longer than a wall on which nothing moves takes
	// from one look to the next (render.MaxSleep).
	seenFor = time.Minute
	// lookAgain is after how long a look is noted anew.
	lookAgain = 5 * time.Second
)

// Look notes that somebody sees the value now, and with it what it is made of. It never waits and never allocates.
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
		default: // a token is there already
		}
	}
}

// MadeOf says that the value is made of those in other cells: who looks at it looks at them. It is called before anybody looks.
func (c *Cell) MadeOf(from ...*Cell) { c.from = from }

// Seen reports whether somebody looked at the value within the last minute. A clock that was set back makes no difference.
func (c *Cell) Seen(now time.Time) bool {
	last := c.looked.Load()
	return last != 0 && now.Sub(time.Unix(0, last)).Abs() < seenFor
}

// WatchLooks puts a token into ch, of capacity 1, when somebody looks at the value, until end is called. One at a time may watch.
func (c *Cell) WatchLooks(ch chan struct{}) (end func()) {
	c.waits.Store(&ch)
	return func() { c.waits.Store(nil) }
}

// AwaitLook waits until somebody sees the value, or ctx ends; it reports whether somebody does. It watches looks.
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
		default: // a token is there already
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
