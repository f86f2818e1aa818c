package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"dashboard/internal/fetch"
)

const wallPage = "https://wall.example.org/edit/connected"

// newRequests returns an empty set of requests, a token server, and a permission that this server can give.
func newRequests(t *testing.T) (*Requests, *tokenServer, *Grant) {
	t.Helper()
	s := &tokenServer{access: map[string]bool{}, life: 3600}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	service := Service{Authorize: h.URL + "/allow", Token: h.URL + "/token", ClientID: "wall", ClientSecret: "s", Scopes: []string{"read"}}
	return &Requests{}, s, Open(filepath.Join(t.TempDir(), "oauth"), service, fetch.New(&fetch.Options{}))
}

// ask() begins a request for a permission, which the user then allows. It returns the secret of the browser, and the parameters with
// which the browser returns.
func ask(t *testing.T, d *Requests, s *tokenServer, provider string, g *Grant) (browser string, back url.Values) {
	t.Helper()
	address, browser, err := d.Begin(provider, g, wallPage)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil || u.Query().Get("redirect_uri") != wallPage || u.Query().Get("code_challenge_method") != "S256" {
		t.Fatal(address, err)
	}
	s.mu.Lock()
	s.challenge = u.Query().Get("code_challenge")
	s.mu.Unlock()
	return browser, url.Values{"state": {u.Query().Get("state")}, "code": {"c"}}
}

// A returning browser is accepted only once, and only if it is the last browser that has begun a request. It must return the state of
// this request within the time limit.
func TestReturns(t *testing.T) {
	for name, c := range map[string]struct {
		change func(d *Requests, s *tokenServer, g *Grant, browser *string, back url.Values)
		want   error
	}{
		"allowed": {func(*Requests, *tokenServer, *Grant, *string, url.Values) {}, nil},
		"denied": {func(_ *Requests, _ *tokenServer, _ *Grant, _ *string, b url.Values) {
			b.Del("code")
			b.Set("error", "access_denied")
		}, ErrDenied},
		"expired":         {func(_ *Requests, _ *tokenServer, g *Grant, _ *string, _ url.Values) { late(g, connectTime+time.Second) }, ErrExpired},
		"clock set back":  {func(_ *Requests, _ *tokenServer, g *Grant, _ *string, _ url.Values) { late(g, -24*time.Hour) }, nil},
		"code used":       {func(_ *Requests, _ *tokenServer, _ *Grant, _ *string, b url.Values) { b.Set("code", "old") }, ErrExpired},
		"foreign state":   {func(_ *Requests, _ *tokenServer, _ *Grant, _ *string, b url.Values) { b.Set("state", "x") }, ErrForeign},
		"no state":        {func(_ *Requests, _ *tokenServer, _ *Grant, _ *string, b url.Values) { b.Del("state") }, ErrForeign},
		"foreign browser": {func(_ *Requests, _ *tokenServer, _ *Grant, browser *string, _ url.Values) { *browser = "" }, ErrForeign},
		"second start": {func(d *Requests, _ *tokenServer, g *Grant, _ *string, _ url.Values) {
			if _, _, err := d.Begin("mail", g, wallPage); err != nil {
				t.Error(err)
			}
		}, ErrForeign},
	} {
		d, s, g := newRequests(t)
		browser, back := ask(t, d, s, "mail", g)
		c.change(d, s, g, &browser, back)
		provider, err := d.Return(t.Context(), browser, back)
		if !errors.Is(err, c.want) || err == nil && provider != "mail" {
			t.Errorf("%s: got %s, %v, want %v", name, provider, err, c.want)
		}
		if state := g.State(); (state == nil) != (c.want == nil) {
			t.Errorf("%s: the state is %v", name, state)
		}
		if _, err := d.Return(t.Context(), browser, back); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: the second return: %v", name, err)
		}
	}
}

// late() sets the clock of a permission to the present time plus a duration.
func late(g *Grant, by time.Duration) { g.now = func() time.Time { return time.Now().Add(by) } }

// A pasted address finishes only the permission of its provider. A text that is not such an address does not end the request.
func TestPastedAddress(t *testing.T) {
	d, s, g := newRequests(t)
	_, back := ask(t, d, s, "mail", g)
	address := "http://localhost/?" + back.Encode()
	for _, wrong := range []struct{ provider, address string }{{"mail", "hello"}, {"mail", "http://localhost/?state=x&code=c"}, {"work", address}, {"mail", "http://%zz"}} {
		if err := d.Paste(t.Context(), wrong.provider, wrong.address); err == nil {
			t.Errorf("%v is accepted", wrong)
		}
	}
	if err := d.Paste(t.Context(), "mail", address); err != nil || g.State() != nil {
		t.Errorf("got %v, %v", err, g.State())
	}
	if err := d.Paste(t.Context(), "mail", address); !errors.Is(err, ErrForeign) {
		t.Errorf("the second time: %v", err)
	}
	s.mu.Lock()
	s.refresh = "" // the user has withdrawn the permission
	s.mu.Unlock()
	late(g, 2*time.Hour)
	if _, err := g.Token(context.WithoutCancel(t.Context())); !errors.Is(err, ErrRevoked) || !errors.Is(g.State(), ErrRevoked) {
		t.Errorf("withdrawn: got %v, %v", err, g.State())
	}
	browser, back := ask(t, d, s, "mail", g)
	if _, err := d.Return(t.Context(), browser, back); err != nil || g.State() != nil {
		t.Errorf("connected again: got %v, %v", err, g.State())
	}
}

// The number of open requests has a limit. When a request ends, there is room for another request.
func TestRequestsAreBounded(t *testing.T) {
	d, s, g := newRequests(t)
	for i := range maxAsked {
		ask(t, d, s, fmt.Sprint(i), g)
	}
	if _, _, err := d.Begin("more", g, wallPage); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v", err)
	}
	ask(t, d, s, "0", g) // this request replaces the first request for the same provider
	late(g, connectTime+time.Second)
	ask(t, d, s, "more", g)
	if len(d.asked) != 1 {
		t.Errorf("%d requests are kept", len(d.asked))
	}
}
