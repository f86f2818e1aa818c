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

// A Source requests an address on a schedule and converts each answer to a value. It is a [provider.Provider]. Only one Run may be active
// at a time.
type Source struct {
	Name     string // type of the provider
	Client   *fetch.Client
	Request  fetch.Request
	Files    fs.FS // root of file:// addresses; nil means the working directory
	Schedule Schedule
	Once     bool // whether the requests end after the first good answer
	Page     bool // whether a web page can be a good answer
	// Read converts a good answer to a value.
	Read func(ctx context.Context, body []byte) (any, error)
	// Prepare changes the request before it is sent. Prepare may be nil. If Prepare is set, the request has no validators (ETag,
	// Last-Modified).
	Prepare func(r *fetch.Request, now time.Time)
	// Ask gets the value with several requests that replace Request. Ask may be nil.
	Ask func(ctx context.Context) (any, error)
	// Inputs are the cells with values that the requests of Ask contain. Moved reports whether these values have changed since the latest
	// requests. After a change, the next requests are sent soon.
	Inputs []*provider.Cell
	Moved  func() bool
	// Tasks applies changes of tasks to the values. Tasks may be nil.
	Tasks *todo.Board
	// Explain returns a better error for an answer whose status is not 200. If it returns nil, the original error stays. The field
	// Explain may be nil.
	Explain func(ctx context.Context, body []byte) error

	etag, modified string // validators from the last good answer
	clock          clock
	cell           *provider.Cell // cell of Run; nil before Run

	changed chan struct{} // receives a value when an input has changed
	later   *time.Timer   // timer for the end of the pause; see early()
	sent    time.Time     // time of the latest requests of Ask; zero before the first requests
	waited  bool          // whether the source has already waited for the first values of the inputs
}

var _ provider.Provider = (*Source)(nil)

// Kind returns the name of the type.
func (s *Source) Kind() string { return s.Name }

// Run sends a request at once and then on the schedule. After a failure it retries sooner, with pauses that grow up to the usual
// interval. If a retry would get the same answer, for example after a client error (4xx), Run waits for the next interval. On a schedule
// with times of day, Run retries sooner after every failure. Run obeys the header Retry-After of a server.
func (s *Source) Run(ctx context.Context, cell *provider.Cell) error {
	s.etag, s.modified, s.clock, s.cell = "", "", clock{Schedule: &s.Schedule}, cell
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

// Try makes one attempt if an attempt is due. The argument `due` is false if a changed input has caused the call.
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

// final() reports whether a retry before the next regular request is useless, because the answer would be the same.
func final(err error) bool {
	var status *fetch.StatusError
	if errors.As(err, &status) {
		return status.Code < 500 && status.Code != http.StatusRequestTimeout
	}
	return !errors.Is(err, fetch.ErrUnavailable)
}

// ask gets the value with one or several requests.
func (s *Source) ask(ctx context.Context) (v any, confirmed bool, err error) {
	if s.Ask == nil {
		return s.fetch(ctx)
	}
	v, err = s.ready(ctx)
	return v, false, err
}

// fetch sends the request and returns the value. `confirmed` is true if the server reports that the published value is still current.
func (s *Source) fetch(ctx context.Context) (v any, confirmed bool, err error) {
	req := s.Request
	if s.cell != nil && s.cell.Refused() {
		s.etag, s.modified = "", "" // the cell does not have the value of these validators
	}
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
