package server

import (
	"net/http/httptest"
	"testing"
)

// A caller is local if three conditions hold: its connection comes from this machine, no proxy has forwarded its request, and the request
// uses a local name.
func TestIsLocal(t *testing.T) {
	for _, tt := range []struct {
		from, host, header string
		want               bool
	}{
		{"127.0.0.1:9", "127.0.0.1:5000", "", true},
		{"127.0.0.1:9", "localhost:5000", "", true},
		{"[::1]:9", "[::1]:5000", "", true},
		{"[::ffff:127.0.0.1]:9", "localhost", "", true},
		{"192.168.1.7:9", "localhost:5000", "", false},
		{"127.0.0.1:9", "wall.example.org", "", false},
		{"127.0.0.1:9", "192.168.1.2:5000", "", false},
		{"127.0.0.1:9", "localhost", "X-Forwarded-For", false},
		{"127.0.0.1:9", "localhost", "Forwarded", false},
		{"", "localhost", "", false},
	} {
		r := httptest.NewRequest("POST", "/notify", nil)
		r.RemoteAddr, r.Host = tt.from, tt.host
		if tt.header != "" {
			r.Header.Set(tt.header, "for=8.8.8.8")
		}
		if got := isLocal(r); got != tt.want {
			t.Errorf("from %s to %s, %q: got %v, want %v", tt.from, tt.host, tt.header, got, tt.want)
		}
	}
}
