package server

import (
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dashboard/internal/loglimit"
	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/race"
	"dashboard/netstream"
)

// The server does not wait for a client that does not read. The renderer does not wait either, and the end of the server is not delayed.
func TestStuckCallers(t *testing.T) {
	f := newFixture(t)
	f.side.X, f.side.Y = 640, 480
	f.show(t, 1)
	address, stop := f.serve(t)
	for _, target := range []string{"/stream.mjpg?width=1600&height=1200", "/events"} {
		c, r := dial(t, address, "GET "+target+" HTTP/1.1\r\nHost: wall\r\n\r\n")
		_ = c.(*net.TCPConn).SetReadBuffer(4096)
		skipHeader(t, r)
	}
	noise := newNoise(f.side.X, f.side.Y)
	var worst time.Duration
	for range 40 {
		noise.next()
		began := time.Now()
		if err := f.stream.DrawFrame(noise.m, noise.all()); err != nil {
			t.Fatal(err)
		}
		worst = max(worst, time.Since(began))
	}
	if worst > writeGrace/2 { // a blocked write would need writeGrace
		t.Errorf("a frame took %v with callers that do not read", worst)
	}
	began := time.Now()
	stop()
	if took := time.Since(began); took > writeGrace/2 {
		t.Errorf("the end took %v: somebody is waited for", took)
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

// TestNoPlaceLeft checks that a stream above the limit is refused with a Retry-After, while frames are still served.
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
	f := newFixture(t)
	f.show(t, 1)
	address, stop := f.serve(t)
	for i := range 100 {
		target := []string{"/events", "/stream.mjpg"}[i%2]
		_, r := dial(t, address, "GET "+target+" HTTP/1.1\r\nHost: wall\r\n\r\n")
		skipHeader(t, r)
	}
	_, idle := dial(t, address, "GET /nothing HTTP/1.1\r\nHost: wall\r\n\r\n")
	skipHeader(t, idle)
	began := time.Now()
	stop()
	if took := time.Since(began); took > writeGrace/2 {
		t.Errorf("the end took %v: somebody is waited for", took)
	}
	if events, mjpg := f.hub.count(); events+mjpg != 0 {
		t.Errorf("%d subscribers are left", events+mjpg)
	}
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
			t.Cleanup(func() { r.Reset(nil) }) // keeps the reader alive, as idleClients does
		}
	}
	join(1) // so that one-time allocations do not count
	theirs := measure(func() { idleClients(t, n) })
	both := measure(func() { join(n) })
	got := (both - theirs) / n
	t.Logf("%d bytes for each of %d", got, n)
	if got > limit && !race.Enabled {
		t.Errorf("got %d bytes for each idle subscriber, want at most %d", got, limit)
	}
}

// measure returns the growth of heap and stacks that remains after f.
func measure(f func()) int {
	before := inUse()
	f()
	return inUse() - before
}

func inUse() int {
	var m runtime.MemStats
	for range 3 { // each collection halves a stack
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc + m.StackInuse)
}

// idleClients makes n connections like dial, to a server that needs no memory.
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
		t.Cleanup(func() { r.Reset(nil) }) // keeps the reader alive, as below
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

// Streams of moving pictures need more memory than listeners, so their limit is lower. When a stream ends, there is room for another
// stream.
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
