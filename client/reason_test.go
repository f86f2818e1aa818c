package client

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"testing"
	"time"
)

// TestReason: the screen shows a short reason. In the case with the status 404, another server has answered instead of the service.
func TestReason(t *testing.T) {
	for want, err := range map[string]error{
		"the network has no host of this name": &net.DNSError{Err: "no such host", IsNotFound: true},
		"no program listens at this port":      syscall.ECONNREFUSED,
		"no answer":                            errSlow,
		"EOF":                                  io.EOF,
		"the service answers 404 Not Found":    fmt.Errorf("the service answers %d Not Found", 404),
	} {
		if got := reasonOf(fmt.Errorf("frame: %w", err)); got != want {
			t.Errorf("%v: got %q, want %q", err, got, want)
		}
	}
}

// TestSilentStart: if the service does not answer at the start, the screen soon shows the address of the service.
func TestSilentStart(t *testing.T) {
	story(t, func(w *wall, c *Client, d *display) {
		wantFlat(t, d, black, false)
		pass(emptyTime)
		wantState(t, c, Down)
		wantCard(t, d, newFrame(smallScreen), Stale, "")
		w.shows(`"a"`, red)
		pass(time.Minute)
		wantFlat(t, d, red, false)
	}, func(w *wall, _ *Options) {
		w.frame = func(c net.Conn, _ *http.Request) { _, _ = c.Read(make([]byte, 1)) }
	})
}
