package wall

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/fetch"
)

// Tests that would take ten seconds or more use the clock of a synctest bubble. The whole service
// runs in this process, and its connections are pipes.

// requestTime is the server's time limit for receiving a header, and also for receiving a body.
const requestTime = 10 * time.Second

// A pipeListener is a listener for pipes. It accepts one end of each pipe that a test dials.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	close func()
}

func newPipeListener() *pipeListener {
	l := &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
	l.close = sync.OnceFunc(func() { close(l.done) })
	return l
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error   { l.close(); return nil }
func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 5000} }

func (l *pipeListener) dial() net.Conn {
	ours, theirs := net.Pipe()
	l.conns <- theirs
	return ours
}

// get sends a request on a separate connection.
func (l *pipeListener) get(t *testing.T, path string) *http.Response {
	t.Helper()
	return l.ask(t, "GET "+path, "")
}

// ask sends a request of the form "METHOD /path" with a JSON body on a separate connection.
func (l *pipeListener) ask(t *testing.T, request, body string) *http.Response {
	t.Helper()
	c := l.dial()
	t.Cleanup(func() { c.Close() })
	go fmt.Fprintf(c, "%s HTTP/1.1\r\nHost: wall\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", request, len(body), body)
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// inBubble runs the service with the given files and calls `test`. Both use the clock of a synctest bubble.
func inBubble(t *testing.T, f files, test func(t *testing.T, s *Service, l *pipeListener)) {
	t.Helper()
	t.Chdir(t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		var log logbook
		s, run := quiet(t, f, &log)
		ctx, cancel := context.WithCancel(t.Context())
		wait, l := run(ctx), newPipeListener()
		served := make(chan struct{})
		go func() {
			defer close(served)
			s.web.server.Serve(ctx, l)
		}()
		synctest.Wait()
		test(t, s, l)
		cancel()
		<-served
		wait()
		if t.Failed() {
			t.Logf("log:\n%s", &log)
		}
	})
}

var pushFiles = files{"conf.yaml": pushConf(1, "", ""), "widgets.yaml": pushWidgets}

// If a caller sends its request too slowly, the server ends the connection, and other callers do not have to wait.
func TestSlowRequests(t *testing.T) {
	const head = "POST /notify HTTP/1.1\r\nHost: wall\r\nContent-Type: application/json\r\n"
	inBubble(t, pushFiles, func(t *testing.T, s *Service, l *pipeListener) {
		var wg sync.WaitGroup
		for _, tt := range []struct{ name, begin, drip, status string }{
			{"nothing", "", "", ""},
			{"half a header", "GET /frame HTTP/1.1\r\nHost: wall\r\n", "", ""},
			{"a header bit by bit", "GET /frame HTTP/1.1\r\nHost: wall\r\nX: ", "a", ""},
			{"no body", head + "Content-Length: 100\r\n\r\n", "", "400"},
			{"a body bit by bit", head + "Content-Length: 100\r\n\r\n", " ", "400"},
			{"chunks bit by bit", head + "Transfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n", "400"},
			{"a body for who takes none", "GET /healthz HTTP/1.1\r\nHost: wall\r\nContent-Length: 100\r\n\r\n", " ", ""},
		} {
			c, began := l.dial(), time.Now()
			wg.Go(func() { drip(c, tt.begin, tt.drip) })
			wg.Go(func() {
				says, _ := io.ReadAll(c) // ignore the error, because the server may end the connection without an answer
				took := time.Since(began)
				if !strings.HasPrefix(string(says), "HTTP/1.1 "+tt.status) && tt.status != "" {
					t.Errorf("%s: got %.80q, want status %s", tt.name, says, tt.status)
				}
				if took < requestTime/2 || took > 2*requestTime+time.Second {
					t.Errorf("%s: ended after %v, want %v for a header and as much for a body", tt.name, took, requestTime)
				}
				c.Close()
			})
		}
		for range 4 {
			time.Sleep(requestTime / 8)
			if began, resp := time.Now(), l.get(t, "/frame"); resp.StatusCode != http.StatusOK || time.Since(began) > time.Second {
				t.Errorf("somebody else got %s after %v", resp.Status, time.Since(began))
			}
		}
		wg.Wait()
	})
}

// drip writes the beginning of a request. Then it writes the parameter `more` again and again, four times a second, for half a minute.
func drip(c net.Conn, begin, more string) {
	if _, err := io.WriteString(c, begin); err != nil || more == "" {
		return
	}
	for range 120 {
		time.Sleep(requestTime / 40)
		if _, err := io.WriteString(c, more); err != nil {
			return
		}
	}
}

// If a client does not read /stream.mjpg, it is disconnected after the time that the slowest supported network needs for a frame. The
// events of this wall are too few to fill the connection of a client. So a test of package server checks such clients of /events.
func TestSlowClients(t *testing.T) {
	busy := files{"conf.yaml": "graphics: {resolution: [320, 200], fps-limit: 10}\noutputs: [{type: stream, image_format: jpeg}]\n", "widgets.yaml": busyWall}
	inBubble(t, busy, func(t *testing.T, s *Service, l *pipeListener) {
		if resp := l.get(t, "/stream.mjpg"); resp.StatusCode != http.StatusOK {
			t.Errorf("got %s", resp.Status)
		}
		for _, tt := range []struct {
			after time.Duration
			open  string
		}{{0, "1"}, {requestTime - time.Second, "1"}, {4 * time.Second, "0"}} {
			time.Sleep(tt.after)
			body, err := io.ReadAll(l.get(t, "/healthz").Body)
			if err != nil || !strings.Contains(string(body), `"mjpg":`+tt.open) {
				t.Errorf("%v later: got %.200s, %v, want %s open", tt.after, body, err, tt.open)
			}
		}
	})
}

// `never` is an HTTP client whose requests do not end before their time limit.
type never struct{}

func (never) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// If a picture takes longer than ten seconds, the wall stops waiting and shows the next picture.
func TestNotifyPictureTooLate(t *testing.T) {
	inBubble(t, pushFiles, func(t *testing.T, s *Service, l *pipeListener) {
		n := s.main().Notes
		n.Poster.SetClient(fetch.NewWith(never{}))
		if _, err := n.Notify(t.Context(), []byte(`{"widget":"i","url":"http://x/late.png","duration":60}`), false); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		n.Poster.SetClient(fetch.NewWith(echo{}))
		if _, err := n.Notify(t.Context(), []byte(`{"widget":"i","url":"http://x/","duration":60}`), false); err != nil {
			t.Fatal(err)
		}
		time.Sleep(9900 * time.Millisecond)
		if st := n.Poster.Stats(); st.Fetching != 2 || st.Failed != 0 {
			t.Errorf("after 9.9 s: got %+v, want both to wait", st)
		}
		time.Sleep(200 * time.Millisecond)
		if st := n.Poster.Stats(); st.Fetching != 0 || st.Failed != 1 {
			t.Errorf("after 10.1 s: got %+v, want one given up and one shown", st)
		}
	})
}
