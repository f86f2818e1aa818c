package oauth

import (
	"sync"

	"dashboard/internal/fetch"
)

// Grants contains the permissions of a wall. Its methods may be called from any goroutine.
type Grants struct {
	Requests Requests // permissions that users are giving in browsers
	// Changed receives a value when a permission was withdrawn, or given again afterwards.
	Changed chan struct{}

	dir string

	mu    sync.Mutex
	known map[key]*Grant
	names map[string]*Grant // permissions by provider
}

// A key identifies a permission. A key includes the client of the provider, because clients differ in the hosts that they may request.
type key struct {
	id     string
	client *fetch.Client
}

// NewGrants returns an empty set of permissions. They are stored in a folder, or only in memory if `dir` is "".
func NewGrants(dir string) *Grants {
	return &Grants{dir: dir, known: map[key]*Grant{}, names: map[string]*Grant{}, Changed: make(chan struct{}, 1)}
}

// Open returns the permission of a provider for a service. Providers with equal services and the same client share one permission, even
// after a reload.
func (g *Grants) Open(provider string, s Service, client *fetch.Client) *Grant {
	g.mu.Lock()
	defer g.mu.Unlock()
	k := key{s.ID(), client}
	if g.known[k] == nil {
		g.known[k] = Open(g.dir, s, client)
		g.known[k].changed = func() {
			select {
			case g.Changed <- struct{}{}:
			default: // Changed already contains a value
			}
		}
	}
	g.names[provider] = g.known[k]
	return g.known[k]
}

// Of returns the permission of a provider, or nil if the provider does not need a permission.
func (g *Grants) Of(provider string) *Grant {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.names[provider]
}

// Providers lists the providers that need a permission.
func (g *Grants) Providers() (names []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for name := range g.names {
		names = append(names, name)
	}
	return names
}
