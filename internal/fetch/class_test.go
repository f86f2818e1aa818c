package fetch

import (
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"dashboard/internal/testing/programtest"
)

// closedPort returns the address of a port on which no program listens until the test ends.
func closedPort(t *testing.T) string {
	t.Helper()
	return fmt.Sprintf("127.0.0.1:%d", programtest.FreePort(t))
}

// TestClassOf causes every failure that a server can cause, and checks its class. The error of a secret address has the same class and does
// not contain the address.
func TestClassOf(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/cut":
			panic(http.ErrAbortHandler)
		case "/slow":
			<-r.Context().Done()
		case "/large":
			_, _ = io.WriteString(w, strings.Repeat("x", 100))
		case "/401":
			w.WriteHeader(401)
		case "/404":
			w.WriteHeader(404)
		case "/429":
			w.WriteHeader(429)
		case "/500":
			w.WriteHeader(500)
		case "/418":
			w.WriteHeader(418)
		}
	})
	plain, secure := httptest.NewServer(h), httptest.NewUnstartedServer(h)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer plain.Close()
	defer secure.Close()
	free, guarded := newClient(t, nil), newClient(t, &Options{Guard: NewGuard([]netip.Prefix{})})
	tests := []struct {
		url  string
		want Class
	}{
		{"http://" + closedPort(t) + "/planted", NoService},
		{"http://planted.invalid/", NoName},
		{plain.URL + "/cut?planted", Cut},
		{plain.URL + "/slow?planted", TimedOut},
		{plain.URL + "/large?planted", TooLarge},
		{plain.URL + "/401?planted", Denied}, {plain.URL + "/404?planted", NotFound}, {plain.URL + "/429?planted", Busy},
		{plain.URL + "/500?planted", ServerFault}, {plain.URL + "/418?planted", BadStatus},
		{secure.URL + "/planted", Certificate},
		{strings.Replace(plain.URL, "http:", "https:", 1) + "/planted", NoTLS},
		{"ftp://planted/", BadRequest},
		{plain.URL + "/guarded?planted", Forbidden},
	}
	for _, tt := range tests {
		for _, secret := range []bool{false, true} {
			c, r := free, &Request{URL: tt.url, Secret: secret, MaxBytes: 10, Timeout: time.Minute}
			if tt.want == TimedOut {
				r.Timeout = 50 * time.Millisecond
			}
			if tt.want == Forbidden {
				c = guarded
			}
			resp, err := c.Do(t.Context(), r)
			if err == nil {
				err = r.Failure(resp.Check())
			}
			got := ClassOf(err)
			if got == NoNetwork && tt.want == NoName {
				continue // skip this case, because this machine has no name server
			}
			if got != tt.want {
				t.Errorf("%s: got class %q of %v, want %q", tt.url, got, err, tt.want)
			}
			if text := err.Error(); secret && (strings.Contains(text, "planted") || strings.Contains(text, "127.0.0.1") || len(text) <= len("GET (secret address): unavailable")) {
				t.Errorf("%s: got %q, want the class and nothing of the address", tt.url, text)
			}
		}
	}
}

// TestClassOfCauses checks the causes that a test cannot produce with a server.
func TestClassOfCauses(t *testing.T) {
	_, gone := os.Stat("testdata/none.json")
	tests := []struct {
		err  error
		want Class
	}{
		{nil, Unclassified}, {fmt.Errorf("other"), Unclassified},
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ENETUNREACH)}, NoNetwork},
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.EHOSTUNREACH)}, NoHost},
		{fmt.Errorf("a calendar: %w", &net.DNSError{Err: "server misbehaving"}), NoNetwork},
		{fmt.Errorf("%w: %w", ErrUnavailable, gone), NoFile},
		{fmt.Errorf("%w: %w", ErrUnavailable, fs.ErrPermission), NoRights},
		{fmt.Errorf("%w: %w", ErrUnavailable, ErrSilent), TimedOut},
		{(&Response{Body: []byte("<!DOCTYPE html><title>Log in</title>")}).Misread(fmt.Errorf("not JSON")), WebPage},
		{(&Response{ContentType: "text/html", Body: []byte("{")}).Misread(fmt.Errorf("not JSON")), Unclassified},
	}
	for _, tt := range tests {
		if got := ClassOf(tt.err); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.err, got, tt.want)
		}
	}
}

// TestStatusWithoutPage checks that the error of a refused request does not contain the web page of the response, because markup in a log
// line does not help.
func TestStatusWithoutPage(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
		if r.URL.Path == "/plain" {
			_, _ = io.WriteString(w, "no such sensor")
			return
		}
		_, _ = io.WriteString(w, "\r\n<HTML><head><title>404 Not Found</title></head>")
	}))
	defer srv.Close()
	c := newClient(t, nil)
	for path, want := range map[string]string{"/": "status 404 Not Found", "/plain": "status 404 Not Found: no such sensor"} {
		resp, err := c.Do(t.Context(), &Request{URL: srv.URL + path})
		if err != nil {
			t.Fatal(err)
		}
		if got := resp.Check().Error(); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
		if _, err := c.Stream(t.Context(), &Request{URL: srv.URL + path}); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s, as a stream: got %v, want %q", path, err, want)
		}
	}
}

// The error of a refused request tells the user what to check.
func TestRefusedRequestSaysWhatToCheck(t *testing.T) {
	got := (&StatusError{Code: 401, Body: "no"}).Error()
	if want := "status 401 Unauthorized (check the name and the password, or the token): no"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
