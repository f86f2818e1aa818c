package fetch

import (
	"context"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func written(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCertificatesAreReadOnce checks that a client made by Only uses the certificates of the original client and does not read them
// again. A wall has such a client for each recipe, and reading a list of certificates takes milliseconds.
func TestCertificatesAreReadOnce(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok") }))
	defer s.Close()
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	for _, o := range []Options{{CABundle: written(t, "bundle.pem", certificate)}, {CAFile: written(t, "ca.pem", certificate)}} {
		c := New(&o)
		for _, path := range []string{o.CABundle, o.CAFile} {
			if path != "" && os.Remove(path) != nil {
				t.Fatalf("cannot remove %s", path)
			}
		}
		only := c.Only(Hosts{Given: []string{strings.TrimPrefix(s.URL, "https://")}})
		if _, err := only.Do(t.Context(), &Request{URL: s.URL}); err != nil {
			t.Errorf("%+v: got %v", o, err)
		}
		only.CloseIdle()
		c.CloseIdle()
	}
}

// TestCertificates checks a server whose certificate has an unknown authority. The client can reach this server if the certificate is in
// ca_file, in the bundle or in a folder.
func TestCertificates(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok") }))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	file := written(t, "ca.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}))
	empty := written(t, "empty.pem", []byte("nothing"))
	tests := []struct {
		name    string
		o       Options
		request Request
		want    error
	}{
		{"unknown", Options{}, Request{}, ErrUnavailable},
		{"of the request", Options{}, Request{CAFile: file}, nil},
		{"of the client", Options{CAFile: file}, Request{}, nil},
		{"bundle", Options{CABundle: file}, Request{}, nil},
		{"folder", Options{CABundle: filepath.Dir(file)}, Request{}, nil},
		{"empty bundle", Options{CABundle: empty}, Request{}, ErrRequest},
		{"no such bundle", Options{CABundle: file + "x"}, Request{}, ErrRequest},
		{"no such file", Options{}, Request{CAFile: file + "x"}, ErrRequest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := New(&tt.o)
			defer c.CloseIdle()
			tt.request.URL = s.URL
			if _, err := c.Do(t.Context(), &tt.request); !errors.Is(err, tt.want) || (err != nil) != (tt.want != nil) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
	c := New(nil)
	for i := range maxCAFiles + 1 {
		path := written(t, "ca.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}))
		_, err := c.Do(t.Context(), &Request{URL: s.URL, CAFile: path})
		if (err != nil) != (i == maxCAFiles) {
			t.Errorf("file %d: got %v", i, err)
		}
	}
	c.CloseIdle()
}

// TestInvalidCertificatesCloseIdle: a client whose certificates are not valid keeps connections of http requests. CloseIdle closes them.
func TestInvalidCertificatesCloseIdle(t *testing.T) {
	closed := make(chan struct{}, 1)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok") }))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			closed <- struct{}{}
		}
	}
	s.Start()
	defer s.Close()
	c := New(&Options{CABundle: written(t, "empty.pem", []byte("nothing"))})
	if _, err := c.Do(t.Context(), &Request{URL: s.URL}); err != nil {
		t.Fatal(err)
	}
	c.CloseIdle()
	select {
	case <-closed:
	case <-time.After(time.Minute):
		t.Error("the connection stays open")
	}
}

func TestNetrc(t *testing.T) {
	const text = `# who
machine a.example login me password "s3cret"
machine b.example
	login you account x
	password p2
macdef init
machine c.example login macro

default login anybody password any
`
	for host, want := range map[string]Auth{
		"a.example": {Username: "me", Password: "s3cret"}, "A.EXAMPLE": {Username: "me", Password: "s3cret"},
		"b.example": {Username: "you", Password: "p2"}, "c.example": {Username: "anybody", Password: "any"},
	} {
		if got, ok := parseNetrc([]byte(text), host); got != want || !ok {
			t.Errorf("%s: got %v, %v, want %v", host, got, ok, want)
		}
	}
	const early = "default login any password p machine a login me machine b login you default login other machine a login late"
	for host, want := range map[string]Auth{"a": {Username: "me"}, "b": {Username: "you"}, "c": {Username: "any", Password: "p"}} {
		if got, ok := parseNetrc([]byte(early), host); got != want || !ok {
			t.Errorf("%s after an early default: got %v, %v, want %v", host, got, ok, want)
		}
	}
	if got, ok := parseNetrc([]byte("machine a login"), "b"); ok {
		t.Errorf("got %v for a host that is not in it", got)
	}
}

// TestNetrcIsAsked checks that netrc is read for requests without credentials of their own, but never by a client with a guard.
func TestNetrcIsAsked(t *testing.T) {
	var seen string
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.Header.Get("Authorization") }))
	defer s.Close()
	file := written(t, ".netrc", []byte("machine 127.0.0.1 login me password pw"))
	env := map[string]string{"NETRC": file}
	c := New(Environment(func(k string) string { return env[k] }))
	defer c.CloseIdle()
	ask := func(c *Client, r Request, want string) {
		t.Helper()
		r.URL, seen = s.URL, "none"
		if _, err := c.Do(t.Context(), &r); err != nil || seen != want {
			t.Errorf("got %q, %v, want %q", seen, err, want)
		}
	}
	ask(c, Request{}, "Basic bWU6cHc=")
	ask(c, Request{Auth: Auth{Bearer: "b"}}, "Bearer b")
	ask(c, Request{Header: map[string]string{"Authorization": "own"}}, "own")
	guarded := New(&Options{Netrc: file, Guard: NewGuard(home4)})
	if _, err := guarded.Do(t.Context(), &Request{URL: s.URL}); !errors.Is(err, ErrRefused) {
		t.Errorf("guarded: got %v", err)
	}
}

