// Package gtfs is a provider of departures from a timetable (GTFS) and its updates (GTFS Realtime). Its value is {stops, departures,
// alerts, live}. Each departure is {line, color, text_color, kind, destination, stop, platform, at, expected, delay, live, cancelled}.
// Times are in Unix seconds, and the delay is in minutes. The formats are described at gtfs.org.
package gtfs

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/ask"
)

// Params are the keys of a provider of type gtfs.
type Params struct {
	// Address of the feed, a zip file. file://PATH reads a local file.
	URL string `yaml:"url" required:"true"`

	URLSecret bool `secret:"url"` // whether the address came from a secret
	// Stops by name or stop_id. A station includes its platforms.
	Stops []string `yaml:"stops" required:"true" minlen:"1" maxlen:"20"`
	// Addresses of GTFS Realtime feeds.
	Realtime       []string `yaml:"realtime" maxlen:"4"`
	RealtimeSecret bool     `secret:"realtime"`
	// Time between requests for the realtime feeds.
	RealtimeInterval value.Duration `yaml:"realtime_interval" default:"30s" min:"10"`
	// Maximum number of departures.
	Limit int `yaml:"limit" default:"30" min:"1" max:"100"`
	// How far ahead departures are listed.
	Within value.Duration `yaml:"within" default:"3h" min:"60" max:"86400"`
	// Time between two checks for a new feed.
	UpdateInterval value.Duration `yaml:"update_interval" default:"12h" min:"600"`
	ask.Keys
}

const (
	// boardInterval is the time between two updates of the departures.
	boardInterval = time.Minute
	// feedRetry is the pause after a failed check for a new feed, while an old feed is still in use.
	feedRetry = 10 * time.Minute
	// feedTime is the maximum time for reading a feed. A single-board computer from 2012 needs a few minutes for 300 MB.
	feedTime = time.Hour
)

// A Provider lists the departures of some stops.
type Provider struct {
	params   Params
	deps     ask.Deps
	request  fetch.Request
	realtime []fetch.Request
	plan     ask.Schedule // schedule of the checks for a new feed
	now      func() time.Time

	index  *Index
	known  map[string]bool // IDs of the trips in the field `index`
	looked time.Time       // time of the next check for a new feed
	failed error           // error of the latest check, or nil
}

var _ provider.StableKeeper = (*Provider)(nil)

// New returns a provider and a key that identifies its definition. An error begins with the name of the configuration key that causes it.
func New(p *Params, d ask.Deps) (key string, v *Provider, err error) {
	v = &Provider{params: *p, deps: d, now: time.Now}
	if v.request, err = p.Request(d, p.URL); err != nil {
		return "", nil, err
	}
	v.request.Secret = p.URLSecret
	for _, u := range p.Realtime {
		r, err := p.Request(d, u)
		if err != nil {
			return "", nil, fmt.Errorf("realtime: %w", err)
		}
		r.Secret, r.MaxBytes = p.RealtimeSecret, maxRealtime
		v.realtime = append(v.realtime, r)
	}
	if v.plan, err = p.Schedule(d, p.UpdateInterval); err != nil {
		return "", nil, err
	}
	of := []any{p, v.request, v.realtime}
	if ask.IsFile(p.URL) {
		of = append(of, d.Files)
	}
	return ask.Key("gtfs", of), v, nil
}

// Kind is "gtfs".
func (p *Provider) Kind() string { return "gtfs" }

// Run publishes mappings as described in the package comment.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	p.looked = time.Time{}
	every := boardInterval
	if len(p.realtime) > 0 {
		every = min(every, time.Duration(p.params.RealtimeInterval))
	}
	poll := provider.Poll{
		Interval: every, Promise: true, WhenSeen: p.params.Visible, RetryMost: feedRetry,
	}
	return poll.Run(ctx, cell, func(ctx context.Context, _ bool) provider.Result { return p.try(ctx, cell) })
}

// try() checks for a new feed and publishes the departures.
func (p *Provider) try(ctx context.Context, cell *provider.Cell) provider.Result {
	p.look(ctx)
	if p.index == nil {
		return provider.Fail(p.failed, errors.Is(p.failed, errFeed))
	}
	live, err := p.updates(ctx)
	if err == nil {
		err = p.failed
	}
	cell.PublishPart(p.index.value(p.now(), &p.params, live), p.now(), err)
	return provider.Result{Handled: true}
}

