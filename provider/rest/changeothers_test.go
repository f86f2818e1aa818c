package rest

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/todo"
)

// A shelf is a network that answers GET with one task, whose title is the path, and accepts all changes.
type shelf struct {
	mu   sync.Mutex
	sent []string
	done bool
}

// RoundTrip implements http.RoundTripper.
func (s *shelf) RoundTrip(q *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, q.Method+" "+q.URL.Path)
	s.done = s.done || q.Method != http.MethodGet
	body := fmt.Sprintf(`[{"id": 1, "title": %q, "done": %v}]`, q.URL.Path, s.done)
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: q}, nil
}

// Tasks whose address contains a value of another provider are read again after a change of this value, and after a change of a task.
func TestTasksFollowOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net, list := &shelf{}, provider.NewCell(nil)
		client := fetch.NewWith(net)
		p := &Params{
			URL: "https://api.example.org/{list}", UpdateInterval: value.Duration(time.Hour), Write: true,
			On: On{Request: &Change{URL: "https://api.example.org/done", Method: "POST"}},
		}
		d := ask.Deps{Client: client, Values: map[string]*provider.Cell{"list": list}, Queues: todo.NewQueues("", slog.New(slog.DiscardHandler))}
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
		defer func() { cancel(); <-ended }()
		want := func(what, sent string) {
			t.Helper()
			time.Sleep(11 * time.Second) // in fake time: longer than the minimum pause between two requests
			synctest.Wait()
			net.mu.Lock()
			defer net.mu.Unlock()
			if got := strings.Join(net.sent, ", "); got != sent {
				t.Errorf("%s: got %s, want %s", what, got, sent)
			}
		}
		list.Publish("a", time.Now())
		want("the first list", "GET /a")
		list.Publish("b", time.Now())
		want("another list", "GET /a, GET /b")
		wishes(t, s, "done", "/b")
		want("a change", "GET /a, GET /b, POST /done, GET /b")
		if tasks := s.Tasks.Tasks(); len(tasks) != 1 || !tasks[0].Done || tasks[0].Waiting || s.Tasks.Queue.Marks().Unread {
			t.Errorf("got %+v, want a completed task that was read again", tasks)
		}
		want("without a change", "GET /a, GET /b, POST /done, GET /b")
	})
}
