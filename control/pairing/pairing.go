// Package pairing gives each remote screen its own token. A screen sends a request and shows six digits. A user compares them with the
// digits of the request and confirms the request. The user can remove the token later.
package pairing

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/time/rate"
)

const (
	// MaxDevices is the maximum number of paired screens and walls.
	MaxDevices = 64
	// MaxWaiting is the maximum number of requests that wait for a confirmation.
	MaxWaiting = 8
	// WaitTime is the lifetime of a request. After the confirmation, it is the time in which the screen must collect its token.
	WaitTime = 2 * time.Minute
	// MaxName is the maximum length of a screen's name, in bytes.
	MaxName = 64
	// askEvery and askBurst limit the requests of all callers together. ownEvery and ownBurst limit the requests of one address. An
	// address that sends requests all the time uses a sixth of the common limit.
	askEvery, askBurst = 5 * time.Second, 8
	ownEvery, ownBurst = 30 * time.Second, 4
	// blockTime is the time for which an address is blocked after three wrong codes, or after a user has refused its request.
	blockTime = 10 * time.Minute
	// maxAddresses is the maximum number of addresses with a stored rate. If there are more, the address with the oldest request is
	// removed. A blocked address is removed only if all addresses are blocked.
	maxAddresses = 64
	// tryEvery and tryBurst limit the attempts to enter a code. With these limits, trying all million codes takes a year.
	tryEvery, tryBurst = 30 * time.Second, 10
)

// Errors of requests. Their texts are shown to the caller.
var (
	ErrBusy    = errors.New("too many screens ask to be paired; try again in a while")
	ErrTries   = errors.New("too many wrong digits; try again in a minute")
	ErrBlocked = errors.New("three wrong codes, or a refusal: try again in ten minutes")
	ErrCode    = errors.New("no waiting screen shows these digits")
	ErrUnknown = errors.New("there is no such screen")
	ErrFull    = fmt.Errorf("%d screens are paired; remove one first", MaxDevices)
)

// A Device is a remote screen or a wall that is paired.
type Device struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	View    string    `json:"view,omitempty"`    // view that it shows; "" for the main view
	Address string    `json:"address"`           // address from which its request came
	Browser string    `json:"browser,omitempty"` // browser and system that sent its request, if they are known
	Paired  time.Time `json:"paired_at"`

	Hash []byte    `json:"hash"`             // SHA-256 hash of its token
	Key  []byte    `json:"key,omitempty"`    // key of a wall. A wall signs its requests with the key and sends no token
	Ends time.Time `json:"ends_at,omitzero"` // end of a guest's permission; zero if the permission has no end
	Seen time.Time `json:"-"`                // time of its last request; zero if there was none since the start
}

// A Request is a screen's request for a token.
type Request struct {
	ID      string
	Name    string
	Address string
	Browser string // browser and system that sent the request, if they are known
	Code    string // six digits that the screen shows
	Until   time.Time

	secret    [sha256.Size]byte
	confirmed bool
	refused   bool
	entries   int // number of wrong codes that the device has sent
	view      string
	ends      time.Time
	key       []byte
}

// A State is the state of a request.
type State string

// States of a request.
const (
	Waiting State = "waiting"
	Paired  State = "paired"
	Refused State = "refused"
	Expired State = "expired" // the request has ended or never existed
)

// A Registry holds the paired devices and the waiting requests. Any goroutine may call its methods.
type Registry struct {
	keep       func(devices []Device) error
	keepClosed func(closed bool) error

	mu      sync.Mutex // guards the fields below
	devices []Device
	waiting []*Request
	revoked []revoked // devices that Restore can give back their permission
	closed  bool      // true if the registry refuses new requests
	asks    *rate.Limiter
	own     []*asker // the asker with the latest request is last
	tries   *rate.Limiter
}

// New returns an empty registry that does not store its devices.
func New() *Registry {
	return &Registry{
		keep:       func([]Device) error { return nil },
		keepClosed: func(bool) error { return nil },
		asks:       rate.NewLimiter(rate.Every(askEvery), askBurst),
		tries:      rate.NewLimiter(rate.Every(tryEvery), tryBurst),
	}
}

