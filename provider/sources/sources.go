// Package sources answers the requests of widgets with cells. It finds the providers of providers.yaml and makes other providers that a
// request needs.
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

// A Set is a set of providers. [provider.Set] implements it.
type Set interface {
	// Add adds a provider and returns the cell of its samples. Providers with equal keys share a cell.
	Add(key string, p provider.Provider) *provider.Cell
	// Drop ends one use of a cell that Add has returned.
	Drop(c *provider.Cell)
	// Place sets the position of the definition with a key.
	Place(key string, at provider.Place)
	// Named returns the cell of the provider with a name.
	Named(name string) (*provider.Cell, bool)
	// Provider returns the provider with the given name.
	Provider(name string) (provider.Provider, bool)
	// Names lists the names of the providers, sorted.
	Names() []string
}

// Sources answers the requests of one generation of walls. Only the goroutine that builds the walls may use it.
type Sources struct {
	// Files is the root of file:// addresses. If Files is nil, the root is the working directory.
	Files fs.FS
	// Kept stores scaled photos on disk. It may be nil.
	Kept *photos.Kept
	// Found is the client for addresses of pictures that come from data. If Found is nil, the usual client is used.
	Found *fetch.Client
	// Scopes has the Scope of each use of a recipe. The key is the ID of the use.
	Scopes map[string]*Scope
	// Now returns the time for programs. If Now is nil, programs use the system clock.
	Now func() time.Time
	// Sessions holds the connections that providers share. New creates separate Sessions, which the caller may replace.
	Sessions *provider.Sessions

	set      Set
	client   *fetch.Client
	live     *live.Programs      // nil before the first program is added
	scoped   map[string]*Sources // sources of each use of a recipe, by the ID of the use; created at the first request of the use
	inside   bool                // whether these sources belong to a recipe
	decoding chan struct{}       // capacity 1; a goroutine that decodes a picture holds a token in it
}

// New returns sources. They add their providers to the given set and send their requests with the given client.
func New(set Set, client *fetch.Client) *Sources {
	return &Sources{Sessions: &provider.Sessions{}, set: set, client: client, decoding: make(chan struct{}, 1)}
}

// Named returns the cell of the provider with the given name. It reports an unknown name at the key "providers".
func (s *Sources) Named(a query.Asker, name string) (*provider.Cell, bool) {
	s = s.of(a)
	if c, ok := s.set.Named(name); ok {
		return c, true
	}
	a.Errorf("providers", "no provider is named '%s'%s", name, s.hint(name))
	return nil, false
}

// hint returns a suggestion for an unknown name of a provider.
func (s *Sources) hint(name string) string {
	known := s.set.Names()
	if near := spelling.Nearest(name, known); near != "" {
		return fmt.Sprintf("; is '%s' meant?", near)
	} else if len(known) > 0 {
		return "; there are: " + strings.Join(known, ", ")
	}
	return "; there are none in providers.yaml"
}

// Select returns a cell with one entry of a provider's mapping, such as one entity of Home Assistant. The cell changes only with that
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

// Drop ends one use of a picture, of photos or of an album. Drop stops the provider if no widget uses the cell any longer.
func (s *Sources) Drop(c *provider.Cell) { s.set.Drop(c) }

// add adds a provider that a widget needs and that is not in providers.yaml.
func (s *Sources) add(a query.Asker, key string, p provider.Provider) *provider.Cell {
	s.set.Place(key, provider.Place{At: a.Pos, What: a.Kind})
	return s.set.Add(key, p)
}

// derive returns a cell with a value that f computes from the values of other cells. `kind` and `params` identify the function. `params`
// must be plain values. Equal definitions share a cell.
func (s *Sources) derive(a query.Asker, kind string, params any, retry bool, f func(context.Context, []any) (any, error), from ...*provider.Cell) *provider.Cell {
	key := fmt.Sprintf("%s %+q", kind, fmt.Sprintf("%+v", params))
	for _, c := range from {
		key += " " + cellKey(c)
	}
	return s.add(a, key, derive.New(derive.Config{From: from, Make: f, Retry: retry}))
}

// cellKey returns a text that identifies a cell: its address in memory. The cell exists as long as its source, so the text also
// identifies the definition of the source.
func cellKey(c *provider.Cell) string { return fmt.Sprintf("%p", c) }

// A value is a part of a provider's value: the cell of the provider, and the position of the part.
type value struct {
	cell *provider.Cell
	pick *extract.Extractor
}

// value finds the value that q names. If there is an error, it reports the error and returns false.
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

// extractor compiles a path and a jq program. It reports an error at the key that contains them.
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

// format parses a format. It reports an error at the key "format_string".
func format(a query.Asker, text string) (*pyfmt.Format, bool) {
	f, err := pyfmt.Parse(text)
	if err != nil {
		a.Errorf("format_string", "%v", err)
	}
	return f, err == nil
}
