package provider

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// RetryFirst and RetryMost are the default first and longest pauses after a failure. They are short enough that a restarted device is
// found within a few attempts. They are long enough that a missing device is not requested too often.
const (
	RetryFirst = 2 * time.Second
	RetryMost  = time.Minute
)

// retrySpread is the maximum random change of a pause after a failure, relative to the pause: 0.5 is ±50 %. The random change keeps walls
// that failed together from retrying together.
const retrySpread = 0.5

// MaxRetryAfter is the maximum pause that a server can request with Retry-After. After this pause,
// the wall always makes the next attempt.
const MaxRetryAfter = 24 * time.Hour

// A Poll repeats the attempts of a source. It makes an attempt, publishes the result, and waits. The zero value makes no further attempt
// after a success.
type Poll struct {
	Interval time.Duration // pause after a success; 0 to wait for Changed
	Jitter   time.Duration // maximum of a random time that is added to Interval
	Once     bool          // whether the attempts end after the first success
	Promise  bool          // whether the cell gets Interval plus Jitter as its interval, so that values become stale (see StaleIntervals)

	// WhenSeen allows attempts only while the value is visible. An attempt that is due waits until the value is visible.
	WhenSeen bool

	// Next returns the time of the next attempt after a success. If Next is nil, Interval applies.
	Next func(now time.Time) time.Time

	RetryFirst time.Duration // pause after the first failure; each further pause is twice as long; 0 means the constant RetryFirst
	RetryMost  time.Duration // longest pause after a failure; 0 means Interval, or the constant RetryMost if Interval is 0
	// Changed receives a value when an attempt must be made at once. Changed may be nil.
	Changed <-chan struct{}
}

// An Outcome is the result of an attempt.
type Outcome int

// The outcomes.
const (
	Fresh     Outcome = iota // there is a new value
	Unchanged                // the published value is still current
	Nothing                  // there was nothing to request; the cell does not change, and the usual pause follows
	Failed                   // the attempt failed
	Refused                  // the attempt failed, and an early retry would be useless
	Pending                  // no attempt was made; the current pause continues
)

// A Result is the result of one attempt.
type Result struct {
	Outcome Outcome
	Value   any           // value if the outcome is Fresh
	Err     error         // error if the outcome is Failed or Refused
	Next    time.Duration // pause after a success; 0 means the pause of the Poll

	// Handled is true if the attempt has already changed the cell.
	Handled bool
}

// Fail returns the result of a failed attempt. If `refused` is true, there is no early retry.
func Fail(err error, refused bool) Result {
	if refused {
		return Result{Outcome: Refused, Err: err}
	}
	return Result{Outcome: Failed, Err: err}
}

// Run makes attempts with the function `try` until ctx ends and publishes their results in the cell. The argument `due` of `try` is true
// for the first attempt and for attempts after a pause. `due` is false if Changed has requested the attempt. Run always returns nil.
func (p *Poll) Run(ctx context.Context, cell *Cell, try func(ctx context.Context, due bool) Result) error {
	if p.Promise {
		cell.Promise(p.Interval + p.Jitter)
	}
	most := cmp.Or(p.RetryMost, p.Interval, RetryMost)
	retry := &backoff.ExponentialBackOff{
		InitialInterval: min(cmp.Or(p.RetryFirst, RetryFirst), most), MaxInterval: most, Multiplier: 2, RandomizationFactor: retrySpread,
	}
	retry.Reset()
	var again <-chan time.Time
	for due := true; ; {
		if p.WhenSeen && !cell.AwaitLook(ctx) {
			return nil
		}
		r := try(ctx, due)
		if ctx.Err() != nil {
			return nil
		}
		if r.Outcome != Pending {
			if !due {
				retry.Reset() // the request has changed, so earlier failures do not count
			}
			again = p.pause(r, retry, most, cell)
		}
		r.Put(cell, time.Now())
		select {
		case <-ctx.Done():
			return nil
		case <-p.Changed:
			due = false
		case <-again:
			due, again = true, nil
		}
	}
}

// Put publishes the result of an attempt in the cell.
func (r *Result) Put(cell *Cell, now time.Time) {
	switch {
	case r.Handled:
	case r.Outcome == Fresh:
		cell.Publish(r.Value, now)
	case r.Outcome == Unchanged:
		cell.Confirm(now)
	case r.Err != nil:
		cell.Fail(r.Err, now)
	}
}

// pause returns a channel that receives a value at the end of the pause after r. The channel is nil
// if only Changed ends the pause. The cell gets the time of the next attempt.
func (p *Poll) pause(r Result, retry *backoff.ExponentialBackOff, most time.Duration, cell *Cell) <-chan time.Time {
	cell.RetryAt(time.Time{})
	wait := p.usual(r)
	if r.Outcome == Failed {
		wait = min(retry.NextBackOff(), most)
	} else if r.Outcome != Refused {
		retry.Reset()
		if p.Once && r.Outcome != Nothing {
			return nil
		}
	}
	wait = max(wait, retryAfter(r.Err))
	if wait <= 0 {
		return nil
	}
	cell.RetryAt(time.Now().Add(wait))
	return time.After(wait)
}

// usual() returns the pause after a success.
func (p *Poll) usual(r Result) time.Duration {
	switch {
	case r.Next > 0:
		return r.Next
	case p.Next != nil:
		now := time.Now()
		return max(p.Next(now).Sub(now), 1) + p.spread()
	case p.Interval <= 0:
		return 0
	}
	return p.Interval + p.spread()
}

// spread returns the random part of a pause.
func (p *Poll) spread() time.Duration {
	if p.Jitter <= 0 {
		return 0
	}
	return rand.N(p.Jitter + 1)
}

// retryAfter returns the pause that an error requests, at most MaxRetryAfter.
func retryAfter(err error) time.Duration {
	var asks interface{ RetryAfter() time.Duration }
	if !errors.As(err, &asks) {
		return 0
	}
	return min(asks.RetryAfter(), MaxRetryAfter)
}
