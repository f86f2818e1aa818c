package rest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"dashboard/internal/fetch"
	"dashboard/provider/ask"
	"dashboard/provider/todo"
)

// On holds the requests that change tasks.
type On struct {
	// Request for a changed task. {id}, {title} and {done} are replaced by values of the task, {by} by the person, and {change} by the ID of
	// the change.
	Request *Change `yaml:"request"`
	// Request for a reopened task. Default: on.request.
	Open *Change `yaml:"open"`
	// Request for a new task.
	Add *Change `yaml:"add"`
}

// Change is a request that changes a task. In its texts, {id}, {title} and {done} are replaced by the values of the task, {by} by the
// person, and {change} by the ID of the change.
type Change struct {
	// Address.
	URL       string `yaml:"url" required:"true"`
	URLSecret bool   `secret:"url"` // whether the address came from a secret
	// HTTP method.
	Method string `yaml:"method" default:"POST" enum:"POST,PUT,PATCH,DELETE" case:"any"`
	// Additional request headers.
	Headers map[string]string `yaml:"headers"`
	// Sent as JSON.
	Body any `yaml:"body"`
}

// placeholders are the names in braces that a change may contain.
var placeholders = []string{"id", "title", "done", "by", "change"}

// A changer sends changes of tasks to an HTTP server.
type changer struct {
	on      On
	request fetch.Request // request to which the values of a change are added
	client  *fetch.Client
	list    func() *ask.Source // source that reads the tasks after an attempt without an answer
}

var errOn = errors.New("write: needs 'on' with the requests for changes, such as on: {request: {url: …, body: {done: \"{done}\"}}}")

// changer returns the changer for the tasks of a provider. An error begins with the name of the configuration key that causes it.
func (p *Params) changer(c *Config, d ask.Deps, client *fetch.Client) (*changer, error) {
	own := *c
	own.others = c.others.copied() // the changer and the source read the values of other providers at different times
	w := &changer{on: p.On, list: func() *ask.Source { return New(&own, client) }}
	if p.On == (On{}) {
		return nil, errOn
	}
	var err error
	if w.request, err = p.Request(d, "http://host.invalid/"); err != nil {
		return nil, err
	}
	var urls []step
	for _, one := range []*Change{p.On.Request, p.On.Open, p.On.Add} {
		if one == nil {
			continue
		}
		if err := one.check(); err != nil {
			return nil, fmt.Errorf("on: %w", err)
		}
		urls = append(urls, step{Step: Step{URL: one.URL}})
	}
	w.client = client.Within(hosts(urls))
	return w, nil
}

// check returns an error if the request is invalid.
func (c *Change) check() error {
	if err := fetch.CheckURL(kept.ReplaceAllString(c.URL, "x")); err != nil {
		return fmt.Errorf("url: %w", err)
	}
	for _, m := range kept.FindAllStringSubmatch(c.URL, -1) {
		if !slices.Contains(placeholders, m[1]) || m[2] != "" {
			return fmt.Errorf("url: {%s} is none of {%s}", m[1], strings.Join(placeholders, "}, {"))
		}
	}
	return nil
}

// Carry implements todo.Source.
func (w *changer) Carry(ctx context.Context, c todo.Change) error {
	one := w.on.Request
	switch {
	case c.New:
		one = w.on.Add
	case !c.Done && w.on.Open != nil:
		one = w.on.Open
	}
	if one == nil {
		return todo.Refused("providers.yaml has no request for this change")
	}
	if c.New && c.Begun {
		r := w.list().Try(ctx, true)
		if r.Err != nil {
			return todo.Sorted(r.Err)
		}
		if c.Added(todo.TasksOf(r.Value)) {
			return nil
		}
	}
	return todo.Sorted(w.send(ctx, one, &c))
}

// send sends the request for a change.
func (w *changer) send(ctx context.Context, one *Change, c *todo.Change) error {
	values := map[string]any{"id": c.Task, "title": c.Title, "done": c.Done, "by": c.By, "change": c.ID}
	r := w.request
	var err error
	if r.URL, err = fill(one.URL, values, true); err != nil {
		return todo.RefusedError{Err: err}
	}
	if r.JSON, err = deep(one.Body, values); err != nil {
		return todo.RefusedError{Err: err}
	}
	r.Secret, r.Method, r.Body = one.URLSecret, one.Method, nil
	r.Header = maps.Clone(r.Header)
	if r.Header == nil {
		r.Header = map[string]string{}
	}
	// The header is not named Idempotency-Key, because net/http repeats a request that has this header, even if the server does not
	// support the header.
	r.Header["X-Request-Id"] = c.ID
	for name, text := range one.Headers {
		if r.Header[name], err = fill(text, values, false); err != nil {
			return todo.RefusedError{Err: err}
		}
	}
	resp, err := w.client.Do(ctx, &r)
	if err != nil {
		return err
	}
	defer resp.Release()
	if resp.Status >= http.StatusOK && resp.Status < http.StatusMultipleChoices {
		return nil
	}
	return resp.Check()
}
