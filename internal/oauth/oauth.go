// Package oauth stores a permission that a user has given with OAuth 2, and uses the permission to get access tokens (RFC 6749, 7636,
// 8628).
package oauth

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"dashboard/internal/fetch"
	"dashboard/internal/state"
)

const (
	// A token is replaced when its remaining lifetime is less than `early`, because a request with the token may take a minute.
	early = time.Minute
	// usualLife is the lifetime of a token if the server does not send a lifetime. A token that is refused earlier is replaced.
	usualLife = time.Hour
	// mostLife is the maximum lifetime of an access token. If the server sends a longer lifetime, mostLife is used. A stored token with a
	// longer lifetime is not used.
	mostLife = 24 * time.Hour
	// maxAnswer is the maximum size of a token server's response, in bytes.
	maxAnswer = 64 << 10
)

// States of a permission that require an action of the user.
var (
	ErrNotConnected error = noPermission("not connected: connect it in the editor or run 'dashboard connect'")
	ErrRevoked      error = noPermission("the permission was withdrawn or has expired: " +
		"connect again in the editor or with 'dashboard connect'")
	ErrDenied  = errors.New("the permission was denied")
	ErrExpired = errors.New("the code has expired: begin again")
)

// noPermission is an error for a missing permission. The wall shows it in the same way as a refused token.
type noPermission string

// Error implements error.
func (e noPermission) Error() string { return string(e) }

// Is makes errors.Is(err, fetch.ErrNoToken) true for a noPermission.
func (e noPermission) Is(target error) bool { return target == fetch.ErrNoToken }

// A Service is a token server together with the credentials of the client.
type Service struct {
	Authorize, Token, Device string // URLs; Authorize or Device may be ""
	ClientID, ClientSecret   string
	Scopes                   []string
	Extra                    map[string]string // further parameters of Authorize
	// Owner is the recipe that requests the permission, or "" for the wall. Recipes and the wall do not share permissions.
	Owner string
}

// ID returns a text that identifies a permission. Equal permissions have the same ID. The ID does not reveal the values of the
// permission.
func (s *Service) ID() string {
	scopes := slices.Sorted(slices.Values(s.Scopes))
	sum := sha256.Sum256([]byte(s.Owner + "\n" + s.Token + "\n" + s.ClientID + "\n" + strings.Join(scopes, " ")))
	return hex.EncodeToString(sum[:12])
}

// kept is the content of a permission's file.
type kept struct {
	Access  string    `json:"access_token,omitempty"`
	Refresh string    `json:"refresh_token,omitempty"`
	Issued  time.Time `json:"issued"`
	Expiry  time.Time `json:"expiry"`
	Revoked bool      `json:"revoked,omitempty"`
}

// A Grant is one permission. It implements fetch.Tokens. Its methods may be called from any goroutine.
type Grant struct {
	service Service
	path    string // path of the file. "" stores nothing
	client  *fetch.Client
	now     func() time.Time

	mu    sync.Mutex
	has   kept
	read  time.Time // modification time of the file when it was read
	dirty bool      // true if the file does not contain the current tokens yet

	withdrawn atomic.Bool // copy of has.Revoked. It can be read without the mutex, which is locked during requests
	changed   func()      // called after withdrawn has changed, or nil
}

// Open returns the permission for a service. It is stored in a folder, or only in memory if `dir` is "".
func Open(dir string, s Service, client *fetch.Client) *Grant {
	g := &Grant{service: s, client: client, now: time.Now}
	if dir != "" {
		g.path = filepath.Join(dir, "oauth-"+s.ID()+".json")
	}
	return g
}

// Withdrawn returns ErrRevoked if the server has withdrawn the permission. It does not wait for requests.
func (g *Grant) Withdrawn() error {
	if g.withdrawn.Load() {
		return ErrRevoked
	}
	return nil
}

// set replaces the tokens.
func (g *Grant) set(k kept) {
	g.has = k
	if g.withdrawn.Swap(k.Revoked) != k.Revoked && g.changed != nil {
		g.changed()
	}
}

// MarshalText returns the ID of the permission, without its tokens.
func (g *Grant) MarshalText() ([]byte, error) { return []byte(g.service.ID()), nil }

// Token implements fetch.Tokens. It returns a valid access token, and requests a new token if needed.
func (g *Grant) Token(ctx context.Context) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.load()
	if g.dirty {
		_ = g.save() // if saving fails, the next call tries again
	}
	switch {
	case g.has.Revoked:
		return "", ErrRevoked
	case g.valid():
		return g.has.Access, nil
	case g.has.Refresh == "":
		return "", ErrNotConnected
	}
	if err := g.refresh(ctx); err != nil {
		return "", err
	}
	return g.has.Access, nil
}

