package ask

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/todo"
)

// A Source requests an address on a schedule, and makes a value from each answer. It is a [provider.Provider], but only one Run may
// be active at a time.
type Source struct {
	Name     string // type of the provider
	Client   *fetch.Client
	Request  fetch.Request
	Files    fs.FS // root of file:// addresses; nil is the working directory
	Schedule Schedule
	Once     bool // true if no request follows the first good answer
	Page     bool // a web page may be a good answer
	// Read returns the value in a good answer.
	Read func(ctx context.Context, body []byte) (any, error)
	// Prepare, if not nil, changes the request before it is sent. Such a request is not conditional.
	Prepare func(r *fetch.Request, now time.Time)
	// Ask, if not nil, replaces the one request by several.
	Ask func(ctx context.Context) (any, error)
	// Inputs are values that the requests of Ask contain. Moved reports whether they have changed since the latest requests. If
	// so, the next requests follow soon.
	Inputs []*provider.Cell
	Moved  func() bool
	// Tasks, if not nil, shows the values with changes of tasks.
	Tasks *todo.Board
	// Explain, if not nil, returns a better error for an answer whose status is not 200, or nil to keep the error.
	Explain func(ctx context.Context, body []byte) error

	etag, modified string // values of the last good answer
	clock          clock

	changed chan struct{} // requests an attempt after a change of Inputs
	later   *time.Timer   // asks later
	sent    time.Time     // time of the latest requests with Inputs, zero before the first
	waited  bool          // an input had its time to get a value
}

var _ provider.Provider = (*Source)(nil)

// Kind returns the name of the type.
func (s *Source) Kind() string { return s.Name }

// Run makes a request at once, and then on the schedule. After a failure it retries sooner, with pauses that grow up to the usual
// one. After a client error (4xx) it does not retry sooner. It respects a server's Retry-After.
func (s *Source) Run(ctx context.Context, cell *provider.Cell) error {
	s.etag, s.modified, s.clock = "", "", clock{Schedule: &s.Schedule}
	poll := s.Schedule.poll()
	if s.Once {
		poll.Once, poll.Promise = true, false
	}
	if len(s.Inputs) > 0 {
		s.sent, s.waited = time.Time{}, false
		defer s.watch(&poll)()
	}
	if s.Tasks != nil {
		return s.Tasks.Run(ctx, cell, poll, s.Try)
	}
	return poll.Run(ctx, cell, s.Try)
}

// TaskLists implements todo.Holder.
func (s *Source) TaskLists(name string) []todo.List {
	if s.Tasks == nil {
		return nil
	}
	return []todo.List{{Name: name, Queue: s.Tasks.Queue, Tasks: s.Tasks.Tasks}}
}

// Try makes one attempt, if one is due.
func (s *Source) Try(ctx context.Context, due bool) provider.Result {
	if s.clock.Schedule == nil {
		s.clock.Schedule = &s.Schedule
	}
	switch {
	case s.changed != nil && !due && !s.early(time.Now()):
		return provider.Result{Outcome: provider.Pending}
	case (s.changed == nil || due) && !s.clock.due(time.Now()):
		return provider.Result{Outcome: provider.Nothing}
	}
	v, confirmed, err := s.ask(ctx)
	if r, ok := s.waits(err); ok {
		return r
	}
	s.clock.done(time.Now(), err != nil)
	switch {
	case err != nil:
		return provider.Fail(err, len(s.Schedule.Times) == 0 && final(err))
	case confirmed:
		return provider.Result{Outcome: provider.Unchanged}
	}
	return provider.Result{Value: v}
}

// final reports whether an early retry would get the same answer.
func final(err error) bool {
	var status *fetch.StatusError
	if errors.As(err, &status) {
		return status.Code < 500 && status.Code != http.StatusRequestTimeout
	}
	return !errors.Is(err, fetch.ErrUnavailable)
}

// ask makes one attempt.
func (s *Source) ask(ctx context.Context) (v any, confirmed bool, err error) {
	if s.Ask == nil {
		return s.fetch(ctx)
	}
	v, err = s.ready(ctx)
	return v, false, err
}

// fetch returns the value. confirmed is true if the published value is still current.
func (s *Source) fetch(ctx context.Context) (v any, confirmed bool, err error) {
	req := s.Request
	if s.Prepare != nil {
		s.Prepare(&req, time.Now())
	} else if req.JSON == nil {
		req.ETag, req.LastModified = s.etag, s.modified
	}
	resp, err := Do(ctx, s.Client, s.Files, &req)
	if err != nil {
		return nil, false, err
	}
	defer resp.Release()
	if resp.NotModified() && s.etag+s.modified != "" {
		return nil, true, nil
	}
	s.etag, s.modified = "", ""
	if err = resp.Check(); err != nil && s.Explain != nil {
		if better := s.Explain(ctx, resp.Body); better != nil {
			err = fmt.Errorf("%w (%w)", better, err)
		}
	}
	if err == nil {
		if v, err = s.Read(ctx, Plain(resp.Body, resp.ContentType)); !s.Page {
			err = resp.Misread(err)
		}
	}
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", req.Shown(), err)
	}
	s.etag, s.modified = resp.ETag, resp.LastModified
	return v, false, nil
}
