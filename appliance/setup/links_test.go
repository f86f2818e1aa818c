//go:build linux

package setup

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// The IPv4 address counts first. In a network with IPv6 only, the IPv6 address counts, and the name leads to the page.
func TestAddress(t *testing.T) {
	for name, tt := range map[string]struct {
		all           []string
		address, home string
	}{
		"none":                      {nil, "invalid IP", ""},
		"link-local":                {[]string{"169.254.3.4/16", "fe80::1/64"}, "invalid IP", ""},
		"own access point":          {[]string{"10.1.1.1/24", "fe80::1/64"}, "invalid IP", ""},
		"IPv4":                      {[]string{"192.168.1.9/24"}, "192.168.1.9", "192.168.1.9"},
		"both":                      {[]string{"fe80::1/64", "2001:db8::9/64", "192.168.1.9/24"}, "192.168.1.9", "192.168.1.9"},
		"IPv6 only":                 {[]string{"fe80::1/64", "2001:db8::9/64", "fd00::9/64"}, "2001:db8::9", "kitchen.local"},
		"IPv6 without a way out":    {[]string{"fd00::9/64"}, "fd00::9", "kitchen.local"},
		"home net like the point's": {[]string{"10.1.1.50/24"}, "10.1.1.50", "10.1.1.50"},
	} {
		var all []net.Addr
		for _, text := range tt.all {
			ip, n, err := net.ParseCIDR(text)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, &net.IPNet{IP: ip, Mask: n.Mask})
		}
		got := addressIn(all)
		if got.String() != tt.address || homeOf("kitchen", netip.Addr{}, got) != tt.home {
			t.Errorf("%s: got %v and %q, want %s and %q", name, got, homeOf("kitchen", netip.Addr{}, got), tt.address, tt.home)
		}
	}
	if got := homeOf("kitchen", netip.MustParseAddr("2001:db8::9"), netip.MustParseAddr("192.168.1.9")); got != "192.168.1.9" {
		t.Errorf("got %q, want the IPv4 address by cable", got)
	}
}

// A captive portal answers every name with its own address, so it does not count as internet access.
func TestCaptivePortal(t *testing.T) {
	const server, portal = "203.0.113.1", "192.168.1.1"
	for name, tt := range map[string]struct {
		server, unknown string // answers for the time servers and for a name that does not exist
		want            bool
	}{
		"internet":                 {server, "", true},
		"no answer":                {"", "", false},
		"captive portal":           {portal, portal, false},
		"own time server":          {portal, "", true},
		"provider's advertisement": {server, "198.51.100.7", true},
	} {
		asked := map[string]bool{}
		look := func(_ context.Context, _, name string) ([]netip.Addr, error) {
			asked[name] = true
			answer := tt.unknown
			if name == timeServers {
				answer = tt.server
			}
			if answer == "" {
				return nil, errors.New("there is no such name")
			}
			return []netip.Addr{netip.MustParseAddr(answer)}, nil
		}
		for range 2 {
			if got := reaches(t.Context(), look); got != tt.want {
				t.Errorf("%s: got %v", name, got)
			}
		}
		if tt.server != "" && len(asked) != 3 { // a portal must not know the second name, so each check has another one
			t.Errorf("%s: two checks asked for %v", name, asked)
		}
	}
}

// A captive portal that looks up names correctly answers in place of a web page.
func TestIntercepted(t *testing.T) {
	status, to, body := 0, "", ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if to != "" {
			w.Header().Set("Location", to)
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body)) // the client may close the connection after the head
	}))
	t.Cleanup(server.Close)
	for name, tt := range map[string]struct {
		status   int
		to, body string
		want     bool
	}{
		"page":                    {200, "", testAnswer + "\n", false},
		"login in its place":      {200, "", "<title>Welcome</title>", true},
		"endless login":           {200, "", strings.Repeat("welcome ", 1<<20), true},
		"empty page":              {200, "", "", true},
		"no content":              {204, "", "", true},
		"redirect to a login":     {302, "http://portal.example/login", "", true},
		"redirect without a goal": {302, "", "", true},
		"redirect to the server":  {301, "https://127.0.0.1/nm", "", false},
		"login required":          {511, "", "", true},
		"server has an error":     {503, "", "", false},
		"page moved away":         {404, "", "", false},
	} {
		status, to, body = tt.status, tt.to, tt.body
		if got := intercepted(t.Context(), server.URL); got != tt.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
	server.Close()
	if intercepted(t.Context(), server.URL) {
		t.Error("a closed port counts as a portal")
	}
}

// A portal that never answers does not hold up the test of a network.
func TestInterceptedEnds(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // nobody accepts the connections
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if intercepted(t.Context(), "http://"+l.Addr().String()) {
		t.Error("a missing answer counts as a portal")
	}
}