// State returns nil if the user has given the permission. Otherwise it returns ErrNotConnected or ErrRevoked.
func (g *Grant) State() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.load()
	switch {
	case g.has.Revoked:
		return ErrRevoked
	case g.has.Refresh == "" && !g.valid():
		return ErrNotConnected
	}
	return nil
}

// Refuse implements fetch.Tokens. It records that a server did not accept a token.
func (g *Grant) Refuse(token string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.has.Access == token {
		g.has.Access, g.dirty = "", true
	}
}

// valid() reports whether there is an access token that is valid according to this machine's clock. If the clock was set back to a time
// before the token was issued, the token is not valid.
func (g *Grant) valid() bool {
	now := g.now()
	return g.has.Access != "" && !now.Before(g.has.Issued.Add(-early)) && now.Before(g.has.Expiry.Add(-early)) &&
		g.has.Expiry.Sub(g.has.Issued) <= mostLife
}

// load reads the file if it has changed, for example because 'dashboard connect' has written it.
func (g *Grant) load() {
	if g.path == "" {
		return
	}
	info, err := os.Stat(g.path)
	if err != nil || info.ModTime().Equal(g.read) || info.Size() > maxAnswer {
		return
	}
	data, err := os.ReadFile(g.path)
	if err != nil {
		return
	}
	var k kept
	if json.Unmarshal(data, &k) == nil {
		g.set(k)
		g.read, g.dirty = info.ModTime(), false
	}
}

// save writes the file. Only the owner of the file can read it. If save fails, the next call of Token calls save again.
func (g *Grant) save() error {
	if g.path == "" {
		return nil
	}
	data, err := json.Marshal(g.has)
	if err != nil {
		return err
	}
	err = os.MkdirAll(filepath.Dir(g.path), 0o700)
	if err == nil {
		err = state.Replace(g.path, data)
	}
	if err != nil {
		g.dirty = true
		return err
	}
	g.dirty = false
	if info, err := os.Stat(g.path); err == nil {
		g.read = info.ModTime()
	}
	return nil
}

// refresh requests a new access token. If the server also sends a new refresh token, the new refresh token is stored before it is used.
func (g *Grant) refresh(ctx context.Context) error {
	err := g.ask(ctx, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {g.has.Refresh}})
	var refused *refusal
	if errors.As(err, &refused) && refused.Code == "invalid_grant" {
		g.set(kept{Revoked: true})
		return errors.Join(ErrRevoked, g.save())
	}
	return err
}

// answer is the response of a token server.
type answer struct {
	Access  string      `json:"access_token"`
	Refresh string      `json:"refresh_token"`
	Expires json.Number `json:"expires_in"`
	refusal
}

// A refusal is a token server's error response.
type refusal struct {
	Code string `json:"error"`
	Text string `json:"error_description"`
}

// Error implements error. The text does not contain the server's description of the error, because some servers repeat the request in the
// description.
func (r *refusal) Error() string { return "the token server refuses: " + r.Code }

// ask() sends a form to the token server and stores the tokens of the response.
func (g *Grant) ask(ctx context.Context, form url.Values) error {
	var a answer
	if err := g.post(ctx, g.service.Token, form, &a, &a.refusal); err != nil {
		return err
	}
	if a.Access == "" {
		return errors.New("the token server sent no token")
	}
	life := usualLife
	if n, err := a.Expires.Int64(); err == nil && n > 0 {
		life = min(time.Duration(min(n, int64(mostLife/time.Second)))*time.Second, mostLife)
	}
	now := g.now()
	g.set(kept{Access: a.Access, Refresh: cmp.Or(a.Refresh, g.has.Refresh), Issued: now, Expiry: now.Add(life)})
	if err := g.save(); err != nil && a.Refresh != "" {
		return fmt.Errorf("the new permission cannot be kept: %w", err)
	}
	return nil
}

// post sends a form and decodes the JSON response into the value `into`. `refused` must point to a field of this value. If the response
// contains an error, post returns `refused`.
func (g *Grant) post(ctx context.Context, at string, form url.Values, into any, refused *refusal) error {
	form.Set("client_id", g.service.ClientID)
	if g.service.ClientSecret != "" {
		form.Set("client_secret", g.service.ClientSecret)
	}
	resp, err := g.client.Do(ctx, &fetch.Request{
		Method: http.MethodPost, URL: at, Body: []byte(form.Encode()), MaxBytes: maxAnswer,
		Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"},
	})
	if err != nil {
		return err
	}
	defer resp.Release()
	decoded := json.Unmarshal(resp.Body, into)
	switch {
	case decoded == nil && refused.Code != "":
		return refused
	case resp.Status != http.StatusOK:
		return fmt.Errorf("%s: %w", fetch.Redact(at), &fetch.StatusError{Code: resp.Status, Wait: resp.RetryAfter})
	}
	return decoded
}
