package todoist

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"dashboard/internal/fetch"
	"dashboard/provider/ask"
	"dashboard/provider/query"
	"dashboard/provider/todo"
)

// An account answers as Todoist's documentation describes. It does not run a command with a known UUID again.
type account struct {
	mu   sync.Mutex // needed because two requests may run at the same time after a dropped connection
	seen map[string]bool
	ran  []string
	due  string
	lose bool
	fail string // status of the next command
}

func (a *account) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer t" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	weekly := fmt.Sprintf(`{"id": "w", "content": "Bins", "checked": false, "priority": 1, "due": {"date": %q, "is_recurring": true}}`, a.due)
	switch {
	case r.URL.Path == "/tasks/w":
		fmt.Fprint(w, weekly)
	case r.URL.Path == "/tasks" && r.URL.Query().Get("cursor") == "":
		fmt.Fprintf(w, `{"results": [%s], "next_cursor": "2"}`, weekly)
	case r.URL.Path == "/tasks":
		fmt.Fprint(w, `{"results": [{"id": "m", "content": "Milk", "checked": false, "priority": 4, "due": null}], "next_cursor": null}`)
	case r.URL.Path == "/sync":
		a.sync(w, r)
	}
}

func (a *account) sync(w http.ResponseWriter, r *http.Request) {
	var commands []struct {
		Type, UUID string
		Args       map[string]any
	}
	_ = json.Unmarshal([]byte(r.FormValue("commands")), &commands)
	c := commands[0]
	if !a.seen[c.UUID] && a.fail == "" {
		a.ran = append(a.ran, fmt.Sprint(c.Type, c.Args))
		if a.seen[c.UUID] = true; c.Args["id"] == "w" {
			a.due = "2026-05-21"
		}
	}
	if a.lose {
		a.lose = false
		panic(http.ErrAbortHandler)
	}
	fmt.Fprintf(w, `{"sync_status": {%q: %s}}`, c.UUID, map[bool]string{true: `"ok"`, false: a.fail}[a.fail == ""])
}

// set runs f while no request is handled.
func (a *account) set(f func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f()
}

// Tasks come from all pages. A change has its effect only once, even if its answer is lost or if two walls make the same change.
func TestTodoist(t *testing.T) {
	a := &account{seen: map[string]bool{}, due: "2026-05-14"}
	h := httptest.NewServer(a)
	defer h.Close()
	p := &Params{URL: h.URL, Project: "p1", Write: true, UpdateInterval: 300}
	p.Auth = &query.Auth{Bearer: "t"}
	client := fetch.New(&fetch.Options{})
	defer client.CloseIdle()
	_, s, err := New(p, ask.Deps{Client: client, Queues: todo.NewQueues("", slog.New(slog.DiscardHandler))})
	if err != nil {
		t.Fatal(err)
	}
	r := s.Try(t.Context(), true)
	want := "[map[done:false due:2026-05-14 id:w#2026-05-14 priority:4 title:Bins] map[done:false due:<nil> id:m priority:1 title:Milk]]"
	if got := fmt.Sprint(r.Value); got != want || r.Err != nil {
		t.Fatalf("got %s, %v", got, r.Err)
	}
	carry := func(c todo.Change, fails bool) {
		t.Helper()
		if err := s.Tasks.Source.Carry(context.Background(), c); (err != nil) != fails {
			t.Errorf("%+v: got %v", c, err)
		}
	}
	a.set(func() { a.lose = true })
	carry(todo.Change{ID: "1", Task: "m", Done: true}, true)
	carry(todo.Change{ID: "1", Task: "m", Done: true}, false)
	carry(todo.Change{ID: "2", Task: "w#2026-05-14", Done: true}, false)
	carry(todo.Change{ID: "3", Task: "w#2026-05-14", Done: true}, false) // a change from another wall
	carry(todo.Change{ID: "4", Task: "m"}, false)
	carry(todo.Change{ID: "5", New: true, Title: "Bread"}, false)
	carry(todo.Change{ID: "5", New: true, Title: "Bread"}, false)
	want = "item_closemap[id:m] item_closemap[id:w] item_uncompletemap[id:m] item_addmap[content:Bread project_id:p1]"
	var got string
	a.set(func() { got = strings.Join(a.ran, " ") })
	if got != want {
		t.Errorf("ran %s, want %s", got, want)
	}
	for status, refused := range map[string]bool{`{"error": "Item not found", "http_code": 404}`: true, `{"error": "busy", "http_code": 503}`: false, `7`: false} {
		a.set(func() { a.fail = status })
		err := s.Tasks.Source.Carry(context.Background(), todo.Change{ID: "6" + status, Task: "m", Done: true})
		if err == nil || errors.As(err, &todo.RefusedError{}) != refused {
			t.Errorf("%s: got %v", status, err)
		}
	}
}

func TestMistakes(t *testing.T) {
	if _, _, err := New(&Params{URL: "http://h"}, ask.Deps{}); !errors.Is(err, errToken) {
		t.Errorf("got %v", err)
	}
	if id := uuidOf("x"); len(id) != 36 || id != uuidOf("x") || id == uuidOf("y") {
		t.Errorf("got %s", id)
	}
}
