package fetch

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// serve runs a handler on loopback until the test ends.
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

// TestReadsNoFiles checks that Do and Stream refuse the address of a local file in every notation.
func TestReadsNoFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	if err := os.WriteFile(path, []byte(`{"x":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	c := newClient(t, nil)
	for _, url := range []string{"file://" + path, "file://a.json", "file:" + path, "FILE://" + path} {
		if r, err := c.Do(t.Context(), &Request{URL: url}); !errors.Is(err, ErrRequest) {
			t.Errorf("%s: got %+v, %v, want it refused", url, r, err)
		}
		if s, err := c.Stream(t.Context(), &Request{URL: url}); !errors.Is(err, ErrRequest) {
			t.Errorf("stream of %s: got %v, %v, want it refused", url, s, err)
		}
	}
}

// TestEmptyHeaderIsNotSent checks that a header without a value is not sent. The Authorization header is empty if the user has not set a
// key, and some servers refuse an empty header.
func TestEmptyHeaderIsNotSent(t *testing.T) {
	var got http.Header
	base := serve(t, func(_ http.ResponseWriter, r *http.Request) { got = r.Header })
	r := Request{URL: base, Header: map[string]string{"Authorization": "", "PRIVATE-TOKEN": "", "X-Kept": "1"}}
	if _, err := newClient(t, nil).Do(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
	_, authorization := got["Authorization"]
	_, token := got["Private-Token"]
	if authorization || token || got.Get("X-Kept") != "1" {
		t.Errorf("got %v, want only the header that has a value", got)
	}
}