// look checks for a new feed if a check is due, and reads the new feed.
func (p *Provider) look(ctx context.Context) {
	if p.index != nil && p.now().Before(p.looked) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, feedTime)
	defer cancel()
	x, err := p.fetch(ctx)
	p.failed, p.looked = err, p.next()
	if retry := p.now().Add(feedRetry); err != nil && retry.Before(p.looked) {
		p.looked = retry
	}
	if x != nil {
		p.take(x)
	}
}

// next() returns the time of the next check for a new feed.
func (p *Provider) next() time.Time {
	at := p.now().Add(p.plan.Interval)
	if len(p.plan.Times) > 0 {
		at = p.plan.After(p.now())
	}
	if p.plan.Jitter > 0 {
		at = at.Add(rand.N(p.plan.Jitter))
	}
	return at
}

// take starts using an index.
func (p *Provider) take(x *Index) {
	p.index, p.known = x, make(map[string]bool, len(x.Trips))
	for i := range x.Trips {
		p.known[x.Trips[i].ID] = true
	}
	delete(p.known, "")
}

// fetch returns the index of a new feed, or nil if the feed has not changed.
func (p *Provider) fetch(ctx context.Context) (*Index, error) {
	version := ""
	if p.index != nil {
		version = p.index.Feed
	}
	a, same, err := p.open(ctx, version)
	if err != nil || same {
		return nil, err
	}
	defer a.close()
	end := &bounded{a, maxDirectory}
	z, err := zip.NewReader(end, a.size)
	if err != nil {
		return nil, p.failure(fmt.Errorf("%w: %w", errFeed, err))
	}
	end.left = math.MaxInt64
	x, err := distill(ctx, z, p.params.Stops, len(p.realtime) > 0)
	if err != nil {
		return nil, p.failure(err)
	}
	x.Feed = a.version
	return x, nil
}

// failure() adds the address of the feed to an error, unless the error is about the key "stops".
func (p *Provider) failure(err error) error {
	if strings.HasPrefix(err.Error(), "stops: ") {
		return err
	}
	return fmt.Errorf("%s: %w", p.request.Shown(), err)
}

// updates() reads the realtime feeds. It returns nil if no feed is configured. If one feed fails, the updates of the other feeds are still
// used.
func (p *Provider) updates(ctx context.Context) (*Live, error) {
	if len(p.realtime) == 0 {
		return nil, nil
	}
	l := &Live{trips: map[tripKey]*update{}}
	var failed error
	for i := range p.realtime {
		r := &p.realtime[i]
		resp, err := ask.Do(ctx, p.deps.Client, p.deps.Files, r)
		if err == nil {
			if err = resp.Check(); err == nil {
				err = l.read(resp.Body, p.known)
			}
			resp.Release()
			if err != nil {
				err = r.Failure(err)
			}
		}
		if failed == nil {
			failed = err
		}
	}
	return l, failed
}

// Kept implements provider.Keeper. It stores the index.
func (p *Provider) Kept(any) ([]byte, error) {
	if p.index == nil {
		return nil, errors.New("there is no feed")
	}
	return json.Marshal(kept{p.params.Stops, len(p.realtime) > 0, p.index})
}

// KeptID implements provider.StableKeeper.
func (p *Provider) KeptID() string {
	if p.index == nil {
		return ""
	}
	return p.index.Feed
}

// The type kept is the form in which an index is stored. It also has the stops for which the index was made.
type kept struct {
	Stops []string
	IDs   bool
	Index *Index
}

// Restore implements provider.Keeper.
func (p *Provider) Restore(data []byte, at time.Time) (any, error) {
	k := kept{Index: new(Index)}
	if err := json.Unmarshal(data, &k); err != nil {
		return nil, fmt.Errorf("%w: %w", errIndex, err)
	}
	if k.Index == nil || !slices.Equal(k.Stops, p.params.Stops) || k.IDs != (len(p.realtime) > 0) {
		return nil, errIndex
	}
	if err := k.Index.check(); err != nil {
		return nil, err
	}
	p.take(k.Index)
	return k.Index.value(p.now(), &p.params, nil), nil
}
