package pairing

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// maxEntries is the number of wrong codes after which a request ends.
const maxEntries = 3

var (
	// ErrGone is returned for a request that has ended or never existed.
	ErrGone = errors.New("there is no such request any more: ask for a new code")
	// ErrWrong is returned for a wrong code.
	ErrWrong = errors.New("this is not the code on the wall")
)

// Enter returns a token for the device that has sent the secret of its request and the code that the wall shows. If the code is wrong, it
// returns ErrWrong and the number of remaining attempts. The last wrong code ends the request and blocks the device's address.
func (g *Registry) Enter(secret, code string, now time.Time) (d Device, token string, left int, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expire(now)
	sum := sha256.Sum256([]byte(secret))
	i := slices.IndexFunc(g.waiting, func(r *Request) bool { return subtle.ConstantTimeCompare(r.secret[:], sum[:]) == 1 })
	switch {
	case i < 0 || g.waiting[i].refused:
		return Device{}, "", 0, ErrGone
	case len(g.devices) >= MaxDevices:
		return Device{}, "", 0, ErrFull
	case g.tries.TokensAt(now) < 1:
		return Device{}, "", 0, ErrTries
	}
	r := g.waiting[i]
	code = strings.NewReplacer(" ", "", "-", "").Replace(code)
	if subtle.ConstantTimeCompare([]byte(r.Code), []byte(code)) != 1 {
		g.tries.AllowN(now, 1)
		if r.entries++; r.entries >= maxEntries {
			g.waiting = slices.Delete(g.waiting, i, i+1)
			g.block(r.Address, now)
		}
		return Device{}, "", maxEntries - r.entries, ErrWrong
	}
	token = random(32)
	hash := sha256.Sum256([]byte(token))
	d = Device{ID: r.ID, Name: r.Name, Address: r.Address, Paired: now, Hash: hash[:], Key: r.key, Seen: now}
	next := append(slices.Clone(g.devices), d)
	if err := g.keep(next); err != nil {
		return Device{}, "", 0, fmt.Errorf("the device cannot be kept: %w", err)
	}
	g.devices, g.waiting = next, slices.Delete(g.waiting, i, i+1)
	return d, token, 0, nil
}

// Asking returns the requests that have not ended: those that wait for a decision, and the confirmed requests whose token has not been
// collected.
func (g *Registry) Asking(now time.Time) []Request {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expire(now)
	var all []Request
	for _, r := range g.waiting {
		if !r.refused {
			all = append(all, *r)
		}
	}
	return all
}

// Confirmed reports whether a user has confirmed the request.
func (r Request) Confirmed() bool { return r.confirmed }

// Allow confirms a request by its ID, without its code. If the request is confirmed already, Allow changes nothing. Each confirmed request
// reserves a place in the list of devices.
func (g *Registry) Allow(id string, now time.Time) (Request, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expire(now)
	places := MaxDevices - len(g.devices)
	var found *Request
	for _, r := range g.waiting {
		if r.confirmed {
			places--
		}
		if r.ID == id && !r.refused {
			found = r
		}
	}
	switch {
	case found == nil:
		return Request{}, ErrUnknown
	case found.confirmed:
		return *found, nil
	case places < 1:
		return Request{}, ErrFull
	}
	found.confirmed, found.Until = true, now.Add(WaitTime)
	return *found, nil
}

// Refuse refuses a request by its ID, also after its confirmation. For a while, its address cannot send another request. If the request
// has ended or its token was collected, Refuse returns ErrUnknown.
func (g *Registry) Refuse(id string, now time.Time) (Request, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expire(now)
	for _, r := range g.waiting {
		if r.ID == id && !r.refused {
			r.refused, r.confirmed = true, false
			g.block(r.Address, now)
			return *r, nil
		}
	}
	return Request{}, ErrUnknown
}
