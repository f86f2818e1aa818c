// Package todoist is a provider of the tasks in a Todoist account (developer.todoist.com/api/v1).
package todoist

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/provider/ask"
	"dashboard/provider/todo"
)

const (
	// pageSize is the number of tasks in one answer. maxPages is the maximum number of answers for one reading.
	pageSize = 200
	maxPages = 5
	// maxAnswer is the maximum size of an answer, in bytes. 200 tasks with long descriptions need 1 MB.
	maxAnswer = 4 << 20
)

// Params are the keys of a provider of type todoist.
type Params struct {
	// Address of the service.
	URL string `yaml:"url" default:"https://api.todoist.com/api/v1"`
	// Id of a project, from its address in the browser. Default: all projects.
	Project string `yaml:"project" maxlen:"64"`
	// Allows changing tasks at the wall.
	Write bool `yaml:"write" default:"false"`
	// Pause between two readings.
	UpdateInterval value.Duration `yaml:"update_interval" default:"5m" min:"30"`
	ask.Keys
}

// A service sends requests to Todoist.
type service struct {
	client  *fetch.Client
	request fetch.Request // request without an address
	base    string
	project string
}

var errToken = errors.New("auth: is missing: write auth: {bearer: !secret todoist} with the API token from Todoist's settings")

// New returns a provider and the key that identifies its definition. An error begins with the name of the configuration key that causes
// it.
func New(p *Params, d ask.Deps) (key string, s *ask.Source, err error) {
	if p.Auth == nil {
		return "", nil, errToken
	}
	v := &service{client: d.Client, base: strings.TrimSuffix(p.URL, "/"), project: p.Project}
	if v.request, err = p.Request(d, v.base); err != nil {
		return "", nil, err
	}
	v.request.MaxBytes = maxAnswer
	s = &ask.Source{Name: "todoist", Client: d.Client, Request: v.request}
	if s.Schedule, err = p.Schedule(d, p.UpdateInterval); err != nil {
		return "", nil, err
	}
	s.Ask = func(ctx context.Context) (any, error) { return v.tasks(ctx) }
	if p.Write && d.Queues != nil {
		q, err := d.Queues.Queue(ask.Key("todoist tasks", []any{p.URL, p.Project, v.request.Auth}))
		if err != nil {
			return "", nil, err
		}
		s.Tasks = todo.NewBoard(q, v)
	}
	return ask.Key("todoist", p), s, nil
}

// A task is a task in an answer of Todoist.
type task struct {
	ID       string `json:"id"`
	Content  string `json:"content"`
	Checked  bool   `json:"checked"`
	Priority int    `json:"priority"` // 4 is the highest
	Due      *struct {
		Date      string `json:"date"`
		Recurring bool   `json:"is_recurring"`
	} `json:"due"`
}

// id returns an ID with which the task can be changed. For a recurring task, the ID contains the date, so that a second completion of the
// same occurrence has no effect.
func (t *task) id() string {
	if t.Due != nil && t.Due.Recurring {
		return t.ID + "#" + t.Due.Date
	}
	return t.ID
}

// value returns the task in the form for widgets. Priority 1 is the highest, as in calendars.
func (t *task) value() map[string]any {
	v := map[string]any{"id": t.id(), "title": t.Content, "done": t.Checked, "due": nil, "priority": 5 - min(max(t.Priority, 1), 4)}
	if t.Due != nil {
		v["due"] = t.Due.Date
	}
	return v
}

// tasks() requests all open tasks.
func (v *service) tasks(ctx context.Context) ([]any, error) {
	all, cursor := []any{}, ""
	for range maxPages {
		query := url.Values{"limit": {fmt.Sprint(pageSize)}}
		if v.project != "" {
			query.Set("project_id", v.project)
		}
		if cursor != "" {
			query.Set("cursor", cursor)
		}
		var page struct {
			Results []task `json:"results"`
			Next    string `json:"next_cursor"`
		}
		if err := v.ask(ctx, &fetch.Request{URL: v.base + "/tasks", Query: query}, &page); err != nil {
			return nil, err
		}
		for i := range page.Results[:min(len(page.Results), pageSize)] {
			all = append(all, page.Results[i].value())
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	return all, nil
}

// ask sends a request and decodes the answer into `into`, which is a pointer.
func (v *service) ask(ctx context.Context, r *fetch.Request, into any) error {
	own := v.request
	own.URL, own.Method, own.Query, own.Body = r.URL, r.Method, r.Query, r.Body
	if r.Body != nil {
		own.Header = map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	}
	resp, err := v.client.Do(ctx, &own)
	if err != nil {
		return err
	}
	defer resp.Release()
	if err := resp.Check(); err != nil {
		return fmt.Errorf("%s: %w", own.Shown(), err)
	}
	return resp.Misread(json.Unmarshal(resp.Body, into))
}

// Carry implements todo.Source. Each command has a UUID. Todoist executes a command only once, even if the command is sent several times.
func (v *service) Carry(ctx context.Context, c todo.Change) error {
	id, instance, recurs := strings.Cut(c.Task, "#")
	args := map[string]any{"id": id}
	kind := "item_close"
	switch {
	case c.New:
		kind, args = "item_add", map[string]any{"content": c.Title}
		if v.project != "" {
			args["project_id"] = v.project
		}
	case !c.Done:
		kind = "item_uncomplete"
	case recurs:
		var now task
		if err := v.ask(ctx, &fetch.Request{URL: v.base + "/tasks/" + url.PathEscape(id)}, &now); err != nil {
			return todo.Sorted(err)
		}
		if now.Due == nil || now.Due.Date != instance {
			return nil // the task was already completed and has moved to its next date
		}
	}
	return todo.Sorted(v.command(ctx, kind, c.ID, args))
}

// command sends a command to Todoist.
func (v *service) command(ctx context.Context, kind, id string, args map[string]any) error {
	uuid := uuidOf(id)
	one := map[string]any{"type": kind, "uuid": uuid, "args": args}
	if kind == "item_add" {
		one["temp_id"] = uuid
	}
	commands, err := json.Marshal([]any{one})
	if err != nil {
		return err
	}
	var answer struct {
		Status map[string]json.RawMessage `json:"sync_status"`
	}
	form := url.Values{"commands": {string(commands)}}
	err = v.ask(ctx, &fetch.Request{Method: http.MethodPost, URL: v.base + "/sync", Body: []byte(form.Encode())}, &answer)
	if err != nil {
		return err
	}
	return outcome(answer.Status[uuid])
}

// outcome returns the error that the status of a command describes. The status is "ok", or an object with a code.
func outcome(status json.RawMessage) error {
	var failure struct {
		Error string `json:"error"`
		Code  int    `json:"http_code"`
	}
	switch {
	case string(status) == `"ok"`:
		return nil
	case json.Unmarshal(status, &failure) != nil || failure.Error == "":
		return errors.New("the answer of Todoist has no status of the change")
	case failure.Code >= http.StatusInternalServerError || failure.Code == http.StatusTooManyRequests:
		return errors.New(failure.Error)
	}
	return todo.Refused("%s", failure.Error)
}

// uuidOf returns the UUID for the ID of a change.
func uuidOf(id string) string {
	b := sha256.Sum256([]byte(id))
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80 // version 8 is for application-specific methods (RFC 9562, section 5.8)
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
}
