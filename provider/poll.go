package provider

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Pauses after a failure, unless the source sets one: a device that restarts is back within the first few, and a
// missing one is not asked all day.
const (
	RetryFirst = 2 * time.Second
	RetryMost  = time.Minute
)

// retrySpread is how far a pause after a failure strays from its middle, so that walls which failed together do not ask
// together.
const retrySpread = 0.5

// MaxRetryAfter bounds what a server may ask for with Retry-After: a wall is to be up to date the next day without help.
const MaxRetryAfter = 24 * time.Hour

// A Poll is the loop of a source that is asked again and again: it tries, publishes what came of it, and waits. The zero
// value asks once.
type Poll struct {
	Interval time.Duration // pause after a good attempt; 0 = until Changed
	Jitter   time.Duration // most that is added to it, at random
	Once     bool          // one good attempt is enough
	Promise  bool          // Interval and Jitter are promised to readers: a value older than several of them is stale

	// WhenSeen tries only while the value has a viewer: a due attempt waits for one.
	WhenSeen bool

	// Next, if not nil, returns the time until the next attempt after a good one, instead of Interval.
	Next func(now time.Time) time.Time

	RetryFirst time.Duration // pause after a first failure, then growing; 0 = RetryFirst or Interval, the shorter
	RetryMost  time.Duration // longest pause after a failure; 0 = Interval, or RetryMost without one
	// Changed, if not nil, asks for an attempt at once.
	Changed <-chan struct{}
}

// An Outcome is what became of an attempt.
type Outcome int

// The outcomes.
const (
	Fresh     Outcome = iota // there is a new value
	Unchanged                // the published value still holds
	Nothing                  // there was nothing to ask for: the cell stays as it is until Changed or the next interval
	Failed                   // the attempt failed
	Refused                  // it failed in a way that asking sooner than usual does not mend
	Pending                  // nothing was tried: the pause under way continues
)

// A Result is what one attempt gave.
type Result struct {
	Outcome Outcome
	Value   any           // of Fresh
	Err     error         // of Failed and Refused
	Next    time.Duration // pause until the next attempt after a good one; 0 = the Poll's

	// Handled means that the attempt wrote into the cell itself.
	Handled bool
}

// Fail is the result of a failed attempt. Refused, it is not repeated any sooner than a good one.
func Fail(err error, refused bool) Result {
	if refused {
		return Result{Outcome: Refused, Err: err}
	}
	return Result{Outcome: Failed, Err: err}
}

// Run tries until ctx ends, and publishes the results into the cell. An attempt is due when a pause is over, and at first; else
// Changed asked for it. Run always returns nil.
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
				retry.Reset() // it was requested something else
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

// Put writes what came of an attempt into the cell.
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

// pause returns what ends the pause after an attempt, or nil if only a change does.
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

// usual is the pause after a good attempt.
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

// spread is the random part of a pause.
func (p *Poll) spread() time.Duration {
	if p.Jitter <= 0 {
		return 0
	}
	return rand.N(p.Jitter + 1)
}

// retryAfter is the pause that a failure requests, within bounds.
func retryAfter(err error) time.Duration {
	var asks interface{ RetryAfter() time.Duration }
	if !errors.As(err, &asks) {
		return 0
	}
	return min(asks.RetryAfter(), MaxRetryAfter)
}
