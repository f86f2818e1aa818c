package provider

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// A Cell holds the latest sample of one source. The zero value is ready to use and calls no wake
// function. Any goroutine may call its methods. [Cell.Load] never waits and never allocates.
type Cell struct {
	latest atomic.Pointer[Sample]
	wake   func() // called after each change; immutable; may be nil

	// `looked` and `waits` are for sources that are read only while their value is visible. A look is a call of the method Look.
	looked atomic.Int64                  // time of the last call of Look, in Unix ns; 0 for never
	waits  atomic.Pointer[chan struct{}] // channel of the source that waits for a look, capacity 1; nil if no source waits
	from   []*Cell                       // cells from which the value is computed; must not change after the first look
	next   atomic.Int64                  // time of the next attempt, in Unix ns; 0 if the time is not known
	source atomic.Pointer[string]        // name of the source in the configuration; nil if the source has no name

	// tried is called after every attempt. Its argument is the error of the attempt, or nil after a success. The field is immutable and
	// may be nil. No locks are held during the call.
	tried func(err error)

	mu       sync.Mutex // guards changes of the fields `latest` and `watchers`; readers do not need the mutex
	account  account
	promised *time.Duration // interval of PromiseNext; nil if there is none
	watchers map[chan<- struct{}]struct{}
}

// never is the sample of a cell without a value.
var never Sample

// NewCell returns an empty cell. The cell calls the function `wake` after each change. `wake` must not block, and it may be nil.
func NewCell(wake func()) *Cell { return &Cell{wake: wake} }

// Load returns the latest sample. It is never nil: before the first value, it is a zero sample. The caller must not change it.
func (c *Cell) Load() *Sample {
	if s := c.latest.Load(); s != nil {
		return s
	}
	return &never
}

// Promise sets the interval at which the source intends to publish. The new interval also applies to the present value. 0 means that
// there is no interval.
func (c *Cell) Promise(interval time.Duration) {
	c.change(func(s *Sample) { s.Interval, c.promised = interval, nil })
}

// PromiseNext is like Promise, but the interval applies from the next value or confirmation on. The present value, which may be older than
// the new interval, does not become stale for the short time until then.
func (c *Cell) PromiseNext(interval time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.promised = &interval
}

// renew applies the interval of PromiseNext. mu must be held.
func (c *Cell) renew(s *Sample) {
	if c.promised != nil {
		s.Interval, c.promised = *c.promised, nil
	}
}

// Publish stores a value with its time. The cell then owns the value. If the value exceeds the memory limit for all values, the previous
// value stays, and the sample gets an error that wraps budget.ErrTooLarge.
func (c *Cell) Publish(value any, at time.Time) {
	c.PublishPart(value, at, nil)
}

// PublishPart is like Publish for a value that may be incomplete. err is the reason why parts are
// missing, or nil if the value is complete.
func (c *Cell) PublishPart(value any, at time.Time, err error) {
	c.change(func(s *Sample) {
		s.Tried = at
		if large := c.account.charge(value); large != nil {
			err = large
			s.fail(err, at)
			return
		}
		s.Value, s.At = value, at
		c.renew(s)
		s.fail(err, at)
		s.Seq++
	})
	c.notify(err)
}

// RefusedAgain is the pause before a refused value is published again although nothing has changed, because there may be room now.
const RefusedAgain = time.Minute

// Refused reports whether the latest published value did not fit into the memory, so that the source must publish it again. An unchanged
// answer then does not confirm the value in the cell. Only another published value ends the refusal.
func (c *Cell) Refused() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.account.refused
}

// Fail records a failed attempt. The last good value stays.
func (c *Cell) Fail(err error, at time.Time) {
	c.change(func(s *Sample) {
		s.fail(err, at)
		s.Tried = at
	})
	c.notify(err)
}

// Confirm records that the latest published value is still current. `at` is the time of the check. Seq does not change, so that nothing is
// drawn again.
func (c *Cell) Confirm(at time.Time) { c.ConfirmPart(at, nil) }

// ConfirmPart is like Confirm for a value that may be incomplete. err is the reason why parts are
// missing, or nil if the value is complete. If the latest value was refused, its error stays.
func (c *Cell) ConfirmPart(at time.Time, err error) {
	c.change(func(s *Sample) {
		s.Tried = at
		if c.account.refused {
			err = s.Err
			return
		}
		s.At = at
		c.renew(s)
		s.fail(err, at)
	})
	c.notify(err)
}

// fail stores the error of an attempt, or nil after a success.
func (s *Sample) fail(err error, at time.Time) {
	switch {
	case err == nil:
		s.Failing = time.Time{}
	case s.Failing.IsZero():
		s.Failing = at
	}
	s.Err = err
}

// Watch sends a token to `ch` after each change of the sample, unless `ch` is full. The capacity of `ch` should be 1. The caller must call
// `end` to stop the tokens.
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
	// seenFor is the time for which a value counts as visible after a look. seenFor is longer than the time between two looks of a wall
	// that does not change (render.MaxSleep).
	seenFor = time.Minute
	// lookAgain is the minimum time between two looks that are recorded.
	lookAgain = 5 * time.Second
)

// Look records that the value is visible, unless the last recorded look is newer than lookAgain. It also records that the value of each
// cell in c.from is visible. Look never waits and never allocates.
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

// MadeOf sets the cells from which the value is computed. A look at this cell then also counts for those cells. Call MadeOf before the
// first look.
func (c *Cell) MadeOf(from ...*Cell) { c.from = from }

// Call sets the name that the source has in the configuration.
func (c *Cell) Call(name string) { c.source.Store(&name) }

// FailedSource returns the name of the source that caused the error of the latest sample. If the cell has a name, the result is the
// cell's name. Otherwise, the result is the name of the first failed cell from which the value is computed. If there is no name, the
// result is "". FailedSource never allocates.
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

// RetryAt stores the time of the next attempt. The zero time means that the time is not known. RetryAt does not change the sample, but it
// calls wake if the sample has an error and the time has changed.
func (c *Cell) RetryAt(at time.Time) {
	ns := int64(0)
	if !at.IsZero() {
		ns = at.UnixNano()
	}
	if c.next.Swap(ns) != ns && c.Load().Err != nil && c.wake != nil {
		c.wake()
	}
}

// NextTry returns the time of the next attempt of the source that caused the error of the latest sample. If that time is not known, the
// result is the zero time. NextTry never allocates.
func (c *Cell) NextTry() time.Time {
	if at := c.next.Load(); at != 0 {
		return time.Unix(0, at)
	}
	for _, f := range c.from {
		if f.Load().Err != nil {
			return f.NextTry()
		}
	}
	return time.Time{}
}

// Seen reports whether the value was visible within the last minute.
func (c *Cell) Seen(now time.Time) bool {
	last := c.looked.Load()
	return last != 0 && now.Sub(time.Unix(0, last)).Abs() < seenFor
}

// WatchLooks sends a token to `ch` after each recorded look at the value until `end` is called. `ch` must have capacity 1. Only one caller
// may watch at a time.
func (c *Cell) WatchLooks(ch chan struct{}) (end func()) {
	c.waits.Store(&ch)
	return func() { c.waits.Store(nil) }
}

// AwaitLook waits until the value is visible, or until ctx ends. It returns true if the value is visible. Because it uses WatchLooks,
// only one caller may wait at a time.
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
	s.staleAt = nil
	s.staleAt = s.StaleAt()
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
