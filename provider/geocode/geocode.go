// Package geocode finds the coordinates of places by their names. It requests each name once from open-meteo.com and stores the result.
package geocode

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strings"
	"sync"
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider"
)

// Geocoder is the address of the service that finds places.
const Geocoder = "https://geocoding-api.open-meteo.com/v1/search"

const (
	lookupTime = 15 * time.Second
	maxAnswer  = 64 << 10 // in bytes; an answer has about 1 kB
	maxKnown   = 100      // maximum number of places in memory
	retryFirst = 30 * time.Second
	retryMost  = time.Hour // maximum pause; long, because a wall without a network, or with a wrong name, should rarely send requests
)

// A Place is a named position.
type Place struct {
	Name                string
	Latitude, Longitude float64 // degrees north and east
}

// A Store stores found places for later starts.
type Store interface {
	Load(kind, key string) ([]byte, bool)
	Save(kind, key string, data []byte) error
}

// kind is the value that the Atlas passes as the argument `kind` to the methods of a Store.
const kind = "place"

// An Atlas finds places by their names. Any goroutine may call its methods.
type Atlas struct {
	client *fetch.Client
	base   string
	store  Store

	mu    sync.Mutex // guards the field `known`
	known map[string]Place
}

// NewAtlas returns an atlas. `client` sends its requests to `base`, which is [Geocoder] except in tests. `store` may be nil.
func NewAtlas(client *fetch.Client, base string, store Store) *Atlas {
	return &Atlas{client: client, base: base, store: store, known: map[string]Place{}}
}

func key(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// Known returns a place that was found earlier. It sends no request.
func (a *Atlas) Known(name string) (Place, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if p, ok := a.known[key(name)]; ok {
		return p, true
	}
	var p Place
	if a.store == nil {
		return p, false
	}
	data, ok := a.store.Load(kind, key(name))
	if !ok || json.Unmarshal(data, &p) != nil || !p.sound() {
		return Place{}, false
	}
	a.rememberLocked(name, p)
	return p, true
}

func (a *Atlas) rememberLocked(name string, p Place) {
	if len(a.known) >= maxKnown {
		clear(a.known)
	}
	a.known[key(name)] = p
}

func (p Place) sound() bool {
	return math.Abs(p.Latitude) <= 90 && math.Abs(p.Longitude) <= 180
}

// A NotFound is the error for a name that the service does not know.
type NotFound struct{ Name string }

// Error implements error.
func (n *NotFound) Error() string {
	return fmt.Sprintf("open-meteo.com knows no place named '%s'; give its latitude and longitude", n.Name)
}

// Find returns the place with a name. If the place is not known yet, it sends a request.
func (a *Atlas) Find(ctx context.Context, name string) (Place, error) {
	if p, ok := a.Known(name); ok {
		return p, nil
	}
	p, err := a.ask(ctx, name)
	if err != nil {
		return Place{}, fmt.Errorf("looking for '%s': %w", name, err)
	}
	a.mu.Lock()
	a.rememberLocked(name, p)
	a.mu.Unlock()
	if a.store == nil {
		return p, nil
	}
	if data, err := json.Marshal(p); err == nil {
		_ = a.store.Save(kind, key(name), data) // if this fails, the name is requested again after the next start
	}
	return p, nil
}

func (a *Atlas) ask(ctx context.Context, name string) (Place, error) {
	resp, err := a.client.Do(ctx, &fetch.Request{
		URL:     a.base + "?" + url.Values{"name": {name}, "count": {"1"}, "language": {"en"}, "format": {"json"}}.Encode(),
		Timeout: lookupTime, MaxBytes: maxAnswer,
	})
	if err != nil {
		return Place{}, err
	}
	if err := resp.Check(); err != nil {
		return Place{}, err
	}
	var found struct {
		Results []struct {
			Name                string
			Latitude, Longitude *float64
		}
	}
	if err := json.Unmarshal(resp.Body, &found); err != nil {
		return Place{}, fmt.Errorf("the answer is no list of places: %w", err)
	}
	if len(found.Results) == 0 {
		return Place{}, &NotFound{name}
	}
	r := found.Results[0]
	if r.Latitude == nil || r.Longitude == nil {
		return Place{}, errors.New("the place in the answer has no coordinates")
	}
	p := Place{r.Name, *r.Latitude, *r.Longitude}
	if !p.sound() {
		return Place{}, errors.New("the place in the answer is not on earth")
	}
	return p, nil
}

// A Finder is a provider that finds a place by its name. It sends requests until the place is found.
type Finder struct {
	atlas *Atlas
	name  string
	found func()
}

// Finder returns a Finder for a name. The Finder calls the function `found` when the place is known. This function must not block.
func (a *Atlas) Finder(name string, found func()) *Finder { return &Finder{a, name, found} }

var _ provider.Provider = (*Finder)(nil)

// Kind is "location".
func (f *Finder) Kind() string { return "location" }

// Run publishes the place when the place is found. The value is a mapping of name, latitude and longitude.
func (f *Finder) Run(ctx context.Context, cell *provider.Cell) error {
	poll := provider.Poll{Once: true, RetryFirst: retryFirst, RetryMost: retryMost}
	return poll.Run(ctx, cell, func(ctx context.Context, _ bool) provider.Result {
		p, err := f.atlas.Find(ctx, f.name)
		if err != nil {
			return provider.Fail(err, false)
		}
		f.found()
		return provider.Result{Value: map[string]any{"name": p.Name, "latitude": p.Latitude, "longitude": p.Longitude}}
	})
}

// A Spot is a place whose coordinates may be unknown. If they are unknown, Name is the name to look up.
type Spot struct {
	Place
	Known bool
	Atlas *Atlas // needed only to look up unknown coordinates
}

// Resolve returns the place with its coordinates.
func (s Spot) Resolve(ctx context.Context) (Place, error) {
	if s.Known {
		return s.Place, nil
	}
	return s.Atlas.Find(ctx, s.Name)
}

// Key returns a text that identifies the spot. Different spots have different keys.
func (s Spot) Key() string {
	return fmt.Sprintf("%q %g %g %v", s.Name, s.Latitude, s.Longitude, s.Known)
}
