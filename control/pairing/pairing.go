// Package pairing gives each screen its own token. A screen sends a request. A person compares six digits, confirms the request,
// and can remove the token later.
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
	// MaxDevices limits the screens with tokens.
	MaxDevices = 64
	// MaxWaiting limits the requests that wait for confirmation.
	MaxWaiting = 8
	// WaitTime is the lifetime of a request, and after confirmation the time to collect the token.
	WaitTime = 2 * time.Minute
	// MaxName limits the name of a screen, in bytes.
	MaxName = 64
	// askEvery and askBurst limit the new requests of all callers together. ownEvery and ownBurst limit the requests of one address.
	// An address that sends requests continuously uses a sixth of the common rate.
	askEvery, askBurst = 5 * time.Second, 8
	ownEvery, ownBurst = 30 * time.Second, 4
	// blockTime is the time for which requests of an address are rejected after three wrong codes or after a refusal.
	blockTime = 10 * time.Minute
	// maxAddresses is the maximum number of addresses whose rate is recorded. The one with the oldest request is removed first.
	maxAddresses = 64
	// tryEvery and tryBurst limit attempts with digits. Trying all million codes takes a year.
	tryEvery, tryBurst = 30 * time.Second, 10
)

// Errors of requests. Their texts are for the caller.
var (
	ErrBusy    = errors.New("too many screens ask to be paired; try again in a while")
	ErrTries   = errors.New("too many wrong digits; try again in a minute")
	ErrBlocked = errors.New("three wrong codes, or a refusal: try again in ten minutes")
	ErrCode    = errors.New("no waiting screen shows these digits")
	ErrUnknown = errors.New("there is no such screen")
	ErrFull    = fmt.Errorf("%d screens are paired; remove one first", MaxDevices)
)

// A Device is a screen that has a token.
type Device struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	View    string    `json:"view,omitempty"` // "" for the main view
	Address string    `json:"address"`        // address of the request
	Paired  time.Time `json:"paired_at"`

	Hash []byte    `json:"hash"`          // SHA-256 of its token
	Key  []byte    `json:"key,omitempty"` // key of a wall, which signs its requests instead of sending a token
	Seen time.Time `json:"-"`             // time of the last request, zero if there was none since the start
}

// A Request is the request of a screen for a token.
type Request struct {
	ID      string
	Name    string
	Address string
	Code    string // six digits, which the screen also shows
	Until   time.Time

	secret    [sha256.Size]byte
	confirmed bool
	refused   bool
	entries   int // number of wrong codes that its device sent
	view      string
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

// A Registry holds devices and requests. Its methods may be called from any goroutine.
type Registry struct {
	keep func(devices []Device) error

	mu      sync.Mutex // guards the fields below
	devices []Device
	waiting []*Request
	asks    *rate.Limiter
	own     []*asker // askers, the latest last
	tries   *rate.Limiter
}

// New returns a registry that stores nothing.
func New() *Registry {
	return &Registry{
		keep:  func([]Device) error { return nil },
		asks:  rate.NewLimiter(rate.Every(askEvery), askBurst),
		tries: rate.NewLimiter(rate.Every(tryEvery), tryBurst),
	}
}

// Keep adds devices that were paired before. It calls keep with all devices after each change.
func (g *Registry) Keep(devices []Device, keep func([]Device) error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	devices = slices.DeleteFunc(slices.Clone(devices), func(d Device) bool { return d.ID == "" || len(d.Hash) != sha256.Size })
	g.devices, g.keep = devices[:min(len(devices), MaxDevices)], keep
}

// random returns a text with n random bytes.
func random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// Ask starts a request of a screen at an address. It replaces an earlier request from that address. The secret is only for the
// screen, which uses it to collect the token.
func (g *Registry) Ask(name, address string, now time.Time) (r Request, secret string, err error) {
	return g.AskWithKey(name, address, nil, now)
}

// AskWithKey is like Ask for a wall with its own key, which is valid after the request succeeds. The registry keeps the key.
func (g *Registry) AskWithKey(name, address string, key []byte, now time.Time) (r Request, secret string, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expire(now)
	earlier := func(r *Request) bool { return r.Address == address && !r.confirmed }
	if len(g.waiting) >= MaxWaiting && !slices.ContainsFunc(g.waiting, earlier) {
		return Request{}, "", ErrBusy
	}
	if err := g.allow(address, now); err != nil {
		return Request{}, "", err
	}
	g.waiting = slices.DeleteFunc(g.waiting, earlier)
	secret = random(24)
	one := &Request{
		ID: newID(), Name: clean(name, address), Address: address, Code: g.code(), Until: now.Add(WaitTime),
		secret: sha256.Sum256([]byte(secret)), key: key,
	}
	g.waiting = append(g.waiting, one)
	return *one, secret, nil
}

func newID() string {
	var b [6]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// code returns six digits that no other request has.
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

// clean returns the printable part of a name, or otherwise if it is empty.
func clean(name, otherwise string) string {
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, name[:min(len(name), MaxName)])
	return cmp.Or(strings.TrimSpace(name), otherwise)
}

// expire removes expired requests.
func (g *Registry) expire(now time.Time) {
	g.waiting = slices.DeleteFunc(g.waiting, func(r *Request) bool { return !now.Before(r.Until) })
}

// Collect returns the state of a screen's request. It returns Paired once, with the token and the view.
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
	d := Device{ID: r.ID, Name: r.Name, View: r.view, Address: r.Address, Paired: now, Hash: hash[:], Seen: now}
	next := append(slices.Clone(g.devices), d)
	if err := g.keep(next); err != nil {
		return Waiting, "", "", fmt.Errorf("the screen cannot be kept: %w", err)
	}
	g.devices, g.waiting = next, slices.Delete(g.waiting, i, i+1)
	return Paired, token, r.view, nil
}

// Confirm allows the screen that shows six digits to get a token for a view. Spaces and hyphens between digits are ignored.
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

// Waiting returns the undecided requests.
func (g *Registry) Waiting(now time.Time) []Request {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expire(now)
	var all []Request
	for _, r := range g.waiting {
		if !r.confirmed && !r.refused {
			all = append(all, *r)
		}
	}
	return all
}

// Devices returns the screens with tokens, in the order of pairing.
func (g *Registry) Devices() []Device {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.devices)
}

// Remove removes the token of a screen, or refuses its request. It reports whether the screen had a token.
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

// Show sets the view of a screen.
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

// Known returns the screen with a token. It compares all tokens in constant time.
func (g *Registry) Known(token string, now time.Time) (Device, bool) {
	sum := sha256.Sum256([]byte(token))
	g.mu.Lock()
	defer g.mu.Unlock()
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
