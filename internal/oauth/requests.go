package oauth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net/url"
	"sync"
)

// maxAsked is the maximum number of permissions that browsers can request at the same time.
const maxAsked = 8

var (
	// ErrForeign means that the returning browser did not request the permission, or that another browser has requested it later.
	ErrForeign = errors.New("this browser did not begin, or another one began later: begin again")
	// ErrBusy means that too many permissions are requested at the same time.
	ErrBusy = errors.New("too many permissions are being requested: finish one of them or wait 15 minutes")
)

// Requests contains the permissions that users are giving in browsers, at most one for each provider. Its methods may be called from any
// goroutine. The zero value is ready.
type Requests struct {
	mu    sync.Mutex
	asked map[string]*asked // requests by provider
}

// asked is a permission that a browser requested.
type asked struct {
	pending *Pending
	grant   *Grant
	browser string // secret that the browser stores
}

// Begin requests the permission of a provider. It returns the URL that the user opens and a secret, which the browser stores and passes to
// Return. A second request for the same provider cancels the first request.
func (r *Requests) Begin(provider string, g *Grant, redirect string) (address, browser string, err error) {
	p, err := g.Begin(redirect)
	if err != nil {
		return "", "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, a := range r.asked {
		if a.grant.now().After(a.pending.until) {
			delete(r.asked, name)
		}
	}
	if r.asked[provider] == nil && len(r.asked) >= maxAsked {
		return "", "", ErrBusy
	}
	if r.asked == nil {
		r.asked = map[string]*asked{}
	}
	a := &asked{pending: p, grant: g, browser: rand.Text()}
	r.asked[provider] = a
	return p.URL, a.browser, nil
}

// Return finishes a request. `browser` is the secret that the browser stores. `back` has the query parameters of the URL to which the
// token server has redirected the browser. The first result is the provider.
func (r *Requests) Return(ctx context.Context, browser string, back url.Values) (provider string, err error) {
	provider, a := r.take(back.Get("state"), func(_ string, a *asked) bool { return equal(browser, a.browser) })
	if a == nil {
		return "", ErrForeign
	}
	return provider, a.grant.Finish(ctx, a.pending, back)
}

// Paste finishes the request for a provider with an address that the user has copied from the browser.
func (r *Requests) Paste(ctx context.Context, provider, address string) error {
	u, err := url.Parse(address)
	if err != nil || !u.Query().Has("state") {
		return errors.New("this is not the address of the last page: it has 'state=' in it")
	}
	_, a := r.take(u.Query().Get("state"), func(name string, _ *asked) bool { return name == provider })
	if a == nil {
		return ErrForeign
	}
	return a.grant.Finish(ctx, a.pending, u.Query())
}

// take removes the request with the given state and returns it. It removes the request because each state is valid only once. It returns
// nil if there is no such request, or if the function `ok` returns false for the request.
func (r *Requests) take(state string, ok func(provider string, a *asked) bool) (string, *asked) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, a := range r.asked {
		if equal(state, a.pending.state) && ok(name, a) {
			delete(r.asked, name)
			return name, a
		}
	}
	return "", nil
}

func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
