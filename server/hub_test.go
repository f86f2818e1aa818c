package server

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/loglimit"
	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/race"
	"dashboard/netstream"
)

// pipes is a listener whose connections are in memory. So tests can use it inside a synctest bubble.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if c, ok := <-p; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) Close() error { close(p); return nil }

func (p pipes) Addr() net.Addr { return &net.UnixAddr{} }

// dial sends a raw request, reads the header of the answer, and returns a reader of the body.
func (p pipes) dial(t *testing.T, target string) *bufio.Reader {
	t.Helper()
	here, there := net.Pipe()
	p <- there
	if _, err := io.WriteString(here, "GET "+target+" HTTP/1.1\r\nHost: wall\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(here)
	skipHeader(t, r)
	return r
}

// servePipes runs the server on pipes. `end` ends the server and returns the time that this takes.
func (f *fixture) servePipes() (p pipes, end func() time.Duration) {
	p = pipes(make(chan net.Conn))
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { f.Serve(ctx, p) })
	return p, func() time.Duration {
		began := time.Now()
		cancel()
		wg.Wait()
		return time.Since(began)
	}
}

// If a client does not read, the server and the renderer do not wait for it. The end of the server is not delayed.
func TestStuckCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.side.X, f.side.Y = 640, 480
		f.show(t, 1)
		p, end := f.servePipes()
		p.dial(t, "/stream.mjpg?width=1600&height=1200")
		synctest.Wait()
		noise, began := newNoise(f.side.X, f.side.Y), time.Now()
		for range 40 {
			noise.next()
			if err := f.stream.DrawFrame(noise.m, noise.all()); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("the frames took %v with a caller that does not read", took)
		}
		if took := end(); took > writeGrace/2 { // without the short deadline, the blocked write would last writeGrace
			t.Errorf("the end took %v: somebody is waited for", took)
		}
	})
}

// TestFullSocket fills the socket of a caller that does not read. The next write sends nothing, and does not wait.
func TestFullSocket(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	there, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	here, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	out, p := eager(here), make([]byte, 1<<20)
	for n := len(p); n > 0; {
		if n, err = out.try(p); err != nil {
			t.Fatal(err)
		}
	}
}

// TestConnectionsAreToldFew checks that a client that opens and closes streams as fast as possible does not fill the log.
func TestConnectionsAreToldFew(t *testing.T) {
	f := newFixture(t)
	var clock atomic.Int64 // in seconds
	f.now = func() time.Time { return published.Add(time.Duration(clock.Load()) * time.Second) }
	f.show(t, 1)
	address, _ := f.serve(t)
	for range 3 * loglimit.AtOnce {
		c, r := dial(t, address, "GET /events HTTP/1.1\r\nHost: wall\r\n\r\n")
		skipHeader(t, r)
		c.Close()
	}
	told := func() int { return f.log.Count("display connected") + f.log.Count("display disconnected") }
	programtest.Eventually(t, "the connections are told of", func() bool { return told() >= loglimit.AtOnce })
	if n := told(); n != loglimit.AtOnce {
		t.Errorf("%d lines of %d connections, want %d", n, 3*loglimit.AtOnce, loglimit.AtOnce)
	}
	clock.Add(1)
	_, r := dial(t, address, "GET /stream.mjpg HTTP/1.1\r\nHost: wall\r\n\r\n")
	skipHeader(t, r)
	programtest.Eventually(t, "a line that says how many are missing", func() bool { return f.log.Count("untold_before=") > 0 })
}

// TestNoPlaceLeft checks that a request for a stream is refused with a Retry-After if too many streams are open. Frames are still served.
func TestNoPlaceLeft(t *testing.T) {
	f := newFixture(t)
	f.show(t, 1)
	ts := httptest.NewServer(f.Handler())
	defer ts.Close()
	for range maxStreams {
		v := &subscriber{kind: listener}
		if !f.hub.join(v) {
			t.Fatal("a place is missing")
		}
		defer f.hub.leave(v)
	}
	for _, path := range []string{"GET /events", "GET /stream.mjpg", "HEAD /events"} {
		resp, body := ask(t, ts, path, nil, "")
		if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") != "10" || path[0] == 'G' && !strings.Contains(body, "too many streams are open") {
			t.Errorf("%s: got %d %v %s", path, resp.StatusCode, resp.Header, body)
		}
	}
	if resp, _ := ask(t, ts, "GET /frame", nil, ""); resp.StatusCode != http.StatusOK {
		t.Errorf("a frame: got %d", resp.StatusCode)
	}
}

func TestEndWithManyCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.show(t, 1)
		p, end := f.servePipes()
		for i := range 100 {
			r := p.dial(t, []string{"/events", "/stream.mjpg"}[i%2])
			go io.Copy(io.Discard, r)
		}
		p.dial(t, "/nothing") // the connection stays open after the response
		if took := end(); took > writeGrace/2 {
			t.Errorf("the end took %v: somebody is waited for", took)
		}
		if events, mjpg := f.hub.count(); events+mjpg != 0 {
			t.Errorf("%d subscribers are left", events+mjpg)
		}
	})
}

// Each of 1,000 idle subscribers needs less than 4 kB of heap and stacks.
func TestIdleSubscribersAreSmall(t *testing.T) {
	const n, limit = 1000, 4096
	f := newFixture(t)
	f.show(t, 1)
	address, _ := f.serve(t)
	join := func(n int) {
		for range n {
			_, r := dial(t, address, getEvents)
			skipHeader(t, r)
			expect(t, r, f.eventText(t))
			t.Cleanup(func() { r.Reset(nil) }) // keeps the reader in memory during the measurement, as idleClients does
		}
	}
	join(1) // the first connection causes one-time allocations, which do not count
	theirs := measure(func() { idleClients(t, n) })
	both := measure(func() { join(n) })
	got := (both - theirs) / n
	t.Logf("%d bytes for each of %d", got, n)
	if got > limit && !race.Enabled {
		t.Errorf("got %d bytes for each idle subscriber, want at most %d", got, limit)
	}
}

// measure calls f and returns the growth of heap and stacks that remains after the call, in bytes.
func measure(f func()) int {
	before := inUse()
	f()
	return inUse() - before
}

func inUse() int {
	var m runtime.MemStats
	for range 3 { // each collection halves an unused stack
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc + m.StackInuse)
}

// idleClients makes n connections with the function dial. The listener never accepts them, so the server's side of the connections needs
// no memory.
func idleClients(t *testing.T, n int) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for range n {
		_, r := dial(t, l.Addr().String(), getEvents)
		r.Buffered()
		t.Cleanup(func() { r.Reset(nil) }) // keeps the reader in memory until the end of the test
	}
}

func TestNewsIsWrittenOnce(t *testing.T) {
	var room eventCache
	p := netstream.Published{ETag: "0123456789abcdef", At: published}
	first := room.of(p)
	if got, want := string(first.chunk), "47\r\n"+string(first.text)+"\r\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := testing.AllocsPerRun(100, func() { room.of(p) }); n != 0 && !race.Enabled {
		t.Errorf("got %v allocations, want 0", n)
	}
	p.ETag = "fedcba9876543210"
	if room.of(p) == first {
		t.Error("got the text of another frame")
	}
}

// Streams of the kind movie need more memory than listeners, so their limit is lower. When such a stream ends, another stream can begin.
func TestMostMovies(t *testing.T) {
	h := newHub()
	all := make([]*subscriber, maxMovies)
	for i := range all {
		if all[i] = (&subscriber{kind: movie}); !h.join(all[i]) {
			t.Fatalf("number %d is refused", i)
		}
	}
	if h.join(&subscriber{kind: movie}) {
		t.Error("one more is let in")
	}
	if !h.join(&subscriber{kind: listener}) {
		t.Error("a listener is refused")
	}
	h.leave(all[0])
	if !h.join(&subscriber{kind: movie}) {
		t.Error("there is no room after one has left")
	}
}

// TestExpectation checks a request with an unknown Expect header. net/http itself answers it, as docs/http.md describes, and no handler
// of the server is called.
func TestExpectation(t *testing.T) {
	f := newFixture(t)
	f.show(t, 1)
	address, _ := f.serve(t)
	c, r := dial(t, address, "GET /frame HTTP/1.1\r\nHost: wall\r\nExpect: a-miracle\r\n\r\n")
	defer c.Close()
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusExpectationFailed || resp.ContentLength != 0 || !resp.Close {
		t.Errorf("got %d with %d bytes, close %v", resp.StatusCode, resp.ContentLength, resp.Close)
	}
}

// A shortOfMemory is a TCP listener whose first connections fail with the error of a kernel that has no memory.
type shortOfMemory struct {
	net.Listener
	left int
}

func (l *shortOfMemory) Accept() (net.Conn, error) {
	if l.left > 0 {
		l.left--
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", syscall.ENOBUFS)}
	}
	return l.Listener.Accept()
}

// After an error of accept, the server still accepts connections.
func TestAcceptFails(t *testing.T) {
	f := newFixture(t)
	f.show(t, 1)
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	wg.Go(func() { f.Serve(ctx, &shortOfMemory{tcp, 1}) })
	_, r := dial(t, tcp.Addr().String(), getEvents)
	skipHeader(t, r)
	expect(t, r, f.eventText(t))
	if got := f.log.String(); !strings.Contains(got, "no buffer space available") {
		t.Errorf("got the log %q", got)
	}
}
