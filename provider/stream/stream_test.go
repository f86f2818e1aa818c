package stream

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/internal/testing/programtest"
	"dashboard/provider"
	"dashboard/provider/ask"
)

func TestMain(m *testing.M) { programtest.MainWithoutLeaks(m) }

// listening runs a provider with the given keys until the test ends, and returns its cell.
func listening(t *testing.T, p Params) *provider.Cell {
	t.Helper()
	client := fetch.New(&fetch.Options{})
	if p.Timeout == 0 {
		p.Timeout = value.Duration(time.Minute)
	}
	_, s, err := New(&p, ask.Deps{Client: client})
	if err != nil {
		t.Fatal(err)
	}
	cell := provider.NewCell(nil)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Run(ctx, cell) }()
	t.Cleanup(func() { cancel(); <-done; client.CloseIdle() })
	return cell
}

// until() waits until the function `good` returns true for a sample of the cell.
func until(t *testing.T, cell *provider.Cell, what string, good func(*provider.Sample) bool) *provider.Sample {
	t.Helper()
	changed := make(chan struct{}, 1)
	defer cell.Watch(changed)()
	limit := time.After(programtest.Patience)
	for {
		if s := cell.Load(); good(s) {
			return s
		}
		select {
		case <-changed:
		case <-limit:
			t.Fatalf("%s: still %+v after %v", what, cell.Load(), programtest.Patience)
		}
	}
}

// says() waits until the value of a cell, as JSON, is `want`.
func says(t *testing.T, cell *provider.Cell, want string) {
	t.Helper()
	until(t, cell, want, func(s *provider.Sample) bool {
		data, _ := json.Marshal(s.Value)
		return s.Has() && string(data) == want
	})
}

// fails() waits until the cell has an error that contains the text `words`.
func fails(t *testing.T, cell *provider.Cell, words string) {
	t.Helper()
	until(t, cell, words, func(s *provider.Sample) bool { return s.Err != nil && strings.Contains(s.Err.Error(), words) })
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// send writes a part of an answer at once.
func send(w http.ResponseWriter, text string) {
	fmt.Fprint(w, text)
	_ = http.NewResponseController(w).Flush()
}

// TestEvents checks the forms of server-sent events. After a connection has ended, the next request contains the last event ID.
func TestEvents(t *testing.T) {
	t.Parallel()
	var ids []string
	var mu sync.Mutex
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		ids = append(ids, r.Header.Get("Last-Event-ID"))
		n := len(ids)
		mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		if n == 1 {
			send(w, "\ufeff: hello\r\nid: 7\nretry: 1\nevent: x\ndata: {\"a\":\ndata:1}\n\ndata\n\nid: 8\n\ndata: half")
			return
		}
		send(w, "data: second\n\n")
		<-r.Context().Done()
	})
	cell := listening(t, Params{URL: url, Keep: 3})
	says(t, cell, `[{"a":1},"","second"]`)
	mu.Lock()
	defer mu.Unlock()
	if got := strings.Join(ids, ","); got != ",8" {
		t.Errorf("got the ids %q", got)
	}
}

// TestLines: each line is a message, which is JSON or text. The last message is the value.
func TestLines(t *testing.T) {
	more := make(chan string)
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		send(w, "\n")
		for {
			select {
			case text := <-more:
				send(w, text)
			case <-r.Context().Done():
				return
			}
		}
	})
	cell := listening(t, Params{URL: url})
	more <- "{\"watts\": 420}\r\n"
	says(t, cell, `{"watts":420}`)
	more <- "\x1e[1, 2]\n\n"
	says(t, cell, `[1,2]`)
	more <- "just words\nand more"
	says(t, cell, `"just words"`)
	more <- "\n"
	says(t, cell, `"and more"`)
}

// TestSocket: a server receives the messages of the key `subscribe` through a WebSocket. When the WebSocket is lost, the provider opens
// another WebSocket.
func TestSocket(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	seen := make(chan struct{}) // closed when the test has seen the value of the first connection
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer hush" {
			http.Error(w, "who?", http.StatusUnauthorized)
			return
		}
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer c.CloseNow()
		for range 2 {
			_, data, err := c.Read(r.Context())
			if err != nil {
				return
			}
			_ = c.Write(r.Context(), websocket.MessageText, fmt.Appendf(nil, `{"call": %d, "you": %s}`, calls.Load(), data))
		}
		if calls.Add(1) == 1 {
			<-seen
			return
		}
		_, _, _ = c.Read(r.Context()) // returns when the client disconnects
	})
	p := Params{URL: strings.Replace(url, "http", "ws", 1), Subscribe: []any{`"hello"`, map[string]any{"topic": "x"}}, Headers: map[string]string{"Authorization": "Bearer hush"}}
	cell := listening(t, p)
	says(t, cell, `{"call":0,"you":{"topic":"x"}}`)
	close(seen)
	says(t, cell, `{"call":1,"you":{"topic":"x"}}`)
}

