// Package geocode finds places by their names. It requests each name once from open-meteo.com, and stores the place.
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

// Geocoder is the address at which names are looked up.
const Geocoder = "https://geocoding-api.open-meteo.com/v1/search"

const (
	lookupTime = 15 * time.Second
	maxAnswer  = 64 << 10 // bytes. An answer has about 1 kB
	maxKnown   = 100      // number of places that are kept in memory
	retryFirst = 30 * time.Second
	retryMost  = time.Hour // so that a wall without a network, or with a wrong name, does not make requests all day
)

// A Place is a named position.
type Place struct {
	Name                string
	Latitude, Longitude float64 // degrees north and east
}

// A Store keeps found places through restarts.
type Store interface {
	Load(kind, key string) ([]byte, bool)
	Save(kind, key string, data []byte) error
}

// kind is the kind of a store's files.
const kind = "place"

// An Atlas finds places by their names. Its methods may be called from any goroutine.
type Atlas struct {
	client *fetch.Client
	base   string
	store  Store

	mu    sync.Mutex // guards known
	known map[string]Place
}

// NewAtlas returns an atlas that sends its requests to base, usually [Geocoder], with client. store may be nil.
func NewAtlas(client *fetch.Client, base string, store Store) *Atlas {
	return &Atlas{client: client, base: base, store: store, known: map[string]Place{}}
}

func key(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// Known returns a place that was found earlier. It makes no request.
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

// A NotFound is the error for a name without a place.
type NotFound struct{ Name string }

// Error implements error.
func (n *NotFound) Error() string {
	return fmt.Sprintf("open-meteo.com knows no place named '%s'; give its latitude and longitude", n.Name)
}

// Find returns the place of a name. If the place is unknown, Find requests it.
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
		_ = a.store.Save(kind, key(name), data) // after an error the name is looked up again after a restart
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

// A Finder is a provider of the place of a name. It makes requests until the place is found.
type Finder struct {
	atlas *Atlas
	name  string
	found func()
}

// Finder returns a Finder for a name. It calls found, which must not block, when the place is known.
func (a *Atlas) Finder(name string, found func()) *Finder { return &Finder{a, name, found} }

var _ provider.Provider = (*Finder)(nil)

// Kind is "location".
func (f *Finder) Kind() string { return "location" }

// Run publishes the place when it is found, as a mapping of name, latitude and longitude.
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

// A Spot is a place that may have to be looked up first. If its coordinates are unknown, it has a name.
type Spot struct {
	Place
	Known bool
	Atlas *Atlas // required if the coordinates are unknown
}

// Resolve returns the place.
func (s Spot) Resolve(ctx context.Context) (Place, error) {
	if s.Known {
		return s.Place, nil
	}
	return s.Atlas.Find(ctx, s.Name)
}

// Key identifies spots.
func (s Spot) Key() string {
	return fmt.Sprintf("%q %g %g %v", s.Name, s.Latitude, s.Longitude, s.Known)
}
