package fetch

import (
	"net/http"
	"net/netip"
	"testing"
)

// After a redirect has left the first host, no later request contains the key for the first host, even if a redirect returns to this
// host. No request contains the address of the previous request (Referer).
func TestRedirectLeaves(t *testing.T) {
	const home = "http://a.lan/v?key=secret"
	ask := func(url string) *http.Request {
		r, err := http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Api-Key", "secret")
		r.Header.Set("Referer", home)
		return r
	}
	for name, tt := range map[string]struct {
		via  []string
		next string
		kept bool
	}{
		"stayed":                 {[]string{home}, "http://a.lan/w", true},
		"stayed twice":           {[]string{home, "http://a.lan/w"}, "http://a.lan/x", true},
		"left":                   {[]string{home}, "http://b.lan/", false},
		"left and came back":     {[]string{home, "http://b.lan/"}, home, false},
		"left long ago":          {[]string{home, "http://b.lan/", home}, "http://a.lan/w", false},
		"another port":           {[]string{home}, "http://a.lan:81/", false},
		"left by port, and back": {[]string{home, "http://a.lan:81/"}, home, false},
	} {
		var via []*http.Request
		for _, url := range tt.via {
			via = append(via, ask(url))
		}
		next := ask(tt.next)
		if err := CheckRedirect(next, via); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := next.Header.Get("X-Api-Key") != ""; got != tt.kept {
			t.Errorf("%s: the key goes along: got %v, want %v", name, got, tt.kept)
		}
		if got := next.Header.Get("Referer"); got != "" {
			t.Errorf("%s: got Referer %q, want none", name, got)
		}
	}
}

// A range of IPv4 addresses may be written as IPv6: ::ffff:0:0/96 contains all IPv4 addresses. A shorter prefix allows no IPv4 address.
func TestGuardMappedRange(t *testing.T) {
	for _, tt := range []struct {
		allow, addr string
		want        bool
	}{
		{"::ffff:0.0.0.0/96", "8.8.8.8", true},
		{"::ffff:0.0.0.0/96", "::ffff:8.8.8.8", true},
		{"::ffff:0.0.0.0/96", "2606:4700::1111", false},
		{"::ffff:8.0.0.0/104", "8.8.8.8", true},
		{"::ffff:8.0.0.0/104", "9.8.8.8", false},
		{"::ffff:8.8.8.8/128", "8.8.8.8", true},
		{"::ffff:8.8.8.8/128", "8.8.8.9", false},
		{"::ffff:0.0.0.0/95", "8.8.8.8", false},
	} {
		g := NewGuard([]netip.Prefix{netip.MustParsePrefix(tt.allow)})
		if err := g.CheckAddr(netip.MustParseAddr(tt.addr)); (err == nil) != tt.want {
			t.Errorf("%s in %s: got %v, want allowed %v", tt.addr, tt.allow, err, tt.want)
		}
	}
}
