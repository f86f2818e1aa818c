package server

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"

	"dashboard/internal/testing/programtest"
	"dashboard/netstream"
)

// A client that reads slowly keeps the memory of old pictures. It is disconnected as soon as this
// memory exceeds its limit, and not only when the time for its write is over.
func TestOldPicturesAreNotKeptForSlowCallers(t *testing.T) {
	const slow = 8
	for _, target := range []string{"/frame?width=1500&height=1500", "/stream.mjpg?width=1500&height=1500"} {
		t.Run(target, func(t *testing.T) {
			f := newFixture(t)
			// A picture takes 6.8 MB, and the limit for old pictures is 16 MiB.
			f.stream.Configure(netstream.Options{Format: "bmp", CacheBytes: 64 << 20})
			f.show(t, 1)
			address, _ := f.serve(t)
			for i := range slow {
				c, r := dial(t, address, fmt.Sprintf("GET %s HTTP/1.1\r\nHost: wall\r\n\r\n", target))
				_ = c.(*net.TCPConn).SetReadBuffer(4096)
				skipHeader(t, r)
				f.show(t, uint8(2+i))
				prompt(t, "http://"+address+"/frame?width=1500&height=1500")
			}
			programtest.Eventually(t, "at most 16 MiB in old pictures, and readers that are cut off", func() bool {
				st := f.stream.Stats()
				return st.PinnedBytes <= 16<<20 && st.Revoked > 0
			})
			f.atMost(t, slow/2) // without the limit for old pictures, each write may take seven minutes
		})
	}
}

// atMost waits until at most n connections are open.
func (f *fixture) atMost(t *testing.T, n int64) {
	t.Helper()
	programtest.Eventually(t, fmt.Sprintf("at most %d connections are open", n), func() bool { return f.conns.Load() <= n })
}

// prompt requests a picture and reads it without delay.
func prompt(t *testing.T, url string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if n, err := io.Copy(io.Discard, resp.Body); err != nil || n != resp.ContentLength {
		t.Fatalf("got %d of %d bytes, %v", n, resp.ContentLength, err)
	}
}

// A connection counts as long as it is open, even after it was taken over.
func TestStreamsCountAsConnections(t *testing.T) {
	f := newFixture(t)
	f.show(t, 1)
	address, stop := f.serve(t)
	const each = 3
	for range each {
		for _, request := range []string{getEvents, "GET /events HTTP/1.0\r\n\r\n", "GET /stream.mjpg HTTP/1.1\r\nHost: wall\r\n\r\n", "GET /nothing HTTP/1.1\r\nHost: wall\r\n\r\n"} {
			_, r := dial(t, address, request)
			skipHeader(t, r)
		}
	}
	if got := f.conns.Load(); got != 4*each {
		t.Errorf("got %d connections, want %d", got, 4*each)
	}
	stop()
	f.atMost(t, 0)
}
