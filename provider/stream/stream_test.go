package stream

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/ask"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// listening runs a provider of keys until the test ends, and returns where its values are.
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

// until waits for a state of a cell.
func until(t *testing.T, cell *provider.Cell, what string, good func(*provider.Sample) bool) *provider.Sample {
	t.Helper()
	changed := make(chan struct{}, 1)
	defer cell.Watch(changed)()
	limit := time.After(time.Minute)
	for {
		if s := cell.Load(); good(s) {
			return s
		}
		select {
		case <-changed:
		case <-limit:
			t.Fatalf("%s: still %+v after a minute", what, cell.Load())
		}
	}
}

// says waits for a value, as JSON.
func says(t *testing.T, cell *provider.Cell, want string) {
	t.Helper()
	until(t, cell, want, func(s *provider.Sample) bool {
		data, _ := json.Marshal(s.Value)
		return s.Has() && string(data) == want
	})
}

// fails waits for an error with words in it.
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

// TestEvents: the forms of server-sent events, and after the end of one connection another that says where the first ended.
func TestEvents(t *testing.T) {
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

// TestLines: one message a line, JSON or text; the last counts.
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

// TestSocket: a WebSocket is told what is wanted, and opened again when it is lost.
func TestSocket(t *testing.T) {
	var calls atomic.Int32
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
		if calls.Add(1) > 1 {
			_, _, _ = c.Read(r.Context()) // until the other side goes
		}
	})
	p := Params{URL: strings.Replace(url, "http", "ws", 1), Subscribe: []any{`"hello"`, map[string]any{"topic": "x"}}, Headers: map[string]string{"Authorization": "Bearer hush"}}
	cell := listening(t, p)
	says(t, cell, `{"call":0,"you":{"topic":"x"}}`)
	says(t, cell, `{"call":1,"you":{"topic":"x"}}`)
}

// TestHostile: what no stream should do is an error in words, and the last message stays.
func TestHostile(t *testing.T) {
	for name, c := range map[string]struct {
		reply   http.HandlerFunc
		want    string
		timeout time.Duration
	}{
		"hang":      {func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "nothing has arrived for too long", 300 * time.Millisecond},
		"silent":    {func(w http.ResponseWriter, r *http.Request) { send(w, ""); <-r.Context().Done() }, "nothing has arrived for too long", 300 * time.Millisecond},
		"page":      {func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<!DOCTYPE html><p>please log in") }, "a page for people", 0},
		"status":    {func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", http.StatusTeapot) }, "status 418", 0},
		"nothing":   {func(w http.ResponseWriter, r *http.Request) {}, "has ended the stream", 0},
		"redirects": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x"+r.URL.Path, http.StatusFound) }, "redirects", 0},
		"file": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		}, "scheme", 0},
		"half a line": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100")
			send(w, `{"a":`)
		}, "unexpected EOF", 0},
		"endless line": {func(w http.ResponseWriter, r *http.Request) { flood(w, r, strings.Repeat("x", 1<<16)) }, "too large", 0},
		"endless event": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			flood(w, r, "data: "+strings.Repeat("x", 1<<15)+"\n")
		}, "too large", 0},
		"bomb": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			flood(z, r, strings.Repeat("x", 1<<20))
		}, "too large", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := serve(t, c.reply)
			fails(t, listening(t, Params{URL: url + "/?key=hush", Timeout: value.Duration(c.timeout)}), c.want)
			cell := listening(t, Params{URL: url + "/?key=hush", URLSecret: true, Timeout: value.Duration(c.timeout)})
			s := until(t, cell, "an error", func(s *provider.Sample) bool { return s.Err != nil })
			if strings.Contains(s.Err.Error(), "127.0.0.1") || strings.Contains(s.Err.Error(), "hush") {
				t.Errorf("a secret address is told: %v", s.Err)
			}
		})
	}
}

// flood writes the same until the caller goes.
func flood(w interface{ Write([]byte) (int, error) }, r *http.Request, text string) {
	for r.Context().Err() == nil {
		if _, err := w.Write([]byte(text)); err != nil {
			return
		}
	}
}

// TestDrip: a server that sends a byte at a time, and dies, is believed as far as it got.
func TestDrip(t *testing.T) {
	var calls atomic.Int32
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) > 1 {
			http.Error(w, "no more", http.StatusServiceUnavailable)
			return
		}
		for _, b := range []byte("{\"n\": 1}\n") {
			send(w, string(b))
			time.Sleep(2 * time.Millisecond)
		}
	})
	cell := listening(t, Params{URL: url})
	says(t, cell, `{"n":1}`)
	s := until(t, cell, "503", func(s *provider.Sample) bool { return s.Err != nil })
	if data, _ := json.Marshal(s.Value); string(data) != `{"n":1}` || !strings.Contains(s.Err.Error(), "503") {
		t.Errorf("got %s, %v: the last message stays", data, s.Err)
	}
}

