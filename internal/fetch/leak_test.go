package fetch

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestRedirectsDoNotLeak checks that the request after a redirect to another origin contains no keys of the first origin. The origins are
// two servers on loopback with different ports.
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

// An error for a secret address contains only the kind of the failure and nothing of the address.
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
