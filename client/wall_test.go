package client

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// A wall is a scripted service on a network of pipes, for tests in a synctest bubble. Each request has a separate connection, as with the
// server of Grydgets.
type wall struct {
	t      *testing.T
	frame  func(c net.Conn, r *http.Request)
	events func(c net.Conn, r *http.Request)

	mu    sync.Mutex
	gone  bool // the wall accepts no connections
	asked []request
	conns sync.WaitGroup
	hub   chan string // lines for /events
}

// A request is a request that the wall has received, with its time.
type request struct {
	at time.Time
	*http.Request
}

func newWall(t *testing.T) *wall {
	w := &wall{t: t, hub: make(chan string)}
	w.frame = say("503 SERVICE UNAVAILABLE", "Content-Type: application/json", `{"error":"no frame has been published yet","success":false}`+"\n")
	w.events = w.stream
	return w
}

// dial() connects to the wall through a pipe, instead of through the network.
func (w *wall) dial(ctx context.Context, network, address string) (net.Conn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone {
		w.asked = append(w.asked, request{time.Now(), nil})
		return nil, fmt.Errorf("dial %s: %w", address, syscall.ECONNREFUSED)
	}
	client, server := net.Pipe()
	w.conns.Go(func() { w.answer(server) })
	return client, nil
}

func (w *wall) answer(c net.Conn) {
	defer c.Close()
	r, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return
	}
	w.mu.Lock()
	w.asked = append(w.asked, request{time.Now(), r})
	script := w.frame
	if strings.HasSuffix(r.URL.Path, "/events") {
		script = w.events
	}
	w.mu.Unlock()
	script(c, r)
}

// set() changes the script.
func (w *wall) set(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
}

// requests() returns the requests since the last call.
func (w *wall) requests() []request {
	w.mu.Lock()
	defer w.mu.Unlock()
	asked := w.asked
	w.asked = nil
	return asked
}

// Parts of answers, as Grydgets' server sends them.
const (
	grydgetsHead = "Server: Werkzeug/2.2.3 Python/3.11.2\r\nDate: Sat, 21 Nov 2026 12:00:00 GMT\r\n"
	eventsHead   = "HTTP/1.1 200 OK\r\n" + grydgetsHead + "Content-Type: text/event-stream; charset=utf-8\r\nCache-Control: no-store\r\n" +
		"X-Accel-Buffering: no\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
	eventText = "data: {\"etag\": \"1f0c8f6d5b1f0a33\", \"published_at\": 1795235340.3545783}\n\n"
	pingText  = ": ping\n\n"
)

// say returns a handler that answers with a status, an additional header and a body.
func say(status, header, body string) func(net.Conn, *http.Request) {
	return func(c net.Conn, _ *http.Request) {
		fmt.Fprintf(c, "HTTP/1.1 %s\r\n%s%s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", status, grydgetsHead, header, len(body), body)
	}
}

// picture() returns a handler that answers with a frame.
func picture(etag, kind string, file []byte) func(net.Conn, *http.Request) {
	return func(c net.Conn, r *http.Request) {
		head := grydgetsHead + "ETag: " + etag + "\r\nCache-Control: no-store\r\nX-Frame-Published-At: 946684800.250000\r\nConnection: close\r\n"
		if r.Header.Get("If-None-Match") == etag {
			fmt.Fprintf(c, "HTTP/1.1 304 NOT MODIFIED\r\n%s\r\n", head)
			return
		}
		fmt.Fprintf(c, "HTTP/1.1 200 OK\r\n%sContent-Type: image/%s\r\nContent-Length: %d\r\n\r\n%s", head, kind, len(file), file)
	}
}

// stream() keeps the connection open and sends the lines that it receives from the channel `hub`. The line "" ends the stream without an
// error.
func (w *wall) stream(c net.Conn, _ *http.Request) {
	fmt.Fprint(c, eventsHead)
	hangUp := make(chan struct{})
	w.conns.Go(func() {
		_, _ = io.Copy(io.Discard, c)
		close(hangUp)
	})
	for {
		select {
		case <-hangUp:
			return
		case text := <-w.hub:
			fmt.Fprintf(c, "%x\r\n%s\r\n", len(text), text)
			if text == "" {
				return
			}
		}
	}
}

// story() runs a client with a wall in a new synctest bubble. The time in the bubble begins at midnight of 1 January 2000 UTC.
func story(t *testing.T, tell func(w *wall, c *Client, d *display), change func(w *wall, o *Options)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w, d := newWall(t), &display{}
		o := testOptions(smallScreen)
		o.Display = d
		change(w, &o)
		transport, err := newTransport(w.dial)
		if err != nil {
			t.Fatal(err)
		}
		transport.Proxy = nil
		c, err := newClient(o, transport)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() { c.Run(ctx) })
		synctest.Wait()
		tell(w, c, d)
		cancel()
		ended := time.Now()
		done.Wait()
		if took := time.Since(ended); took > 0 {
			t.Errorf("the client took %v to end", took)
		}
		w.conns.Wait()
	})
}

// pass() waits until the bubble's clock has advanced by d and all goroutines are blocked.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// paths() returns the requested resources, separated by blanks.
func paths(asked []request) string {
	names := []string{}
	for _, r := range asked {
		if r.Request == nil {
			names = append(names, "refused")
		} else {
			names = append(names, strings.TrimPrefix(r.URL.Path, "/"))
		}
	}
	return strings.Join(names, " ")
}

// wantAsked checks which requests the wall has received since the last call of requests().
func wantAsked(t *testing.T, w *wall, want ...string) []request {
	t.Helper()
	asked := w.requests()
	if got := paths(asked); !slices.Contains(want, got) {
		t.Errorf("got requests %q, want %q", got, want)
	}
	return asked
}

func wantState(t *testing.T, c *Client, want State) {
	t.Helper()
	if got := c.Stats().State; got != want {
		t.Errorf("got state %v, want %v", got, want)
	}
}
