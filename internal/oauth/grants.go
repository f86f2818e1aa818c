package oauth

import (
	"sync"

	"dashboard/internal/fetch"
)

// Grants are the permissions of a wall. Its methods may be called from any goroutine.
type Grants struct {
	dir string

	mu    sync.Mutex
	known map[key]*Grant
	names map[string]*Grant // by the provider
}

// A key distinguishes permissions. Clients differ in the hosts that they may ask.
type key struct {
	id     string
	client *fetch.Client
}

// NewGrants returns permissions that are kept in a folder, or nowhere if it is "".
func NewGrants(dir string) *Grants {
	return &Grants{dir: dir, known: map[key]*Grant{}, names: map[string]*Grant{}}
}

// Open returns the permission for a service, for a provider. Equal services share one over reloads.
func (g *Grants) Open(provider string, s Service, client *fetch.Client) *Grant {
	g.mu.Lock()
	defer g.mu.Unlock()
	k := key{s.ID(), client}
	if g.known[k] == nil {
		g.known[k] = Open(g.dir, s, client)
	}
	g.names[provider] = g.known[k]
	return g.known[k]
}

// Of returns the permission of a provider, nil if it needs none.
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
