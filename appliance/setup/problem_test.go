//go:build linux

package setup

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"testing"
)

// The set-up reads the error in the files of the wall from the wall's own report. If the answer has another form, or there is no answer,
// the set-up reports no error.
func TestWallProblem(t *testing.T) {
	const line = "widgets.yaml:3:5: color: no color"
	for name, c := range map[string]struct {
		status       int
		answer, want string
	}{
		"error":           {200, `{"config": {"ok": false, "problem": "` + line + `"}}`, line},
		"not healthy":     {503, `{"config": {"problem": "` + line + `"}, "success": false}`, line},
		"no error":        {200, `{"config": {"ok": true, "problem": null}}`, ""},
		"another program": {200, `<html>`, ""},
		"too long":        {200, `{"fill": "` + strings.Repeat("x", maxHealth) + `", "config": {"problem": "x"}}`, ""},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/healthz" {
				t.Errorf("got a request of %s", r.URL.Path)
			}
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.answer) // the client may stop reading
		}))
		at := s.Listener.Addr().(*net.TCPAddr).AddrPort()
		port := strconv.Itoa(int(at.Port()))
		nobody := netip.MustParseAddr("127.77.0.1") // the wall does not listen at this address
		if got := wallProblem(t.Context(), port, nobody, netip.Addr{}, at.Addr()); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
		s.Close()
		if got := wallProblem(t.Context(), port, at.Addr()); got != "" {
			t.Errorf("%s: without a server: got %q, want nothing", name, got)
		}
	}
}
