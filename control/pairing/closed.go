package pairing

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// ErrClosed is returned for a request if the registry accepts no requests.
var ErrClosed = errors.New("no device can ask here")

// KeepClosed sets whether the registry was closed in an earlier run. After each change, the registry calls the function `keep`.
func (g *Registry) KeepClosed(closed bool, keep func(closed bool) error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed, g.keepClosed = closed, keep
}

// Closed reports whether the registry refuses new requests.
func (g *Registry) Closed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

// Close refuses new requests, or accepts them again. If it refuses them, it removes and returns the requests that no user has confirmed.
// Paired devices stay. If the setting cannot be stored, nothing changes.
func (g *Registry) Close(closed bool, now time.Time) (removed []Request, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expire(now)
	if err := g.keepClosed(closed); err != nil {
		return nil, fmt.Errorf("the setting cannot be kept: %w", err)
	}
	g.closed = closed
	if !closed {
		return nil, nil
	}
	g.waiting = slices.DeleteFunc(g.waiting, func(r *Request) bool {
		open := !r.confirmed && !r.refused
		if open {
			removed = append(removed, *r)
		}
		return open
	})
	return removed, nil
}
