package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/todo"
)

// A taskServer is a server of tasks whose answers may get lost.
type taskServer struct {
	mu    sync.Mutex
	tasks []map[string]any
	lose  int      // how many of the next answers to changes get lost
	asked []string // changes that the server received
}

func (s *taskServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Method == http.MethodGet {
		json.NewEncoder(w).Encode(s.tasks)
		return
	}
	body, _ := io.ReadAll(r.Body)
	s.asked = append(s.asked, fmt.Sprintf("%s %s %s", r.Method, r.URL.EscapedPath(), body))
	var change struct {
		Name string
		Done bool
	}
	json.Unmarshal(body, &change)
	if r.Header.Get("X-Request-Id") == "" {
		w.WriteHeader(http.StatusBadRequest)
	}
	if r.Method == http.MethodPost {
		s.tasks = append(s.tasks, map[string]any{"id": len(s.tasks) + 1, "title": change.Name, "done": false})
	}
	for _, t := range s.tasks {
		if fmt.Sprint("/", t["id"]) == r.URL.Path {
			t["done"] = change.Done
		}
	}
	if s.lose > 0 {
		s.lose--
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(http.StatusNoContent)
}

// running() runs a provider of tasks until the test ends.
func running(t *testing.T, p *Params) (*ask.Source, *provider.Cell) {
	t.Helper()
	client := fetch.New(&fetch.Options{})
	d := ask.Deps{Client: client, Queues: todo.NewQueues("", slog.New(slog.DiscardHandler))}
	c, err := p.Config(d)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewTasks(p, c, d)
	if err != nil {
		t.Fatal(err)
	}
	cell := provider.NewCell(nil)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = s.Run(ctx, cell) }()
	t.Cleanup(func() { cancel(); <-ended; client.CloseIdle() })
	return s, cell
}

// await waits until the tasks have the short form `want`. The short form of a task is its title, with a check mark before the title if
// the task is done. After the title, "…" means that a change waits, and "!" means that a change failed.
func await(t *testing.T, cell *provider.Cell, want string) {
	t.Helper()
	changed := make(chan struct{}, 1)
	defer cell.Watch(changed)()
	late := time.After(3 * time.Minute)
	for {
		got := ""
		list, _ := cell.Load().Value.([]any)
		for _, v := range list {
			m := v.(map[string]any)
			got += fmt.Sprint(" ", map[any]string{true: "✓"}[m["done"]], m["title"], map[any]string{true: "…"}[m["waiting"]])
			if m["problem"] != nil {
				got += "!"
			}
		}
		if strings.TrimSpace(got) == want {
			return
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("got %q, want %q: %v", got, want, cell.Load().Err)
		}
	}
}

func wishes(t *testing.T, s *ask.Source, action, item string) {
	t.Helper()
	if err := todo.Do(s.TaskLists("p"), todo.Wish{Item: item, Action: action}); err != nil {
		t.Fatal(err)
	}
}

// A server gets each completed and each new task once, in the request that the configuration defines. Even if the answer to a request is
// lost, the server gets the task only once.
func TestTasks(t *testing.T) {
	server := &taskServer{tasks: []map[string]any{{"id": 1, "title": "Milk", "done": false}, {"id": "a/b", "title": "Eggs", "done": true}}}
	h := httptest.NewServer(server)
	defer h.Close()
	p := &Params{URL: h.URL, Write: true, On: On{
		Request: &Change{URL: h.URL + "/{id}", Method: "PATCH", Body: map[string]any{"done": "{done}", "by": "{by}"}},
		Add:     &Change{URL: h.URL + "/new", Method: "POST", Body: map[string]any{"name": "{title}"}},
	}}
	s, cell := running(t, p)
	await(t, cell, "Milk ✓Eggs")
	wishes(t, s, "done", "milk")
	await(t, cell, "✓Milk ✓Eggs")
	wishes(t, s, "open", "eggs")
	await(t, cell, "✓Milk Eggs")
	server.mu.Lock()
	server.lose = 1
	server.mu.Unlock()
	wishes(t, s, "add", "Bread")
	await(t, cell, "✓Milk Eggs Bread")
	server.mu.Lock()
	defer server.mu.Unlock()
	want := `PATCH /1 {"by":"","done":true} PATCH /a%2Fb {"by":"","done":false} POST /new {"name":"Bread"}`
	if got := strings.Join(server.asked, " "); got != want {
		t.Errorf("the server was asked %s, want %s", got, want)
	}
}

// Wrong keys are errors in the configuration. If the server sends no list, or rejects the change, the reason is shown.
func TestTaskMistakes(t *testing.T) {
	d := ask.Deps{Client: fetch.New(&fetch.Options{})}
	for want, p := range map[string]*Params{
		"write: needs 'on'":                    {},
		"on: url: impossible request: scheme":  {On: On{Add: &Change{URL: "file:///etc/passwd"}}},
		"on: url: {secret} is none of {id}, {": {On: On{Request: &Change{URL: "http://h/{secret}"}}},
	} {
		p.URL, p.Write = "http://h/", true
		c, err := p.Config(d)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := NewTasks(p, c, d); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			w.WriteHeader(http.StatusForbidden)
		}
		io.WriteString(w, `[{"id": 1, "title": "Milk", "done": false}, 7]`)
	}))
	defer h.Close()
	s, cell := running(t, &Params{URL: h.URL, Write: true, JQExpression: "[.[0]]", On: On{Request: &Change{URL: h.URL + "/{id}", Method: "POST"}}})
	await(t, cell, "Milk")
	wishes(t, s, "done", "Milk")
	await(t, cell, "Milk!")
	wishes(t, s, "add", "Bread")
	await(t, cell, "Milk! Bread!")
}

// A redirect does not send a change to another host. Large IDs and answers of a hostile server do not fill the memory or block the wall.
func TestHostileTasks(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the other host was asked") }))
	defer other.Close()
	huge := strings.Repeat("x", 1<<20)
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet:
			json.NewEncoder(w).Encode([]map[string]any{{"id": "1", "title": "away"}, {"id": "2", "title": "huge"}, {"id": huge, "title": "long"}})
		case r.URL.Path == "/1":
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		default:
			for range 64 {
				io.WriteString(w, huge)
			}
		}
	}))
	defer h.Close()
	s, cell := running(t, &Params{URL: h.URL, Write: true, On: On{Request: &Change{URL: h.URL + "/{id}", Method: "POST"}}})
	await(t, cell, "away huge long")
	wishes(t, s, "done", "away")
	wishes(t, s, "done", "huge")
	await(t, cell, "away! huge! long")
	if err := todo.Do(s.TaskLists("p"), todo.Wish{Item: "long", Action: "done"}); err == nil {
		t.Error("a task with an id of 1 MB was taken")
	}
}
