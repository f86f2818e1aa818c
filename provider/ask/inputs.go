package ask

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dashboard/provider"
)

const (
	// leastPause is the minimum time between two requests if a changed input causes the second
	// request. If the interval of the schedule is shorter, the interval applies.
	leastPause = 10 * time.Second
	// waitTime is the time for which a provider waits for the first value of an input. If the value is still missing after this time, the
	// provider fails.
	waitTime = 5 * time.Second
)

// A WaitsError reports that requests need a value of another provider, which has no value yet.
type WaitsError struct {
	Name string // name of the other provider
	Err  error  // error of the other provider; may be nil
}

// Error implements error.
func (e *WaitsError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("waits for %s: %v", e.Name, e.Err)
	}
	return "waits for " + e.Name
}

// Unwrap returns the error of the other provider.
func (e *WaitsError) Unwrap() error { return e.Err }

// From implements provider.Made.
func (s *Source) From() []*provider.Cell { return s.Inputs }

// watch makes `poll` try again when an input changes. The caller must call `end` after the last use of `poll`. A source with tasks uses the
// channel of its board, because the board reads only this channel.
func (s *Source) watch(poll *provider.Poll) (end func()) {
	if s.changed = make(chan struct{}, 1); s.Tasks != nil {
		s.changed = s.Tasks.Asked()
	}
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

// early() reports whether a request is due now because an input has changed, or because the server has accepted changes of tasks. If the
// last request was too recent (see leastPause), early() returns false. It then starts a timer that makes `poll` try again at the end of the
// minimum pause.
func (s *Source) early(now time.Time) bool {
	unread := s.Tasks != nil && s.Tasks.Queue.Marks().Unread
	if !unread && (s.Moved == nil || !s.Moved()) {
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

// waits() returns the result of an attempt that failed with a WaitsError. The result is a failure if the input has failed, or if the
// source has already waited for waitTime. Otherwise the next attempt follows after waitTime. If err is not a WaitsError, ok is false.
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

// ready() stores the present time in s.sent and calls Ask.
func (s *Source) ready(ctx context.Context) (any, error) {
	s.sent = time.Now()
	return s.Ask(ctx)
}
