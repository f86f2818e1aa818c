package ask

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dashboard/provider"
)

const (
	// leastPause is the shortest pause before a request that a changed input causes. A shorter interval is a shorter pause.
	leastPause = 10 * time.Second
	// waitTime is how long an input may be without a value before that is an error.
	waitTime = 5 * time.Second
)

// A WaitsError is the error of a provider whose requests need the value of another provider that has no value yet.
type WaitsError struct {
	Name string // of the other provider
	Err  error  // failure of the input; may be nil
}

// Error implements error.
func (e *WaitsError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("waits for %s: %v", e.Name, e.Err)
	}
	return "waits for " + e.Name
}

// Unwrap returns the failure of the other provider.
func (e *WaitsError) Unwrap() error { return e.Err }

// From implements provider.Made.
func (s *Source) From() []*provider.Cell { return s.Inputs }

// watch has poll try when an input changes. The caller calls end.
func (s *Source) watch(poll *provider.Poll) (end func()) {
	s.changed = make(chan struct{}, 1)
	poll.Changed = s.changed
	var ends []func()
	for _, c := range s.Inputs {
		ends = append(ends, c.Watch(s.changed))
	}
	return func() {
		for _, f := range ends {
			f()
		}
		if s.later != nil {
			s.later.Stop()
		}
	}
}

// early reports whether a changed input is to be requested now. A change within the pause after a request is requested at the pause's
// end.
func (s *Source) early(now time.Time) bool {
	if s.Moved == nil || !s.Moved() {
		return false
	}
	wait := min(leastPause, s.Schedule.Interval) - now.Sub(s.sent)
	if s.sent.IsZero() || wait <= 0 {
		return true
	}
	if s.later != nil {
		s.later.Stop()
	}
	s.later = time.AfterFunc(wait, func() {
		select {
		case s.changed <- struct{}{}:
		default:
		}
	})
	return false
}

// waits returns the result of an attempt whose input has no value. It is an error if the input has failed, or if this is not the
// first attempt without a value.
func (s *Source) waits(err error) (provider.Result, bool) {
	var w *WaitsError
	if !errors.As(err, &w) {
		return provider.Result{}, false
	}
	if s.sent = (time.Time{}); w.Err == nil && !s.waited {
		s.waited = true
		return provider.Result{Outcome: provider.Nothing, Next: waitTime}, true
	}
	return provider.Fail(err, true), true
}

// ready makes the attempt of Ask.
func (s *Source) ready(ctx context.Context) (any, error) {
	s.sent = time.Now()
	return s.Ask(ctx)
}