// Keep sets the devices that an earlier run has stored. It drops invalid devices. After each change, the registry calls the function `keep`
// with all devices.
func (g *Registry) Keep(devices []Device, keep func([]Device) error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	devices = slices.DeleteFunc(slices.Clone(devices), func(d Device) bool { return d.ID == "" || len(d.Hash) != sha256.Size })
	g.devices, g.keep = devices[:min(len(devices), MaxDevices)], keep
}

// random() returns n random bytes as text.
func random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // Read never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// Ask starts a request of a screen. It removes an earlier unconfirmed request from the same address. Only the screen gets the secret. The
// screen uses the secret to collect its token later.
func (g *Registry) Ask(name, address string, now time.Time) (r Request, secret string, err error) {
	return g.ask(Request{Name: name, Address: address}, now)
}

// AskFrom is like Ask for a page in a browser. `browser` describes the browser and its system.
func (g *Registry) AskFrom(name, address, browser string, now time.Time) (r Request, secret string, err error) {
	return g.ask(Request{Name: name, Address: address, Browser: browser}, now)
}

// AskWithKey is like Ask for a wall that brings its own key. The key becomes valid when the request succeeds. The registry keeps a
// reference to `key`.
func (g *Registry) AskWithKey(name, address string, key []byte, now time.Time) (r Request, secret string, err error) {
	return g.ask(Request{Name: name, Address: address, key: key}, now)
}

// ask starts the request r, which has no ID, no code and no secret yet.
func (g *Registry) ask(r Request, now time.Time) (_ Request, secret string, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expire(now)
	if g.closed {
		return Request{}, "", ErrClosed
	}
	earlier := func(old *Request) bool { return old.Address == r.Address && !old.confirmed }
	if len(g.waiting) >= MaxWaiting && !slices.ContainsFunc(g.waiting, earlier) {
		return Request{}, "", ErrBusy
	}
	if err := g.allow(r.Address, now); err != nil {
		return Request{}, "", err
	}
	g.waiting = slices.DeleteFunc(g.waiting, earlier)
	secret = random(24)
	r.ID, r.Code, r.Until, r.secret = newID(), g.code(), now.Add(WaitTime), sha256.Sum256([]byte(secret))
	r.Name, r.Browser = clean(r.Name, r.Address), clean(r.Browser, "")
	g.waiting = append(g.waiting, &r)
	return r, secret, nil
}

func newID() string {
	var b [6]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// code returns six random digits that no other request has.
func (g *Registry) code() string {
	for {
		n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
		if err != nil {
			continue
		}
		code := fmt.Sprintf("%06d", n)
		if !slices.ContainsFunc(g.waiting, func(r *Request) bool { return r.Code == code }) {
			return code
		}
	}
}

// clean returns the printable characters of a name. If the name has no such characters, clean returns the caller's fallback name.
func clean(name, otherwise string) string {
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, name[:min(len(name), MaxName)])
	return cmp.Or(strings.TrimSpace(name), otherwise)
}

// expire removes requests that have expired, and guests whose permission has ended.
func (g *Registry) expire(now time.Time) {
	ended := func(d Device) bool { return d.ended(now) }
	if slices.ContainsFunc(g.devices, ended) {
		g.devices = slices.DeleteFunc(slices.Clone(g.devices), ended)
		_ = g.keep(g.devices) // if this fails, the file still has the end of each guest
	}
	g.waiting = slices.DeleteFunc(g.waiting, func(r *Request) bool { return !now.Before(r.Until) })
	g.revoked = slices.DeleteFunc(g.revoked, func(d revoked) bool { return !now.Before(d.until) || d.ended(now) })
}

