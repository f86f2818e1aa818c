package oauth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"dashboard/internal/fetch"
)

const (
	// connectTime is the time limit for the user to allow the access in a browser.
	connectTime = 15 * time.Minute
	// `slower` is the time that is added to the pause if the server requests slower polling (RFC 8628, section 3.5).
	slower = 5 * time.Second
	// usualPause is the pause between two requests to the server that check whether the user has entered a device code.
	usualPause = 5 * time.Second
	// longestPause is the maximum pause after requests that the server did not answer.
	longestPause = time.Minute
)

// A Pending is a permission that the user has to give in a browser.
type Pending struct {
	URL string // address to open in a browser

	state, verifier, redirect string
	until                     time.Time
}

// Begin returns a pending permission with the URL that the user opens. It uses a proof key (RFC 7636). Later the token server redirects
// the browser to the URL in the parameter `redirect`.
func (g *Grant) Begin(redirect string) (*Pending, error) {
	u, err := url.Parse(g.service.Authorize)
	if err != nil || u.Host == "" {
		return nil, errors.New("the service has no address for browsers")
	}
	p := &Pending{state: rand.Text(), verifier: rand.Text() + rand.Text(), redirect: redirect, until: g.now().Add(connectTime)}
	sum := sha256.Sum256([]byte(p.verifier))
	q := u.Query()
	for k, v := range map[string]string{
		"response_type": "code", "client_id": g.service.ClientID, "redirect_uri": redirect, "scope": strings.Join(g.service.Scopes, " "),
		"state": p.state, "code_challenge": base64.RawURLEncoding.EncodeToString(sum[:]), "code_challenge_method": "S256",
	} {
		q.Set(k, v)
	}
	for k, v := range g.service.Extra {
		q.Set(k, v)
	}
	u.RawQuery = q.Encode()
	p.URL = u.String()
	return p, nil
}

// Finish gets the tokens. `back` has the query parameters of the URL to which the token server has redirected the browser.
func (g *Grant) Finish(ctx context.Context, p *Pending, back url.Values) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case subtle.ConstantTimeCompare([]byte(back.Get("state")), []byte(p.state)) != 1:
		return errors.New("the answer belongs to another question: begin again")
	case g.now().After(p.until):
		return ErrExpired
	case back.Get("error") == "access_denied":
		return ErrDenied
	case back.Get("error") != "":
		return &refusal{Code: back.Get("error")}
	}
	err := g.ask(ctx, url.Values{
		"grant_type": {"authorization_code"}, "code": {back.Get("code")}, "redirect_uri": {p.redirect}, "code_verifier": {p.verifier},
	})
	var refused *refusal
	if errors.As(err, &refused) && refused.Code == "invalid_grant" {
		return ErrExpired
	}
	return err
}

// A Device is a code that the user enters in a browser of another device.
type Device struct {
	Code, URL string

	device string
	pause  time.Duration
	until  time.Time
}

// deviceAnswer is the response of a device endpoint. Google uses a different name for the key of the URL.
type deviceAnswer struct {
	Device   string      `json:"device_code"`
	User     string      `json:"user_code"`
	URI      string      `json:"verification_uri"`
	URL      string      `json:"verification_url"`
	Expires  json.Number `json:"expires_in"`
	Interval json.Number `json:"interval"`
	refusal
}

// BeginDevice requests a device code.
func (g *Grant) BeginDevice(ctx context.Context) (*Device, error) {
	if g.service.Device == "" {
		return nil, errors.New("the service has no codes for devices")
	}
	var a deviceAnswer
	if err := g.post(ctx, g.service.Device, url.Values{"scope": {strings.Join(g.service.Scopes, " ")}}, &a, &a.refusal); err != nil {
		return nil, err
	}
	d := &Device{Code: a.User, URL: a.URI, device: a.Device, pause: usualPause, until: g.now().Add(connectTime)}
	if d.URL == "" {
		d.URL = a.URL
	}
	if n, err := a.Interval.Int64(); err == nil && n > 0 && n < 600 {
		d.pause = time.Duration(n) * time.Second
	}
	if n, err := a.Expires.Int64(); err == nil && n > 0 && n < 86400 {
		d.until = g.now().Add(time.Duration(n) * time.Second)
	}
	return d, nil
}

// FinishDevice waits until the user has entered the code, and then stores the tokens. It returns an error if the user denies the access
// or the code expires. It also returns an error if the server answers with an error or ctx ends.
func (g *Grant) FinishDevice(ctx context.Context, d *Device) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(d.pause):
		}
		if g.now().After(d.until) {
			return ErrExpired
		}
		if again, err := g.poll(ctx, d); !again {
			return err
		}
	}
}

// unreachable() reports whether a request failed because of the network or an overloaded server, so that a later request may succeed.
func unreachable(err error) bool {
	var status *fetch.StatusError
	if errors.As(err, &status) {
		return status.Code >= http.StatusInternalServerError
	}
	return errors.Is(err, fetch.ErrUnavailable)
}

// poll asks the server once whether the user has entered the code. `again` is true if the code was not entered yet, or if the server cannot
// be reached.
func (g *Grant) poll(ctx context.Context, d *Device) (again bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	err = g.ask(ctx, url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:device_code"}, "device_code": {d.device}})
	var refused *refusal
	if !errors.As(err, &refused) {
		again = ctx.Err() == nil && unreachable(err)
		if again { // ask less often (RFC 8628, section 3.5)
			d.pause = max(d.pause, min(2*d.pause, longestPause))
		}
		return again, err
	}
	switch refused.Code {
	case "authorization_pending":
		return true, nil
	case "slow_down":
		d.pause += slower
		return true, nil
	case "access_denied":
		return false, ErrDenied
	case "expired_token":
		return false, ErrExpired
	}
	return false, err
}