// TestFlood: a server that sends as fast as it can is read at a bounded pace, wakes nobody more often than some times a second, and
// only the last messages are kept.
func TestFlood(t *testing.T) {
	var sent atomic.Int64
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		line := strings.Repeat("9", 1<<14) + "\n"
		for r.Context().Err() == nil {
			n, err := w.Write([]byte(line))
			if sent.Add(int64(n)); err != nil {
				return
			}
		}
	})
	p := &Params{URL: url, Keep: MaxKeep, Timeout: value.Duration(time.Minute)}
	client := fetch.New(&fetch.Options{})
	_, s, err := New(p, ask.Deps{Client: client})
	if err != nil {
		t.Fatal(err)
	}
	var wakes atomic.Int32
	cell := provider.NewCell(func() { wakes.Add(1) })
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	began := time.Now()
	_ = s.Run(ctx, cell)
	client.CloseIdle()
	took := time.Since(began)
	const buffered = 16 << 20 // of the kernel and of net/http
	if most := int64(took.Seconds()*perSecond) + burst + buffered; sent.Load() > most {
		t.Errorf("read %d bytes in %v, want at most %d", sent.Load(), took, most)
	}
	if most := int32(took/pace) + 2; wakes.Load() > most || wakes.Load() == 0 {
		t.Errorf("%d values in %v, want at most %d", wakes.Load(), took, most)
	}
	total := 0
	for _, m := range s.held {
		total += len(m.raw)
	}
	if total > MaxHeld || len(s.held) > MaxKeep {
		t.Errorf("keeps %d messages of %d bytes", len(s.held), total)
	}
}

// TestKept: what came last is there after a restart.
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

// TestMistakes in the keys are told with the key.
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

// FuzzEvents reads any bytes as events and as lines.
func FuzzEvents(f *testing.F) {
	for _, text := range []string{"data: x\n\n", ": c\r\nid: 1\nretry: 99999999999999999999\ndata\ndata:y\n\n", "{}\n[1]\n\x1e{}\n", "id: \x00\n\nid: a\rb\n\n"} {
		f.Add([]byte(text), true)
		f.Add([]byte(text), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, events bool) {
		kind := map[bool]string{true: "text/event-stream", false: "application/x-ndjson"}[events]
		client := fetch.NewWith(answer{data, kind})
		_, p, err := New(&Params{URL: "http://h", Keep: 3, Timeout: value.Duration(time.Minute)}, ask.Deps{Client: client})
		if err != nil {
			t.Fatal(err)
		}
		c := &connection{p: p, cell: provider.NewCell(nil), limit: newLimit()}
		if err := c.listen(t.Context()); err == nil {
			t.Error("an answer that ends is no error")
		}
		if len(p.held) > 3 || p.again > retryMost || strings.ContainsAny(p.lastID, "\r\n\x00") {
			t.Errorf("%d messages, pause %v, id %q", len(p.held), p.again, p.lastID)
		}
	})
}

// answer is a server that sends the same each time.
type answer struct {
	body []byte
	kind string
}

func (a answer) RoundTrip(*http.Request) (*http.Response, error) {
	rec := httptest.NewRecorder()
	rec.Header().Set("Content-Type", a.kind)
	_, _ = rec.Write(a.body)
	return rec.Result(), nil
}

// An open is a server whose answers go on until the request ends; each begins with its number.
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

// TestOnlyWhenVisible: the server is left alone while nobody sees the value, and up to a minute after it is still listened to.
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

// TestLongID: the name of an event is kept to be sent back, but none beyond its bound.
func TestLongID(t *testing.T) {
	long := strings.Repeat("a", maxID)
	for id, want := range map[string]string{long: long, long + "a": "7"} {
		client := fetch.NewWith(answer{[]byte("id: 7\ndata: x\n\nid: " + id + "\ndata: y\n\n"), "text/event-stream"})
		_, p, err := New(&Params{URL: "http://h", Timeout: value.Duration(time.Minute)}, ask.Deps{Client: client})
		if err != nil {
			t.Fatal(err)
		}
		_ = (&connection{p: p, cell: provider.NewCell(nil), limit: newLimit()}).listen(t.Context())
		if p.lastID != want {
			t.Errorf("an id of %d bytes: kept one of %d, want %d", len(id), len(p.lastID), len(want))
		}
	}
}
