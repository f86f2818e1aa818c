package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/budget"
)

// serve runs a handler on loopback for the length of a test.
func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func newClient(t *testing.T, o *Options) *Client {
	t.Helper()
	c := New(o)
	t.Cleanup(c.CloseIdle)
	return c
}

func TestRequestArrivesAsAsked(t *testing.T) {
	var got *http.Request
	var body string
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got, body = r, string(b)
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("ETag", `"x"`)
		w.WriteHeader(http.StatusTeapot)
		io.WriteString(w, "short and stout")
	})
	tests := []struct {
		name                    string
		r                       Request
		method, query, sent, ct string
		auth                    string
	}{
		{"plain", Request{}, "GET", "", "", "", ""},
		{"query joined", Request{URL: "?a=1", Query: url.Values{"b": {"2", "3"}}}, "GET", "a=1&b=2&b=3", "", "", ""},
		{"json", Request{Method: "post", JSON: map[string]any{"k": []int{1}}}, "POST", "", `{"k":[1]}`, "application/json", ""},
		{"json of a string", Request{Method: "PUT", JSON: "x"}, "PUT", "", `"x"`, "application/json", ""},
		{"json with own type", Request{Method: "PUT", JSON: 1, Header: map[string]string{"content-type": "application/x"}}, "PUT", "", `1`, "application/x", ""},
		{"raw body first", Request{Method: "POST", Body: []byte("raw"), JSON: 1}, "POST", "", "raw", "", ""},
		{"bearer over header", Request{Auth: Auth{Bearer: "t"}, Header: map[string]string{"Authorization": "old"}}, "GET", "", "", "", "Bearer t"},
		{"basic", Request{Auth: Auth{Username: "u", Password: "p"}}, "GET", "", "", "", "Basic dTpw"},
	}
	c := newClient(t, nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.r.URL = base + "/p" + tt.r.URL
			resp, err := c.Do(t.Context(), &tt.r)
			if err != nil {
				t.Fatal(err)
			}
			if resp.Status != 418 || string(resp.Body) != "short and stout" || resp.ContentType != "text/plain; charset=utf-8" || resp.ETag != `"x"` {
				t.Errorf("answer: got %+v", resp)
			}
			for _, f := range [][3]string{
				{"method", got.Method, tt.method}, {"path", got.URL.Path, "/p"}, {"query", got.URL.RawQuery, tt.query}, {"body", body, tt.sent},
				{"type", got.Header.Get("Content-Type"), tt.ct}, {"auth", got.Header.Get("Authorization"), tt.auth}, {"agent", got.UserAgent(), "dashboard"},
			} {
				if f[1] != f[2] {
					t.Errorf("%s: got %q, want %q", f[0], f[1], f[2])
				}
			}
		})
	}
}

func TestCheck(t *testing.T) {
	if err := (&Response{Status: 200}).Check(); err != nil {
		t.Errorf("200: got %v", err)
	}
	err := (&Response{Status: 404, Body: []byte(strings.Repeat("é", 300))}).Check()
	var s *StatusError
	if !errors.As(err, &s) || s.Code != 404 || len(s.Body) > 200 || !strings.HasPrefix(err.Error(), "status 404 Not Found: é") {
		t.Errorf("404: got %v", err)
	}
	if (&Response{Status: 204}).Check() == nil {
		t.Error("204: got no error, only 200 will do")
	}
}

func TestSizeLimit(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/chunked" {
			w.(http.Flusher).Flush()
		}
		w.Write(make([]byte, 1001))
	})
	c := newClient(t, nil)
	for _, path := range []string{"/announced", "/chunked"} {
		if _, err := c.Do(t.Context(), &Request{URL: base + path, MaxBytes: 1000}); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: got %v, want ErrTooLarge", path, err)
		}
		if r, err := c.Do(t.Context(), &Request{URL: base + path, MaxBytes: 1001}); err != nil || len(r.Body) != 1001 {
			t.Errorf("%s at the limit: got %v", path, err)
		}
	}
}