// TestKept: the last two messages are still there after a restart.
func TestKept(t *testing.T) {
	make := func() *Provider {
		_, p, err := New(&Params{URL: "http://h", Keep: 2, Timeout: value.Duration(time.Minute)}, ask.Deps{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := make()
	for _, m := range []string{"1", `{"a": 2.0}`, "three"} {
		p.hold([]byte(m))
	}
	data, err := p.Kept(nil)
	if err != nil {
		t.Fatal(err)
	}
	v, err := make().Restore(data, time.Now())
	if got := fmt.Sprint(v); err != nil || got != "[map[a:2] three]" {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := make().Restore([]byte("{}"), time.Now()); err == nil {
		t.Error("nothing is taken for a value")
	}
}

// A message is decoded only once, even if its value is requested twice.
func TestReadOnce(t *testing.T) {
	p := &Provider{keep: 2}
	at := func(v any, err error) uintptr {
		t.Helper()
		list, _ := v.([]any)
		if err != nil || len(list) == 0 {
			t.Fatalf("got %v, %v", v, err)
		}
		return reflect.ValueOf(list[len(list)-1]).Pointer()
	}
	p.hold([]byte(`{"a": 1}`))
	if before, after := at(p.value(t.Context())), at(p.value(t.Context())); before != after {
		t.Error("the message was read again")
	}
}

// TestMistakes: an error in the keys begins with the name of the key.
func TestMistakes(t *testing.T) {
	for want, p := range map[string]Params{
		"url: ":                   {URL: "gopher://h"},
		"url: a file":             {URL: "file:///x"},
		"protocol: sse":           {URL: "ws://h", Protocol: SSE},
		"subscribe: only":         {URL: "http://h", Subscribe: []any{"x"}},
		"subscribe: has at most ": {URL: "ws://h", Subscribe: make([]any, MaxSubscribe+1)},
	} {
		if _, _, err := New(&p, ask.Deps{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// The type open is a server whose answers continue until the request ends. Each answer begins with its number.
type open struct{ asked, now atomic.Int32 }

func (o *open) RoundTrip(r *http.Request) (*http.Response, error) {
	n := o.asked.Add(1)
	o.now.Add(1)
	from, to := io.Pipe()
	go func() {
		_, _ = fmt.Fprintf(to, "%d\n", n)
		<-r.Context().Done()
		o.now.Add(-1)
		_ = to.CloseWithError(r.Context().Err())
	}()
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/x-ndjson"}}, Body: from, Request: r}, nil
}

// TestOnlyWhenVisible: while the value is not visible, there is no connection. After the value was last visible, the connection stays for
// up to a minute.
func TestOnlyWhenVisible(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &open{}
		_, p, err := New(&Params{URL: "http://h", Timeout: value.Duration(24 * time.Hour), Visible: true}, ask.Deps{Client: fetch.NewWith(server)})
		if err != nil {
			t.Fatal(err)
		}
		cell := provider.NewCell(nil)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); _ = p.Run(ctx, cell) }()
		is := func(what string, asked, now int32, value any) {
			t.Helper()
			synctest.Wait()
			if got, open := server.asked.Load(), server.now.Load(); got != asked || open != now || cell.Load().Value != value || cell.Load().Err != nil {
				t.Errorf("%s: asked %d times, %d open, got %+v; want %d, %d, %v", what, got, open, *cell.Load(), asked, now, value)
			}
		}
		time.Sleep(time.Hour)
		is("nobody looks", 0, 0, nil)
		for range 30 {
			cell.Look(time.Now())
			time.Sleep(10 * time.Second)
			is("somebody looks", 1, 1, 1)
		}
		time.Sleep(30 * time.Second)
		is("for half a minute nobody looks", 1, 1, 1)
		time.Sleep(time.Hour)
		is("nobody looks any more", 1, 0, 1)
		cell.Look(time.Now())
		time.Sleep(time.Second)
		is("again", 2, 1, 2)
		cancel()
		<-done
	})
}
