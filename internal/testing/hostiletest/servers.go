package hostiletest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Timeouts for Each. The timeout is short for servers whose response never ends. It is long for the other servers, because not the
// timeout but their bytes or redirects must cause the failure.
const (
	short = 300 * time.Millisecond
	long  = 20 * time.Second
)

// Each starts the servers, and calls the function `ask` once for each server, with the server's URL and a timeout. `ask` must return an
// error.
func Each(t *testing.T, ask func(t *testing.T, url string, timeout time.Duration) error) {
	t.Helper()
	end := make(chan struct{})
	t.Cleanup(func() { close(end) })
	for name, h := range Servers(end) {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(h)
			t.Cleanup(func() { go server.Close() })
			timeout := long
			if name == "hangs" || name == "drips" {
				timeout = short
			}
			err := ask(t, server.URL, timeout)
			if err == nil {
				t.Error("got no error")
			} else if strings.Contains(err.Error(), "root:") {
				t.Errorf("got %v, which tells of this machine", err)
			}
		})
	}
}

// Servers returns hostile handlers by the names of their behaviors. Some never answer, drip, end half-way or send a bomb. Some redirect
// in circles or to a local file. Others claim that nothing was modified, or send a wrong length or type. The hanging and dripping
// handlers stop when `end` is closed. Every client must fail in time.
func Servers(end <-chan struct{}) map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"hangs": Hang(end),
		"drips": Drip(end, http.StatusOK, "", " "),
		"half": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte("half"))
		},
		"bomb":   Bomb(http.StatusOK, "", "\x00", 64<<20),
		"circle": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/again", http.StatusFound) },
		"elsewhere": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		},
		"lies":     func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) },
		"long":     func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "99999999999") },
		"nonsense": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html><title>Please log in")) },
	}
}
