// Package sun is a provider of what the sun does at a place: a mapping of sunrise, sunset, day_length, is_day, next, next_at.
package sun

import (
	"context"
	"fmt"
	"time"

	"dashboard/internal/localtime"
	"dashboard/provider"
	"dashboard/theme/sun"
)

// pollMost bounds every sleep: a clock that is set while one lasts is noticed after that time at the latest. Looking at the clock
// costs next to nothing; the sun is only worked out when it may do something else.
const pollMost = 2 * time.Second

// Params are the keys of a sun provider.
type Params struct {
	Latitude  float64 `yaml:"latitude" required:"true" min:"-90" max:"90" unit:"degrees north" doc:"Where the sun is watched."`
	Longitude float64 `yaml:"longitude" required:"true" min:"-180" max:"180" unit:"degrees east" doc:"Where the sun is watched."`
	TimeZone  string  `yaml:"timezone" doc:"Name of the zone times are given in, such as Europe/Berlin; not given, this machine's."`
}

// A Provider publishes the sun's times as of each sunrise, sunset and local midnight. It promises nothing about
// how often, so its values never become stale.
type Provider struct {
	schedule sun.Schedule
	loc      *time.Location
	now      func() time.Time
}

var _ provider.Provider = (*Provider)(nil)

// New returns a provider; the error is about the time zone.
func New(p Params) (*Provider, error) {
	loc := time.Local
	if p.TimeZone != "" {
		var err error
		if loc, err = time.LoadLocation(p.TimeZone); err != nil {
			return nil, fmt.Errorf("timezone: %w", err)
		}
	}
	return &Provider{schedule: sun.Schedule{Lat: p.Latitude, Lon: p.Longitude}, loc: loc, now: time.Now}, nil
}

// Kind is "sun".
func (p *Provider) Kind() string { return "sun" }

// Keys are those of what is published.
func (p *Provider) Keys() []string {
	return []string{"sunrise", "sunset", "day_length", "is_day", "next", "next_at"}
}

// Run publishes at once, then at every change.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	var last map[string]any
	var from, until time.Time // when it says the same
	var poll provider.Poll
	return poll.Run(ctx, cell, func(context.Context, bool) provider.Result {
		now := p.now().Round(0) // the clock may be set: its time of day counts
		r := provider.Result{Outcome: provider.Nothing}
		if now.Before(from) || !now.Before(until) {
			var v map[string]any
			v, until = p.values(now)
			r = provider.Result{Value: v}
			if same(last, v) {
				r.Outcome = provider.Unchanged
			}
			last = v
		}
		from = now // a clock set back by more than the last look is seen
		r.Next = max(min(until.Sub(now), pollMost), 1)
		return r
	})
}

// values returns what is published at a moment, and when that will be something else.
//
//	sunrise, sunset  "05:57", "20:15": of today's day; "--" where the sun does not rise or set
//	day_length       "14:18" hours and minutes of it
//	is_day           true while the sun is up
//	next, next_at    "sunset", "20:15"; "none", "--" if the sun does not turn for two days
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

// noon is the middle of a local date, when the day of that date is under way in every usual time zone.
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

// same reports whether two published mappings say the same. Their values are texts and booleans.
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
