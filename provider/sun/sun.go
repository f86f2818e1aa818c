// Package sun is a provider of the sun's times at a location. Its value is a mapping of sunrise, sunset, day_length, is_day, next and
// next_at.
package sun

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"dashboard/config"
	"dashboard/internal/localtime"
	"dashboard/provider"
	"dashboard/provider/geocode"
	"dashboard/theme/sun"
)

// pollMost is the maximum time for which Run sleeps, so that it notices a changed clock. A check of the clock is cheap. The sun's times
// are only computed again if they may have changed.
const pollMost = 2 * time.Second

// Params are the keys of a sun provider.
type Params struct {
	// Place for the times. Default: the location of conf.yaml.
	Location *config.Location `yaml:"location"`
	// Latitude, with longitude, instead of location.
	Latitude *float64 `yaml:"latitude" min:"-90" max:"90" unit:"degrees north"`
	// Longitude, with latitude, instead of location.
	Longitude *float64 `yaml:"longitude" min:"-180" max:"180" unit:"degrees east"`
	// Time zone of the times, such as Europe/Berlin. Default: the wall's.
	TimeZone string `yaml:"timezone"`
}

// A Provider publishes the sun's times at each sunrise, each sunset and at local midnight. It promises no interval, so its values never
// become stale.
type Provider struct {
	spot     geocode.Spot
	found    bool // whether the coordinates in the field `spot` are known and the schedule uses them
	schedule sun.Schedule
	loc      *time.Location
	now      func() time.Time
}

var _ provider.Provider = (*Provider)(nil)

// Place returns the location that the keys set. `home` is the location of the wall, which is the default; nil if unknown. An error begins
// with the name of the configuration key that causes it.
func (p *Params) Place(home *config.Location) (*config.Location, error) {
	switch {
	case p.Latitude != nil && p.Longitude == nil:
		return nil, errors.New("longitude: is missing beside latitude")
	case p.Latitude == nil && p.Longitude != nil:
		return nil, errors.New("latitude: is missing beside longitude")
	case p.Latitude != nil && p.Location != nil:
		return nil, errors.New("location: is said by latitude and longitude already")
	case p.Latitude != nil:
		return &config.Location{Latitude: *p.Latitude, Longitude: *p.Longitude, Known: true}, nil
	case p.Location != nil:
		return p.Location, nil
	case home == nil:
		return nil, errors.New("location: the sun needs a place: write location here or in conf.yaml")
	}
	return home, nil
}

// New returns a provider for a spot. `zone` is the time zone of the times. If `zone` is "", `home` is used, or time.Local if `home` is
// nil. New returns an error if the time zone is unknown.
func New(zone string, home *time.Location, at geocode.Spot) (*Provider, error) {
	loc := cmp.Or(home, time.Local)
	if zone != "" {
		var err error
		if loc, err = time.LoadLocation(zone); err != nil {
			return nil, fmt.Errorf("timezone: %w", err)
		}
	}
	p := &Provider{spot: at, loc: loc, now: time.Now}
	if at.Known {
		p.watch(at.Place)
	}
	return p, nil
}

// watch sets the location of the schedule.
func (p *Provider) watch(at geocode.Place) {
	p.schedule, p.found = sun.Schedule{Lat: at.Latitude, Lon: at.Longitude}, true
}

// find finds the coordinates of the location if they are not known yet.
func (p *Provider) find(ctx context.Context) error {
	if p.found {
		return nil
	}
	at, err := p.spot.Resolve(ctx)
	if err == nil {
		p.watch(at)
	}
	return err
}

// Kind is "sun".
func (p *Provider) Kind() string { return "sun" }

// Keys returns the keys of the published value.
func (p *Provider) Keys() []string {
	return []string{"sunrise", "sunset", "day_length", "is_day", "next", "next_at"}
}

// Run publishes the times at once and after each change.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	var last map[string]any
	var from, until time.Time // range of times in which the value stays the same
	var poll provider.Poll
	return poll.Run(ctx, cell, func(ctx context.Context, _ bool) provider.Result {
		if err := p.find(ctx); err != nil {
			var not *geocode.NotFound
			return provider.Fail(err, errors.As(err, &not))
		}
		now := p.now().Round(0) // without the monotonic clock, because the clock may be set
		r := provider.Result{Outcome: provider.Nothing}
		if now.Before(from) || !now.Before(until) || cell.Refused() {
			var v map[string]any
			v, until = p.values(now)
			r = provider.Result{Value: v}
			if same(last, v) && !cell.Refused() {
				r.Outcome = provider.Unchanged
			}
			last = v
		}
		from = now // if the clock is set back before now, the value is computed again
		r.Next = max(min(until.Sub(now), pollMost), 1)
		return r
	})
}

// values() returns the value at a time, and the time when the value changes next.
//
//	sunrise, sunset  "05:57", "20:15": of today; "--" on a day without a sunrise or sunset
//	day_length       "14:18": hours and minutes
//	is_day           true while the sun is up
//	next, next_at    "sunset", "20:15"; "none", "--" if there is no sunrise and no sunset in two days
func (p *Provider) values(now time.Time) (map[string]any, time.Time) {
	local := now.In(p.loc)
	midnight := localtime.NextDay(local)
	rise, set := p.schedule.DayWindow(noon(local))
	if !sameDate(rise, local, p.loc) {
		rise, set = time.Time{}, time.Time{}
	}
	v := map[string]any{
		"sunrise": p.clock(rise), "sunset": p.clock(set), "day_length": "--",
		"is_day": p.schedule.Mode(now) == sun.Day, "next": "none", "next_at": "--",
	}
	if !rise.IsZero() && !set.IsZero() {
		v["day_length"] = span(set.Sub(rise))
	}
	next, ok := p.schedule.NextChange(now)
	if !ok {
		return v, midnight
	}
	v["next"], v["next_at"] = "sunset", p.clock(next.At)
	if next.Mode == sun.Day {
		v["next"] = "sunrise"
	}
	if next.At.Before(midnight) {
		return v, next.At
	}
	return v, midnight
}

// noon returns noon on the date of a time.
func noon(local time.Time) time.Time {
	return localtime.At(local.Year(), local.Month(), local.Day(), 12*60, local.Location())
}

func sameDate(t, local time.Time, loc *time.Location) bool {
	return !t.IsZero() && t.In(loc).Format(time.DateOnly) == local.Format(time.DateOnly)
}

func (p *Provider) clock(t time.Time) string {
	if t.IsZero() {
		return "--"
	}
	return t.In(p.loc).Format("15:04")
}

func span(d time.Duration) string {
	m := int(d.Round(time.Minute).Minutes())
	return fmt.Sprintf("%d:%02d", m/60, m%60)
}

// same() reports whether two values are equal. Values contain only texts and booleans.
func same(a, b map[string]any) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range b {
		if a[k] != v {
			return false
		}
	}
	return true
}