// Collect returns the state of a screen's request. After the confirmation, it returns Paired with the token and the view, but only once.
func (g *Registry) Collect(secret string, now time.Time) (state State, token, view string, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expire(now)
	sum := sha256.Sum256([]byte(secret))
	i := slices.IndexFunc(g.waiting, func(r *Request) bool { return subtle.ConstantTimeCompare(r.secret[:], sum[:]) == 1 })
	switch {
	case i < 0:
		return Expired, "", "", nil
	case g.waiting[i].refused:
		g.waiting = slices.Delete(g.waiting, i, i+1)
		return Refused, "", "", nil
	case !g.waiting[i].confirmed:
		return Waiting, "", "", nil
	case len(g.devices) >= MaxDevices:
		return Waiting, "", "", ErrFull
	}
	r := g.waiting[i]
	token = random(32)
	hash := sha256.Sum256([]byte(token))
	d := Device{
		ID: r.ID, Name: r.Name, View: r.view, Address: r.Address, Browser: r.Browser, Ends: r.ends,
		Paired: now, Hash: hash[:], Seen: now,
	}
	next := append(slices.Clone(g.devices), d)
	if err := g.keep(next); err != nil {
		return Waiting, "", "", fmt.Errorf("the screen cannot be kept: %w", err)
	}
	g.devices, g.waiting = next, slices.Delete(g.waiting, i, i+1)
	return Paired, token, r.view, nil
}

// Confirm allows a screen to get a token for a view. `code` contains the six digits that the screen shows. Spaces and hyphens in the code
// are ignored.
func (g *Registry) Confirm(code, view string, now time.Time) (Request, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expire(now)
	code = strings.NewReplacer(" ", "", "-", "").Replace(code)
	if g.tries.TokensAt(now) < 1 {
		return Request{}, ErrTries
	}
	if len(g.devices) >= MaxDevices {
		return Request{}, ErrFull
	}
	for _, r := range g.waiting {
		if subtle.ConstantTimeCompare([]byte(r.Code), []byte(code)) == 1 && !r.confirmed && !r.refused {
			r.confirmed, r.view, r.Until = true, view, now.Add(WaitTime)
			return *r, nil
		}
	}
	g.tries.AllowN(now, 1)
	return Request{}, ErrCode
}

// Waiting returns the requests that wait for a user's decision.
func (g *Registry) Waiting(now time.Time) []Request {
	return slices.DeleteFunc(g.Asking(now), Request.Confirmed)
}

// Devices returns the paired devices in the order of pairing.
func (g *Registry) Devices() []Device {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.devices)
}

// Remove removes the token of a device or refuses its request. `had` is true if the device had a token.
func (g *Registry) Remove(id string, now time.Time) (had bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expire(now)
	for _, r := range g.waiting {
		if r.ID == id {
			r.refused, r.confirmed = true, false
			g.block(r.Address, now)
			return false, nil
		}
	}
	i := slices.IndexFunc(g.devices, func(d Device) bool { return d.ID == id })
	if i < 0 {
		return false, ErrUnknown
	}
	g.devices = slices.Delete(slices.Clone(g.devices), i, i+1)
	if err := g.keep(g.devices); err != nil {
		return true, fmt.Errorf("the screen is removed until the next start only: %w", err)
	}
	return true, nil
}

// Show sets the view that a screen shows.
func (g *Registry) Show(id, view string) (Device, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.IndexFunc(g.devices, func(d Device) bool { return d.ID == id })
	if i < 0 {
		return Device{}, ErrUnknown
	}
	next := slices.Clone(g.devices)
	next[i].View = view
	if err := g.keep(next); err != nil {
		return Device{}, fmt.Errorf("the screen cannot be kept: %w", err)
	}
	g.devices = next
	return next[i], nil
}

// Known returns the device that has the token. It takes the same time for every token.
func (g *Registry) Known(token string, now time.Time) (Device, bool) {
	sum := sha256.Sum256([]byte(token))
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expire(now)
	found := -1
	for i := range g.devices {
		if subtle.ConstantTimeCompare(g.devices[i].Hash, sum[:]) == 1 {
			found = i
		}
	}
	if found < 0 {
		return Device{}, false
	}
	g.devices[found].Seen = now
	return g.devices[found], true
}
