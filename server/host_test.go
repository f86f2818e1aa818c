package server

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
)

// An attacker can register a domain name that resolves to the wall's address. A request with this name gets no data, because a page of
// the attacker could read the data.
func TestHost(t *testing.T) {
	names := []string{"Wall.example.org", "board.office"}
	for _, tt := range []struct {
		host  string
		names []string
		want  bool
	}{
		{"evil.example", nil, false},
		{"evil.example:5000", nil, false},
		{"evil.example", names, false},
		{"wall.example.org.evil.example", names, false},
		{"evilfritz.box", nil, false},
		{"127.0.0.1.evil.example", nil, false},
		{"local.example", nil, false},
		{"", nil, true},
		{"127.0.0.1:5000", nil, true},
		{"192.168.1.7", nil, true},
		{"[::1]:5000", nil, true},
		{"[fe80::1]", nil, true},
		{"localhost:5000", nil, true},
		{"wall", nil, true},
		{"WALL.local", nil, true},
		{"wall.local.:5000", nil, true},
		{"wall.lan", nil, true},
		{"wall.home.arpa", nil, true},
		{"wall.internal", nil, true},
		{"wall.fritz.box", nil, true},
		{"fritz.box", nil, true},
		{"wall.example.org", names, true},
		{"WALL.example.org:8443", names, true},
		{"board.office.", names, true},
		{"evil.example", []string{AnyName}, true},
	} {
		f := newFixture(t)
		f.show(t, 7)
		f.Configure(Settings{StreamOn: true, HTTPControl: true, Names: tt.names})
		for _, path := range []string{"/", "/frame", "/theme", "/healthz", "/metrics", "/nothing"} {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.Host = tt.host
			rec := httptest.NewRecorder()
			f.Handler().ServeHTTP(rec, r)
			if got := rec.Code != http.StatusMisdirectedRequest; got != tt.want {
				t.Errorf("Host %q, names %v, %s: got %d, want to be let in: %v", tt.host, tt.names, path, rec.Code, tt.want)
			}
			if !tt.want && !strings.Contains(rec.Body.String(), "server.names") {
				t.Errorf("Host %q: got %s, want the key that lets it in", tt.host, rec.Body)
			}
		}
	}
}

// Only pages of this server may control the wall. Programs may also control the wall, because their requests have no Origin.
func TestOrigin(t *testing.T) {
	const refused = "a page of another site may not control the wall; behind a proxy, server.names in conf.yaml lists the names it has"
	names := []string{"wall.example.org"}
	for _, tt := range []struct {
		origin, host string
		names        []string
		want         bool
	}{
		{"", "wall:5000", nil, true},
		{"http://wall:5000", "wall:5000", nil, true},
		{"http://WALL:5000", "wall:5000", nil, true},
		{"https://wall.example.org", "127.0.0.1:5000", names, true},
		{"https://wall.example.org:8443", "wall.example.org", names, true},
		{"https://wall.example.org", "127.0.0.1:5000", nil, false},
		{"http://wall:8123", "wall:5000", nil, false},
		{"https://evil.example", "wall:5000", names, false},
		{"https://evil.example", "wall:5000", []string{AnyName}, false},
		{"null", "wall:5000", nil, false},
		{"file://", "wall:5000", nil, false},
		{"http://wall:5000/%zz", "wall:5000", nil, false},
	} {
		f := newFixture(t)
		f.Configure(Settings{StreamOn: true, HTTPControl: true, Names: tt.names})
		for _, request := range []string{"POST /theme", "POST /notify", "GET /theme"} {
			method, path, _ := strings.Cut(request, " ")
			r := httptest.NewRequest(method, path, strings.NewReader(`{"widget":"note","mode":"day"}`))
			r.Host = tt.host
			r.Header.Set("Content-Type", "application/json")
			if tt.origin != "" {
				r.Header.Set("Origin", tt.origin)
			}
			rec := httptest.NewRecorder()
			f.Handler().ServeHTTP(rec, r)
			want := http.StatusOK
			if !tt.want {
				want = http.StatusForbidden
			}
			if rec.Code != want || !tt.want && !strings.Contains(rec.Body.String(), refused) {
				t.Errorf("%s from %q at %q: got %d %s, want %d", request, tt.origin, tt.host, rec.Code, rec.Body, want)
			}
		}
	}
}

// No other page may show this server's pages in a frame, because the other page could trick people into pressing buttons in the frame
// without noticing.
func TestPageIsNotFramed(t *testing.T) {
	f := newFixture(t)
	ts := httptest.NewServer(f.Handler())
	defer ts.Close()
	resp, _ := ask(t, ts, "GET /", nil, "")
	checkHeader(t, resp.Header, []string{"X-Frame-Options", "DENY", "X-Content-Type-Options", "nosniff"})
	if policy := resp.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'; ") {
		t.Errorf("got policy %q, want it to forbid frames", policy)
	}
}

// If the server cannot listen, the log contains the reason, and the key of the configuration that must be changed.
func TestWhyNotListening(t *testing.T) {
	for reason, want := range map[error]string{
		syscall.EADDRINUSE:    "choose another port",
		syscall.EACCES:        "choose a server.port above 1023",
		syscall.EADDRNOTAVAIL: "no network interface has the address in server.host",
		syscall.ENETDOWN:      "it is tried again",
	} {
		f := newFixture(t)
		f.tellDeaf("192.168.99.1:80", &net.OpError{Op: "listen", Err: reason})
		if !strings.Contains(f.log.String(), "server not listening") || !strings.Contains(f.log.String(), want) {
			t.Errorf("%v: got %s, want %s", reason, f.log, want)
		}
	}
}

// The server answers a request in absolute form. It does not compress an answer for a caller that excludes gzip with a weight of 0.
func TestAbsoluteFormAndWeight(t *testing.T) {
	address, _ := newFixture(t).serve(t)
	for request, want := range map[string]string{
		"GET http://localhost HTTP/1.1":                                       "200 OK ",
		"GET http://localhost?x=1 HTTP/1.1\r\nAccept-Encoding: gzip; q=0.001": "200 OK gzip",
		"GET http://localhost/ HTTP/1.1\r\nAccept-Encoding: gzip;q=0":         "200 OK ",
		"GET / HTTP/1.1\r\nAccept-Encoding: gzip;Q=0.00":                      "200 OK ", "GET http://localhost/healthz HTTP/1.1": "200 OK ",
		"GET http://evil.example HTTP/1.1": "421 Misdirected Request ",
	} {
		_, r := dial(t, address, request+"\r\nHost: localhost\r\n\r\n")
		got, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		if is := got.Status + " " + got.Header.Get("Content-Encoding"); is != want {
			t.Errorf("%q: got %s, want %s", request, is, want)
		}
	}
}
