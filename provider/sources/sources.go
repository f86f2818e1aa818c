// Package sources answers the requests of widgets with cells. It finds the providers of providers.yaml, and makes further ones that
// a request needs.
package sources

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"dashboard/internal/extract"
	"dashboard/internal/fetch"
	"dashboard/internal/pyfmt"
	"dashboard/internal/spelling"
	"dashboard/provider"
	"dashboard/provider/derive"
	"dashboard/provider/live"
	"dashboard/provider/photos"
	"dashboard/provider/query"
)

// A Set holds providers, such as a [provider.Set].
type Set interface {
	// Add makes the set run p and returns the cell of its samples. Equal keys share a cell.
	Add(key string, p provider.Provider) *provider.Cell
	// Place sets the position of a key's definition.
	Place(key string, at provider.Place)
	// Named finds a provider of providers.yaml.
	Named(name string) (*provider.Cell, bool)
	// Provider returns the provider with the given name.
	Provider(name string) (provider.Provider, bool)
	// Names lists the names of the providers, sorted.
	Names() []string
}

// Sources answers the requests of one generation of walls. It belongs to the goroutine that builds them.
type Sources struct {
	// Files is the root of file:// addresses. If nil, it is the working directory.
	Files fs.FS
	// Kept stores the scaled photos of earlier runs. It may be nil.
	Kept *photos.Kept
	// Found fetches pictures from addresses that come from data. If nil, the usual client is used.
	Found *fetch.Client
	// Scopes has the limits of each use of a recipe.
	Scopes map[string]*Scope
	// Now returns the time for programs. If nil, the system clock is used.
	Now func() time.Time
	// Sessions holds connections that providers share. If it is not set, these sources have their own.
	Sessions *provider.Sessions

	set      Set
	client   *fetch.Client
	live     *live.Programs      // nil before the first program
	scoped   map[string]*Sources // sources of recipes that have made requests
	inside   bool                // these sources belong to a recipe
	decoding chan struct{}       // token for decoding a fetched picture: one at a time
}

// New returns sources that add providers to a set and fetch with client.
func New(set Set, client *fetch.Client) *Sources {
	return &Sources{Sessions: &provider.Sessions{}, set: set, client: client, decoding: make(chan struct{}, 1)}
}

// Named returns the provider with the given name. An unknown name is reported at the key "providers".
func (s *Sources) Named(a query.Asker, name string) (*provider.Cell, bool) {
	s = s.of(a)
	if c, ok := s.set.Named(name); ok {
		return c, true
	}
	a.Errorf("providers", "no provider is named '%s'%s", name, s.hint(name))
	return nil, false
}

// hint suggests a provider for an unknown name.
func (s *Sources) hint(name string) string {
	known := s.set.Names()
	if near := spelling.Nearest(name, known); near != "" {
		return fmt.Sprintf("; is '%s' meant?", near)
	} else if len(known) > 0 {
		return "; there are: " + strings.Join(known, ", ")
	}
	return "; there are none in providers.yaml"
}

// Select returns one entry of a mapping that a provider publishes, such as one entity of a home. Its cell changes only with that
// entry. If the mapping does not have the key, the cell has an error.
func (s *Sources) Select(a query.Asker, name, key string) (*provider.Cell, bool) {
	s = s.of(a)
	from, ok := s.Named(a, name)
	if !ok {
		return nil, false
	}
	if cell, own, err := s.part(name, key, provider.Place{At: a.Pos, What: a.Kind}); err != nil {
		a.Errorf("", "%v", err)
		return nil, false
	} else if own {
		return cell, true
	}
	return s.derive(a, "select", key, false, func(_ context.Context, values []any) (any, error) {
		all, ok := values[0].(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s gives no mapping", name)
		}
		v, ok := all[key]
		if !ok {
			return nil, fmt.Errorf("%s has no %s", name, key)
		}
		return v, nil
	}, from), true
}

// add makes the set run p for a widget.
func (s *Sources) add(a query.Asker, key string, p provider.Provider) *provider.Cell {
	s.set.Place(key, provider.Place{At: a.Pos, What: a.Kind})
	return s.set.Add(key, p)
}

// derive returns a cell of a value that f computes from the values in other cells. Definitions of the same kind with the same
// parameters, which must be plain values, share a cell.
func (s *Sources) derive(a query.Asker, kind string, params any, retry bool, f func(context.Context, []any) (any, error), from ...*provider.Cell) *provider.Cell {
	key := fmt.Sprintf("%s %+q", kind, fmt.Sprintf("%+v", params))
	for _, c := range from {
		key += " " + cellKey(c)
	}
	return s.add(a, key, derive.New(derive.Config{From: from, Make: f, Retry: retry}))
}

// cellKey identifies a cell. A cell belongs to one definition of a running source, and derived values keep the cell, so its address
// identifies the definition.
func cellKey(c *provider.Cell) string { return fmt.Sprintf("%p", c) }

// value is a value of a provider: the cell of the provider's samples, and the place of the value in them.
type value struct {
	cell *provider.Cell
	pick *extract.Extractor
}

// value finds the value of q. It reports an error to a and then returns false.
func (s *Sources) value(a query.Asker, q query.Value) (v value, ok bool) {
	if q.Provider != "" {
		v.cell, ok = s.Named(a, q.Provider)
	}
	var sound bool
	if v.pick, sound = extractor(a, q.Pick); sound {
		s.tellPath(a, q.Provider, q.Pick)
	}
	return v, ok && sound
}

// extractor compiles a path and a jq program. An error is reported at its key.
func extractor(a query.Asker, p query.Pick) (*extract.Extractor, bool) {
	if _, err := extract.New(p.Path, ""); err != nil {
		a.Errorf(p.PathKey, "%v", err)
		return nil, false
	}
	x, err := extract.New(p.Path, p.JQ)
	if err != nil {
		a.Errorf(p.JQKey, "%v", err)
		return nil, false
	}
	return x, true
}

// format parses a format string. An error is reported at the key "format_string".
func format(a query.Asker, text string) (*pyfmt.Format, bool) {
	f, err := pyfmt.Parse(text)
	if err != nil {
		a.Errorf("format_string", "%v", err)
	}
	return f, err == nil
}
