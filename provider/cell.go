package provider

import (
	"sync"
	"sync/atomic"
	"time"
)

// A Cell holds the latest sample of one source. The zero value is ready for use and wakes nobody.
// All methods may be called from any goroutine; [Cell.Load] never waits and never allocates.
type Cell struct {
	latest atomic.Pointer[Sample]
	wake   func() // immutable; may be nil

	// tried is told of the error of every attempt, nil for a good one; immutable, may be nil. It is called without locks
	// held, by whoever publishes.
	tried func(err error)

	mu       sync.Mutex // guards the read-change-write of latest, which readers do not take, and watchers
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

// Publish makes value the current one as of at. The cell owns value from now on.
func (c *Cell) Publish(value any, at time.Time) {
	c.PublishPart(value, at, nil)
}

// PublishPart is Publish of a value a part of which could not be had: err says why, nil that nothing is missing.
func (c *Cell) PublishPart(value any, at time.Time, err error) {
	c.change(func(s *Sample) {
		s.Value, s.At, s.Tried = value, at, at
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
func (c *Cell) Confirm(at time.Time) {
	c.change(func(s *Sample) { s.At, s.Err, s.Tried, s.Failing = at, nil, at, time.Time{} })
	c.notify(nil)
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