// Large bodies take their part of what all of them may have, whatever becomes of them, and wait for it. Small ones wait for nobody.
func TestLargeBodiesTakeTurns(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.URL.Query().Get("n"))
		if err != nil {
			panic(err)
		}
		switch r.URL.Path {
		case "/announced":
			w.Header().Set("Content-Length", strconv.Itoa(n))
		case "/cut":
			w.Header().Set("Content-Length", strconv.Itoa(n+1))
		case "/chunked":
			w.(http.Flusher).Flush()
		}
		_, _ = w.Write(make([]byte, n)) // it may be refused
	})
	do := func(path string, n int, timeout time.Duration) (*Response, error) {
		return newClient(t, nil).Do(t.Context(), &Request{URL: fmt.Sprint(base, path, "?n=", n), Timeout: timeout, MaxBytes: MaxImage})
	}
	if _, err := do("/cut", MaxImage-1, 0); !errors.Is(err, ErrUnavailable) {
		t.Fatalf("cut short: got %v", err)
	}
	for _, path := range []string{"/announced", "/chunked"} {
		if _, err := do(path, MaxImage+1, 0); !errors.Is(err, ErrTooLarge) {
			t.Fatalf("%s: got %v, want ErrTooLarge", path, err)
		}
	}
	free(t, budget.MaxBodies)

	var held []*Response
	for path, n := range map[string]int{"/announced": MaxImage - 3, "/chunked": small} { // the second takes 8 MiB, not knowing
		resp, err := do(path, n, 0)
		if err != nil || len(resp.Body) != n {
			t.Fatalf("%s: got %v, want %d bytes", path, err, n)
		}
		held = append(held, resp)
	}
	free(t, budget.MaxBodies-MaxImage-middle+3)
	if _, err := do("/announced", small+1, 300*time.Millisecond); !errors.Is(err, ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("one too many: got %v, want it to wait", err)
	}
	if resp, err := do("/announced", small-1, 0); err != nil {
		t.Errorf("a small one: %v, want it not to wait", err)
	} else {
		resp.Release()
	}
	for _, resp := range held {
		resp.Release()
		resp.Release() // as good as once
	}
	free(t, budget.MaxBodies)

	resp, err := do("/chunked", MaxImage, 0)
	if err != nil || len(resp.Body) != MaxImage {
		t.Fatalf("alone: got %v, want the largest", err)
	}
	if _, err := do("/chunked", MaxImage, 0); !errors.Is(err, errCrowded) {
		t.Errorf("of unknown length beside it: got %v, want no wait with a part in its hands", err)
	}
	resp.Release()
	free(t, budget.MaxBodies)
}

// free checks how many bytes of budget.Bodies nobody has.
func free(t *testing.T, want int64) {
	t.Helper()
	if !budget.Bodies.Try(want) {
		t.Fatalf("less than %d bytes are free", want)
	}
	if budget.Bodies.Try(1) {
		t.Errorf("more than %d bytes are free", want)
		budget.Bodies.Give(1)
	}
	budget.Bodies.Give(want)
}

