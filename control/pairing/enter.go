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
	d = Device{
		ID: r.ID, Name: r.Name, Address: r.Address, Browser: r.Browser, Ends: r.ends,
		Paired: now, Hash: hash[:], Key: r.key, Seen: now,
	}
	next := append(slices.Clone(g.devices), d)
	if err := g.keep(next); err != nil {
		return Device{}, "", 0, fmt.Errorf("the device cannot be kept: %w", err)
	}
	g.devices, g.waiting = next, slices.Delete(g.waiting, i, i+1)
	return d, token, 0, nil
}
