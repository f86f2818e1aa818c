package fetch

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// A client for certain hosts cannot reach another host by its address, by a redirect, by a Host header, or by a name that resolves to the
// home network.
func TestOnly(t *testing.T) {
	var asked []string
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = append(asked, "other"+r.URL.Path) }))
	defer other.Close()
	mux := http.NewServeMux()
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+"/secret", http.StatusFound)
	})
	mux.HandleFunc("/here", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/end", http.StatusFound) })
	mux.HandleFunc("/end", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("1")) })
	good := httptest.NewServer(mux)
	defer good.Close()
	host := func(s *httptest.Server) string { u, _ := url.Parse(s.URL); return u.Host }
	wide := New(&Options{})
	for name, tt := range map[string]struct {
		hosts Hosts
		r     Request
		ok    bool
	}{
		"the user's host":           {Hosts{Given: []string{host(good)}}, Request{URL: good.URL + "/end"}, true},
		"redirected to itself":      {Hosts{Given: []string{host(good)}}, Request{URL: good.URL + "/here"}, true},
		"another host":              {Hosts{Given: []string{host(good)}}, Request{URL: other.URL}, false},
		"redirected to another":     {Hosts{Given: []string{host(good)}}, Request{URL: good.URL + "/to"}, false},
		"no host":                   {Hosts{}, Request{URL: good.URL + "/end"}, false},
		"another name of a server":  {Hosts{Given: []string{host(good)}}, Request{URL: good.URL + "/end", Header: map[string]string{"Host": "router.lan"}}, false},
		"a named host that is home": {Hosts{Named: []string{host(good)}}, Request{URL: good.URL + "/end"}, false},
		"a name that leads home":    {Hosts{Named: []string{"localhost"}}, Request{URL: strings.Replace(good.URL, "127.0.0.1", "localhost", 1) + "/end"}, false},
		"a user's name of home":     {Hosts{Given: []string{"localhost"}}, Request{URL: strings.Replace(good.URL, "127.0.0.1", "localhost", 1) + "/end"}, true},
		"certificates of a file":    {Hosts{Given: []string{host(good)}}, Request{URL: good.URL + "/end", CAFile: "/etc/passwd"}, false},
	} {
		c := wide.Only(tt.hosts)
		resp, err := c.Do(t.Context(), &tt.r)
		if (err == nil) != tt.ok {
			t.Errorf("%s: got %v", name, err)
		}
		if err != nil && !errors.Is(err, ErrRefused) && !errors.Is(err, ErrRequest) {
			t.Errorf("%s: got %v, want a refusal", name, err)
		}
		if err == nil && string(resp.Body) != "1" {
			t.Errorf("%s: got %q", name, resp.Body)
		}
		c.CloseIdle()
	}
	if len(asked) > 0 {
		t.Errorf("the other host was asked: %v", asked)
	}
	if err := wide.Only(Hosts{Given: []string{"nas.lan:80"}}).Host("http://nas.lan/x"); err != nil {
		t.Errorf("the standard port: got %v", err)
	}
}

// A client for certain hosts keeps its own guard: it connects to a public host only if both guards allow the address.
func TestOnlyKeepsGuard(t *testing.T) {
	const address = "1.1.1.1" // a public address. Without its own guard, the client would connect to this address
	for name, hosts := range map[string]Hosts{"named": {Named: []string{address}}, "given": {Given: []string{address}}} {
		c := New(&Options{Guard: NewGuard([]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")})}).Only(hosts)
		if _, err := c.Do(t.Context(), &Request{URL: "http://" + address}); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: got %v, want a refusal", name, err)
		}
	}
}