func TestNotModified(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `"v1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("ETag", `"v1"`)
	})
	c := newClient(t, nil)
	first, err := c.Do(t.Context(), &Request{URL: base})
	if err != nil || first.NotModified() {
		t.Fatalf("first: %+v, %v", first, err)
	}
	second, err := c.Do(t.Context(), &Request{URL: base, ETag: first.ETag})
	if err != nil || !second.NotModified() {
		t.Errorf("second: got %+v, %v, want not modified", second, err)
	}
}

// Two servers on loopback differ in their port, which makes them different origins.
func TestRedirectsDoNotLeak(t *testing.T) {
	var there http.Header
	other := serve(t, func(w http.ResponseWriter, r *http.Request) { there = r.Header })
	var back http.Header
	var home string
	home = serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other, http.StatusFound)
		case "/near":
			http.Redirect(w, r, home+"/end", http.StatusFound)
		case "/loop":
			http.Redirect(w, r, home+"/loop", http.StatusFound)
		case "/file":
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		case "/end":
			back = r.Header
		}
	})
	c := newClient(t, nil)
	r := Request{Auth: Auth{Bearer: "secret"}, Header: map[string]string{"X-Api-Key": "secret", "Accept": "text/plain", "Cookie": "secret"}}
	do := func(path string) error {
		r.URL = home + path
		_, err := c.Do(t.Context(), &r)
		return err
	}
	if err := do("/away?key=secret"); err != nil {
		t.Fatal(err)
	}
	for k, v := range there {
		if strings.Contains(strings.Join(v, ""), "secret") {
			t.Errorf("the other host saw %s: %q", k, v)
		}
	}
	if there.Get("Accept") != "text/plain" {
		t.Error("the other host was not told what is accepted")
	}
	if err := do("/near"); err != nil || back.Get("Authorization") != "Bearer secret" || back.Get("X-Api-Key") != "secret" {
		t.Errorf("same host: got %v, header %v, want both keys", err, back)
	}
	if err := do("/loop"); err == nil || !strings.Contains(err.Error(), "more than 5 redirects") {
		t.Errorf("loop: got %v", err)
	}
	if err := do("/file"); !errors.Is(err, ErrRequest) {
		t.Errorf("to a file: got %v, want ErrRequest", err)
	}
}

func TestSameOrigin(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"http://a/x", "http://a:80/y", true}, {"http://a", "https://a", true}, {"https://a", "http://a", false},
		{"http://a:8080", "https://a", false}, {"http://a", "http://b.a", false}, {"http://a:1", "http://a:2", false},
		{"http://a", "https://a:8443", false},
	}
	for _, tt := range tests {
		a, _ := url.Parse(tt.a)
		b, _ := url.Parse(tt.b)
		if got := SameOrigin(a, b); got != tt.want {
			t.Errorf("%s, %s: got %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestErrorsHideSecrets(t *testing.T) {
	c := newClient(t, nil)
	for name, raw := range map[string]string{
		"refused connection": "http://user:secret@127.0.0.1:1/p?key=secret#secret",
		"bad port":           "http://127.0.0.1:secret/",
		"bad escape":         "http://h/%zz?secret",
		"scheme":             "ftp://u:secret@h/",
		"no host":            "http:///secret?secret",
		"control character":  "http://h/\x7f?secret",
	} {
		_, err := c.Do(t.Context(), &Request{URL: raw})
		if err == nil || strings.Contains(strings.ReplaceAll(err.Error(), `":secret"`, ""), "secret") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	_, err := c.Do(t.Context(), &Request{URL: "http://127.0.0.1:1/p?key=1"})
	if !errors.Is(err, ErrUnavailable) || !strings.HasPrefix(err.Error(), "GET http://127.0.0.1:1: unavailable: ") {
		t.Errorf("got %v", err)
	}
}

// Of a secret address nothing is told, and of what went wrong with it only the kind.
func TestSecretRequest(t *testing.T) {
	c := newClient(t, nil)
	for name, raw := range map[string]string{
		"refused connection": "http://127.0.0.1:1/bot",
		"no such host":       "http://secret.invalid/",
		"no URL":             "secret",
		"a file":             "file:///secret",
	} {
		r := &Request{URL: raw, Secret: true}
		_, err := c.Do(t.Context(), r)
		_, streamed := c.Stream(t.Context(), r)
		for _, err := range []error{err, streamed} {
			if err == nil || strings.Contains(err.Error(), "127.0.0.1") || strings.Contains(err.Error(), "secret.invalid") || strings.Contains(err.Error(), "/secret") {
				t.Errorf("%s: got %v", name, err)
			}
			if !errors.Is(err, ErrUnavailable) && !errors.Is(err, ErrRequest) {
				t.Errorf("%s: %v has lost its kind", name, err)
			}
		}
	}
	if r := (&Request{URL: "http://h/path"}); r.Shown() != "http://h" {
		t.Errorf("got %s, want http://h", r.Shown())
	}
}

// A server that never answers costs the request's time and no more.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := net.Pipe()
		defer server.Close()
		go io.Copy(io.Discard, server)
		c := New(nil)
		tr := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return client, nil }}
		c.http.Transport = tr
		began := time.Now()
		_, err := c.Do(t.Context(), &Request{URL: "http://h/", Timeout: 7 * time.Second})
		if took := time.Since(began); took != 7*time.Second || !errors.Is(err, ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v after %v, want a time-out after 7s", err, took)
		}
		tr.CloseIdleConnections()
	})
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a b%20.json")
	if err := os.WriteFile(path, []byte(`{"x":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c := newClient(t, nil)
	r, err := c.Do(t.Context(), &Request{URL: "file://" + path, AllowFile: true})
	if err != nil || string(r.Body) != `{"x":1}` || r.Status != 200 || r.ContentType != "application/json" {
		t.Errorf("got %+v, %v", r, err)
	}
	t.Chdir(dir)
	if _, err := c.Do(t.Context(), &Request{URL: "file://a b%20.json", AllowFile: true}); err != nil {
		t.Errorf("relative: %v", err)
	}
	guarded := newClient(t, &Options{Guard: NewGuard(nil)})
	for name, tt := range map[string]struct {
		c    *Client
		r    Request
		want error
	}{
		"not allowed": {c, Request{URL: "file://" + path}, ErrRequest},
		"guarded":     {guarded, Request{URL: "file://" + path, AllowFile: true}, ErrRequest},
		"missing":     {c, Request{URL: "file://" + dir + "/none", AllowFile: true}, ErrUnavailable},
		"directory":   {c, Request{URL: "file://" + dir, AllowFile: true}, ErrRequest},
		"too large":   {c, Request{URL: "file://" + path, AllowFile: true, MaxBytes: 3}, ErrTooLarge},
	} {
		if _, err := tt.c.Do(t.Context(), &tt.r); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", name, err, tt.want)
		}
	}
}