func FuzzNetrc(f *testing.F) {
	f.Add([]byte("machine a login b password c\ndefault login d"), "a")
	f.Fuzz(func(_ *testing.T, data []byte, host string) { parseNetrc(data, host) })
}

func TestEnvironment(t *testing.T) {
	env := map[string]string{"HOME": "/home/me", "CURL_CA_BUNDLE": "curl.pem"}
	if o := Environment(func(k string) string { return env[k] }); o.Netrc != "/home/me/.netrc" || o.CABundle != "curl.pem" {
		t.Errorf("got %+v", o)
	}
	env["REQUESTS_CA_BUNDLE"], env["NETRC"] = "requests.pem", "/etc/netrc"
	if o := Environment(func(k string) string { return env[k] }); o.Netrc != "/etc/netrc" || o.CABundle != "requests.pem" {
		t.Errorf("got %+v", o)
	}
}

func TestRedactKeepsTheHostOnly(t *testing.T) {
	for raw, want := range map[string]string{
		"https://api.telegram.org/bot123:SECRET/getUpdates":              "https://api.telegram.org",
		"https://me:pw@cloud.example:8443/private-abc/basic.ics?key=1#x": "https://cloud.example:8443",
		"http://[fd00::1]/x": "http://[fd00::1]", "webcal://h/secret": "webcal://h", "no url": "(no URL)", "file:///a b": "file:///a b",
	} {
		if got := Redact(raw); got != want {
			t.Errorf("%s: got %q, want %q", raw, got, want)
		}
	}
}

// body is a response body whose bytes arrive when the test writes them.
type body struct{ r *io.PipeReader }

func (b body) RoundTrip(r *http.Request) (*http.Response, error) {
	context.AfterFunc(r.Context(), func() { b.r.CloseWithError(r.Context().Err()) })
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: b.r, ContentLength: -1, Request: r}, nil
}

func TestStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		s, err := NewWith(body{r}).Stream(t.Context(), &Request{URL: "http://h/events", Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		go func() {
			for range 5 { // all pauses together are longer than the timeout, but each pause is shorter
				time.Sleep(50 * time.Second)
				io.WriteString(w, "data: x\r\n\n")
			}
			io.WriteString(w, strings.Repeat("y", 5000)+"\n")
			time.Sleep(time.Hour)
		}()
		for range 5 {
			for _, want := range []string{"data: x", ""} {
				if got, err := s.Line(100); string(got) != want || err != nil {
					t.Fatalf("got %q, %v, want %q", got, err, want)
				}
			}
		}
		if got, err := s.Line(5000); len(got) != 5000 || err != nil {
			t.Errorf("got %d bytes, %v", len(got), err)
		}
		if _, err := s.Line(100); !errors.Is(err, ErrSilent) {
			t.Errorf("after silence: got %v, want ErrSilent", err)
		}
		time.Sleep(2 * time.Hour) // wait until the writer has ended
	})
}

// A line has at most `limit` bytes, no matter whether it ends with LF or CR LF.
func TestLineLimit(t *testing.T) {
	for _, end := range []string{"", "\n", "\r\n"} {
		for n, want := range map[int]error{10: nil, 11: ErrTooLarge, 12: ErrTooLarge} {
			r, w := io.Pipe()
			go func() {
				io.WriteString(w, strings.Repeat("x", n)+end)
				w.Close()
			}()
			s, err := NewWith(body{r}).Stream(t.Context(), &Request{URL: "http://h/events"})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := s.Line(10); !errors.Is(err, want) || want == nil && len(got) != n {
				t.Errorf("%d bytes and %q: got %q, %v, want %v", n, end, got, err, want)
			}
			s.Close()
		}
	}
}

func TestStreamBounds(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/no" {
			http.Error(w, "not you", http.StatusForbidden)
			return
		}
		io.WriteString(w, "short\nlast")
		if r.URL.Path == "/long" {
			io.WriteString(w, strings.Repeat("x", 1<<20))
		}
	}))
	defer s.Close()
	c := New(nil)
	defer c.CloseIdle()
	var status *StatusError
	if _, err := c.Stream(t.Context(), &Request{URL: s.URL + "/no"}); !errors.As(err, &status) || status.Code != 403 || status.Body != "not you" {
		t.Errorf("got %v, want status 403", err)
	}
	for path, want := range map[string]error{"/": nil, "/long": ErrTooLarge} {
		st, err := c.Stream(t.Context(), &Request{URL: s.URL + path})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := st.Line(10); string(got) != "short" || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
		got, err := st.Line(10)
		if !errors.Is(err, want) || want == nil && string(got) != "last" {
			t.Errorf("%s: got %q, %v, want %v", path, got, err, want)
		}
		if _, err := st.Line(10); want == nil && err != io.EOF {
			t.Errorf("at the end: got %v", err)
		}
		st.Close()
	}
}
