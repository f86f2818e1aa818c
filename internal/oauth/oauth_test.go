package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dashboard/internal/fetch"
)

// A tokenServer is an OAuth server. Each of its refresh tokens is valid only once.
type tokenServer struct {
	mu        sync.Mutex
	challenge string // challenge of the latest authorization
	refresh   string // the only valid refresh token
	issued    int
	access    map[string]bool // valid access tokens
	life      any
	device    []string // errors that the server returns to the next polls for a device
	down      bool
	asked     int
}

func (s *tokenServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.ParseForm()
	switch r.URL.Path {
	case "/api":
		if token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); !s.access[token] {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `"ok"`)
	case "/device":
		fmt.Fprint(w, `{"device_code": "d", "user_code": "ABCD-EFGH", "verification_url": "https://device.example.org", "expires_in": 1800, "interval": 1}`)
	case "/token":
		s.token(w, r)
	}
}

func (s *tokenServer) token(w http.ResponseWriter, r *http.Request) {
	s.asked++
	refuse := func(code string) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"error": %q, "error_description": "refresh %s"}`, code, r.Form.Get("refresh_token"))
	}
	sum := sha256.Sum256([]byte(r.Form.Get("code_verifier")))
	switch {
	case s.down:
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	case r.Form.Get("client_id") != "wall" || r.Form.Get("client_secret") != "s":
		refuse("invalid_client")
		return
	case r.Form.Get("grant_type") == "refresh_token" && (s.refresh == "" || r.Form.Get("refresh_token") != s.refresh):
		refuse("invalid_grant")
		return
	case r.Form.Get("grant_type") == "authorization_code" && (r.Form.Get("code") != "c" || base64.RawURLEncoding.EncodeToString(sum[:]) != s.challenge):
		refuse("invalid_grant")
		return
	case strings.HasSuffix(r.Form.Get("grant_type"), "device_code") && len(s.device) > 0:
		code := s.device[0]
		s.device = s.device[1:]
		switch code {
		case "lost":
			panic(http.ErrAbortHandler)
		case "overloaded":
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			refuse(code)
		}
		return
	}
	s.issued++
	access := fmt.Sprint("access-", s.issued)
	s.access[access], s.refresh = true, fmt.Sprint("refresh-", s.issued)
	fmt.Fprintf(w, `{"access_token": %q, "refresh_token": %q, "expires_in": %v, "token_type": "Bearer"}`, access, s.refresh, s.life)
}

// begin() starts a server. It returns the server, a permission that is stored in the folder `dir`, and the server's URL.
func begin(t *testing.T, dir string) (*tokenServer, *Grant, string) {
	t.Helper()
	s := &tokenServer{access: map[string]bool{}, life: 3600}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	service := Service{Authorize: server.URL + "/authorize", Token: server.URL + "/token", Device: server.URL + "/device", ClientID: "wall", ClientSecret: "s", Scopes: []string{"read"}}
	return s, Open(dir, service, fetch.New(&fetch.Options{})), server.URL
}

// connect acts as a user who gives the permission in a browser.
func connect(t *testing.T, s *tokenServer, g *Grant) {
	t.Helper()
	p, err := g.Begin("http://127.0.0.1:1/callback")
	if err != nil {
		t.Fatal(err)
	}
	u, _ := url.Parse(p.URL)
	q := u.Query()
	if q.Get("code_challenge_method") != "S256" || q.Get("redirect_uri") != "http://127.0.0.1:1/callback" || q.Get("scope") != "read" {
		t.Fatalf("got %s", p.URL)
	}
	s.challenge = q.Get("code_challenge")
	if err := g.Finish(t.Context(), p, url.Values{"code": {"c"}, "state": {q.Get("state")}}); err != nil {
		t.Fatal(err)
	}
}

// call() sends a request with the permission to the service.
func call(g *Grant, at string) (string, error) {
	resp, err := g.client.Do(context.Background(), &fetch.Request{URL: at + "/api", Auth: fetch.Auth{Tokens: g}})
	if err != nil {
		return "", err
	}
	return string(resp.Body), resp.Check()
}

// A permission is still valid after a restart. Only the file's owner can read the file of the permission.
func TestConnect(t *testing.T) {
	dir := t.TempDir()
	s, g, at := begin(t, dir)
	if _, err := call(g, at); !errors.Is(err, ErrNotConnected) {
		t.Errorf("before: got %v", err)
	}
	connect(t, s, g)
	if got, err := call(g, at); got != `"ok"` || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
	info, err := os.Stat(g.path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v", info, err)
	}
	again := Open(dir, g.service, g.client)
	if got, err := call(again, at); got != `"ok"` || err != nil || s.asked != 1 {
		t.Errorf("after a restart: got %s, %v, and %d questions", got, err, s.asked)
	}
	if text, _ := g.MarshalText(); strings.Contains(string(text), "access") || len(text) != 24 {
		t.Errorf("got %s", text)
	}
}

// If the server replaces the refresh token, the new token is stored before it is needed, and is valid after the next start too.
func TestRotated(t *testing.T) {
	dir := t.TempDir()
	s, g, at := begin(t, dir)
	connect(t, s, g)
	now := time.Now()
	for i := range 5 {
		now = now.Add(2 * time.Hour)
		if i == 3 {
			g = Open(dir, g.service, g.client) // a restart after three replacements
		}
		g.now = func() time.Time { return now }
		if got, err := call(g, at); got != `"ok"` || err != nil {
			t.Fatalf("rotation %d: got %s, %v", i, got, err)
		}
	}
	if s.issued != 6 {
		t.Errorf("got %d tokens, want 6", s.issued)
	}
	// Many requests at the same time cause one refresh.
	now = now.Add(2 * time.Hour)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := call(g, at); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if s.issued != 7 {
		t.Errorf("got %d tokens, want 7", s.issued)
	}
}

// The token server replaces the refresh token while the folder cannot be written. The new token is stored as soon as the folder can be
// written again.
func TestRotatedOnFullDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	s, g, at := begin(t, dir)
	connect(t, s, g)
	if err := errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	now := time.Now().Add(2 * time.Hour)
	g.now = func() time.Time { return now }
	if got, err := call(g, at); err == nil {
		t.Errorf("got %s although the token cannot be stored", got)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	again := Open(dir, g.service, g.client)
	again.now = g.now
	for _, g := range []*Grant{g, again} {
		if got, err := call(g, at); got != `"ok"` || err != nil || s.issued != 2 {
			t.Errorf("got %s, %v, %d tokens", got, err, s.issued)
		}
	}
}

// If the user withdraws a permission, the error explains the next step. The server is not asked again until there is a new permission.
func TestRevoked(t *testing.T) {
	dir := t.TempDir()
	s, g, at := begin(t, dir)
	connect(t, s, g)
	s.mu.Lock()
	s.refresh, s.access = "", map[string]bool{}
	s.mu.Unlock()
	_, err := call(g, at)
	if !errors.Is(err, ErrRevoked) || strings.Contains(err.Error(), "refresh-") {
		t.Errorf("got %v", err)
	}
	asked := s.asked
	for range 3 {
		if _, err := call(Open(dir, g.service, g.client), at); !errors.Is(err, ErrRevoked) {
			t.Errorf("got %v", err)
		}
	}
	if s.asked != asked {
		t.Errorf("the server was asked %d times more", s.asked-asked)
	}
	other := Open(dir, g.service, g.client) // another process, such as 'dashboard connect', opens the same permission
	time.Sleep(50 * time.Millisecond)       // so that the file has another modification time
	connect(t, s, other)
	if got, err := call(g, at); got != `"ok"` || err != nil {
		t.Errorf("after the permission was given again: got %s, %v", got, err)
	}
}

// A server that is down does not count as a withdrawn permission.
func TestDown(t *testing.T) {
	s, g, at := begin(t, t.TempDir())
	connect(t, s, g)
	now := time.Now().Add(2 * time.Hour)
	g.now = func() time.Time { return now }
	s.down = true
	if _, err := call(g, at); err == nil || errors.Is(err, ErrRevoked) {
		t.Errorf("got %v", err)
	}
	s.down = false
	if got, err := call(g, at); got != `"ok"` || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
}

// A wrong clock causes at most one additional request. A token that is refused although it seems valid is replaced. A token that was
// issued in the future, according to the clock, is replaced too.
func TestWrongClock(t *testing.T) {
	for name, by := range map[string]time.Duration{"in 1970": -56 * 365 * 24 * time.Hour, "an hour late": -time.Hour, "a year early": 365 * 24 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			s, g, at := begin(t, t.TempDir())
			connect(t, s, g)
			now := time.Now().Add(by)
			g.now = func() time.Time { return now }
			for range 3 {
				if got, err := call(g, at); got != `"ok"` || err != nil {
					t.Errorf("got %s, %v", got, err)
				}
			}
			s.mu.Lock()
			s.access = map[string]bool{} // the server no longer accepts the token, although the lifetime of the token is not over
			s.mu.Unlock()
			if got, err := call(g, at); got != `"ok"` || err != nil {
				t.Errorf("refused: got %s, %v", got, err)
			}
			if s.asked > 3 {
				t.Errorf("the token server was asked %d times", s.asked)
			}
		})
	}
}

// If a service refuses every token, the token server is asked twice and no more: for the first token and for one new token.
func TestAlwaysRefused(t *testing.T) {
	s, g, at := begin(t, t.TempDir())
	connect(t, s, g)
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer refuses.Close()
	if _, err := call(g, refuses.URL); err == nil {
		t.Error("no error")
	}
	if s.asked != 2 {
		t.Errorf("the token server was asked %d times, want 2", s.asked)
	}
	_ = at
}

// TestNotGiven checks cases in which the user does not give the permission.
func TestNotGiven(t *testing.T) {
	s, g, _ := begin(t, t.TempDir())
	for name, tt := range map[string]struct {
		back  url.Values
		state bool
		later time.Duration
		want  error
	}{
		"denied":            {url.Values{"error": {"access_denied"}}, true, 0, ErrDenied},
		"another error":     {url.Values{"error": {"server_error"}}, true, 0, nil},
		"expired":           {url.Values{"code": {"c"}}, true, connectTime + time.Second, ErrExpired},
		"a used code":       {url.Values{"code": {"used"}}, true, 0, ErrExpired},
		"another's answer":  {url.Values{"code": {"c"}, "state": {"x"}}, false, 0, nil},
		"without its state": {url.Values{"code": {"c"}}, false, 0, nil},
	} {
		p, err := g.Begin("http://127.0.0.1:1/")
		if err != nil {
			t.Fatal(err)
		}
		u, _ := url.Parse(p.URL)
		s.challenge = u.Query().Get("code_challenge")
		if tt.state {
			tt.back.Set("state", u.Query().Get("state"))
		}
		g.now = func() time.Time { return time.Now().Add(tt.later) }
		if err := g.Finish(t.Context(), p, tt.back); err == nil || tt.want != nil && !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", name, err, tt.want)
		}
		g.now = time.Now
	}
	if _, err := g.Token(t.Context()); !errors.Is(err, ErrNotConnected) {
		t.Errorf("got %v", err)
	}
}