func TestGuardAddresses(t *testing.T) {
	lan := []netip.Prefix{netip.MustParsePrefix("192.168.7.0/24"), netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("::ffff:10.1.0.0/112")}
	tests := []struct {
		addr       string
		open, only bool // allowed without a list, with the list above
	}{
		{"8.8.8.8", true, false}, {"192.168.7.9", true, true}, {"192.168.8.9", true, false}, {"10.1.2.3", true, true}, {"172.31.0.1", true, false},
		{"127.0.0.1", false, true}, {"127.0.0.2", false, false}, {"::ffff:127.0.0.1", false, true}, {"::1", false, false}, {"0.0.0.0", false, false}, {"::", false, false},
		{"169.254.169.254", false, false}, {"169.254.1.1", false, false}, {"fe80::1", false, false}, {"fe80::1%eth0", false, false},
		{"224.0.0.1", false, false}, {"ff02::1", false, false}, {"255.255.255.255", false, false}, {"100.100.100.200", false, false},
		{"fd00:ec2::254", false, false}, {"fd12:3456::1", true, false}, {"2606:4700::1111", true, false}, {"::ffff:192.168.7.9", true, true},
		{"::ffff:169.254.169.254", false, false}, {"64:ff9b::7f00:1", false, false}, {"2002:7f00:1::", false, false}, {"168.63.129.16", false, false},
	}
	open, only, none := NewGuard(nil), NewGuard(lan), NewGuard([]netip.Prefix{})
	for _, tt := range tests {
		a := netip.MustParseAddr(tt.addr)
		if err := open.CheckAddr(a); (err == nil) != tt.open {
			t.Errorf("no list, %s: got %v, want allowed %v", a, err, tt.open)
		}
		if err := none.CheckAddr(a); !errors.Is(err, ErrRefused) {
			t.Errorf("empty list, %s: got %v, want ErrRefused", a, err)
		}
		if err := only.CheckAddr(a); (err == nil) != tt.only || err != nil && !errors.Is(err, ErrRefused) {
			t.Errorf("list, %s: got %v, want allowed %v", a, err, tt.only)
		}
	}
}

func TestGuardStandsInTheWay(t *testing.T) {
	reached := 0
	target := serve(t, func(http.ResponseWriter, *http.Request) { reached++ })
	u, _ := url.Parse(target)
	named := "http://localhost:" + u.Port()
	entry := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://[::1]:"+u.Port(), http.StatusFound)
	})
	closed := newClient(t, &Options{Guard: NewGuard(nil)})
	for _, to := range []string{target, named, entry} {
		if _, err := closed.Do(t.Context(), &Request{URL: to}); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: got %v, want ErrRefused", to, err)
		}
	}
	listed := newClient(t, &Options{Guard: NewGuard([]netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")})})
	if _, err := listed.Do(t.Context(), &Request{URL: target}); err != nil || reached != 1 {
		t.Errorf("listed: got %v, %d requests", err, reached)
	}
	if _, err := listed.Do(t.Context(), &Request{URL: entry}); !errors.Is(err, ErrRefused) || reached != 1 {
		t.Errorf("redirect off the list: got %v, want ErrRefused", err)
	}
}
