package provider

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Default pauses after a failure. A device that restarts is found again within the first few attempts. A missing device is not
// requested too often.
const (
	RetryFirst = 2 * time.Second
	RetryMost  = time.Minute
)

// retrySpread is the greatest relative deviation of a pause after a failure, so that walls that fail at the same time do not retry
// at the same time.
const retrySpread = 0.5

// MaxRetryAfter bounds a server's Retry-After, so that a wall is up to date again the next day without help.
const MaxRetryAfter = 24 * time.Hour

// A Poll is the loop of a source that is requested repeatedly. It makes an attempt, publishes the result, and waits. The zero value
// makes one request.
type Poll struct {
	Interval time.Duration // pause after a success; 0 = until Changed
	Jitter   time.Duration // greatest random addition to the interval
	Once     bool          // one success is enough
	Promise  bool          // Interval and Jitter are promised to readers: a value older than several intervals is stale

	// WhenSeen makes attempts only while the value is visible. An attempt that is due waits until it is.
	WhenSeen bool

	// Next, if not nil, returns the time of the next attempt after a success, instead of Interval.
	Next func(now time.Time) time.Time

	RetryFirst time.Duration // pause after the first failure. It grows later; 0 = RetryFirst or Interval, whichever is shorter
	RetryMost  time.Duration // longest pause after a failure; 0 = Interval, or RetryMost if there is no Interval
	// Changed, if not nil, requests an attempt at once.
	Changed <-chan struct{}
}

// An Outcome is the result of an attempt.
type Outcome int

// The outcomes.
const (
	Fresh     Outcome = iota // there is a new value
	Unchanged                // the published value is still current
	Nothing                  // there was nothing to request: the cell stays unchanged until Changed or the next interval
	Failed                   // the attempt failed
	Refused                  // the attempt failed, and an early retry would not help
	Pending                  // there was no attempt: the current pause continues
)

// A Result is the result of one attempt.
type Result struct {
	Outcome Outcome
	Value   any           // of Fresh
	Err     error         // error of Failed and Refused
	Next    time.Duration // pause until the next attempt after a success; 0 = the Poll's

	// Handled is true if the attempt itself wrote into the cell.
	Handled bool
}

// Fail returns the result of a failed attempt. If refused is true, the next attempt is not earlier than after a success.
func Fail(err error, refused bool) Result {
	if refused {
		return Result{Outcome: Refused, Err: err}
	}
	return Result{Outcome: Failed, Err: err}
}

// Run makes attempts until ctx ends, and publishes the results in the cell. due is true for the first attempt and after a pause.
// Otherwise Changed requested the attempt. Run always returns nil.
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
		r.Put(cell, time.Now())
		if r.Outcome != Pending {
			if !due {
				retry.Reset() // the request has changed
			}
			again = p.pause(r, retry, most)
		}
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

// Put writes the result of an attempt into the cell.
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

// pause returns a channel that ends the pause after an attempt, or nil if only a change ends it.
func (p *Poll) pause(r Result, retry *backoff.ExponentialBackOff, most time.Duration) <-chan time.Time {
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
	return time.After(wait)
}

// usual returns the pause after a success.
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

// retryAfter returns the pause that an error requests, within bounds.
func retryAfter(err error) time.Duration {
	var asks interface{ RetryAfter() time.Duration }
	if !errors.As(err, &asks) {
		return 0
	}
	return min(asks.RetryAfter(), MaxRetryAfter)
}
