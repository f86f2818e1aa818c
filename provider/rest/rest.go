// Package rest is a provider that requests an HTTP address. The value is the JSON of the answer, a part of this JSON, or the text of the
// answer.
package rest

import (
	"context"
	"errors"
	"fmt"

	"dashboard/internal/extract"
	"dashboard/internal/fetch"
	"dashboard/provider/ask"
	"dashboard/provider/document"
	"dashboard/provider/todo"
)

// New returns a provider for a configuration from [Params.Config] or [ForWidget]. It does not change the configuration. After a failure,
// the last good value stays.
func New(c *Config, client *fetch.Client) *ask.Source {
	s := &ask.Source{Name: "rest", Client: client, Request: c.Request, Files: c.Files, Schedule: c.Schedule, Once: c.Static, Read: c.value, Page: c.Format == document.HTML}
	if len(c.steps) > 0 {
		chained := &chain{steps: c.steps, client: client.Within(hosts(c.steps)), value: c.value, finish: c.last, others: c.others}
		s.Ask, s.Inputs = chained.ask, c.others.from()
		if c.others != nil {
			s.Moved = c.others.moved
		}
	}
	return s
}

// NewTasks returns a provider of tasks that can be changed. An error begins with the name of the configuration key that causes it.
func NewTasks(p *Params, c *Config, d ask.Deps) (*ask.Source, error) {
	s := New(c, d.Client)
	w, err := p.changer(c, d, d.Client)
	if err != nil || d.Queues == nil {
		return s, err
	}
	q, err := d.Queues.Queue(ask.Key("rest tasks", []any{c.Request.URL, c.Steps, p.On}))
	if err != nil {
		return nil, err
	}
	s.Tasks = todo.NewBoard(q, w)
	return s, nil
}

// Key returns a text that is equal for equal configurations. The text does not reveal the values in the configuration, because these
// values may be secrets.
func (c *Config) Key() string { return ask.Key("rest", c) + c.others.key() }

// value() returns the value that an answer contains. If the answer is not JSON and there is no path or program, the value is the text of
// the answer.
func (c *Config) value(ctx context.Context, body []byte) (any, error) {
	switch {
	case c.Plain && c.extractor.Empty():
		return string(extract.UTF8(body)), nil
	case c.Format == "" || c.Format == document.Auto:
		return c.extractor.Read(ctx, body)
	}
	v, err := c.reader.Read(ctx, body)
	if err != nil {
		return nil, err
	}
	return c.extractor.Apply(ctx, v)
}

// Text returns the text that a widget shows for an error. The program Grydgets (docs/grydgets.md) shows the same text. Text returns "" if
// err is nil.
func Text(err error) string {
	var status *fetch.StatusError
	var picked *extract.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &status):
		return fmt.Sprintf("Error %d", status.Code)
	case errors.As(err, &picked):
		return "--"
	}
	return "Unavailable"
}
