package weather

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"dashboard/provider"
	"dashboard/provider/geocode"
	"dashboard/provider/homeassistant"
)

// An Entity is a provider of the weather that an entity in Home Assistant reports. The entity's state has the current weather. The hourly
// and daily forecasts come through the connection that other providers share.
type Entity struct {
	home *homeassistant.Home
	id   string
	env  Env
	now  func() time.Time

	mu        sync.Mutex // guards the fields below
	forecasts forecasts
	changes   chan struct{} // capacity 1; receives a value after each change
}

// The indices of the two forecasts.
const (
	byHour = iota
	byDay
)

// forecastNames are the types of forecasts in the command weather/subscribe_forecast.
var forecastNames = [...]string{byHour: "hourly", byDay: "daily"}

// The type forecasts has the forecasts that were received last.
type forecasts struct {
	seq  int // increases with each received forecast
	list [2][]any
	err  [2]error
}

// lookAgain is the time until a location that was not found is looked up again.
const lookAgain = time.Hour

var _ provider.Provider = (*Entity)(nil)

// NewEntity returns a provider for a weather entity. An error begins with the name of the configuration key that causes it. The location
// in e is needed to distinguish day and night, but the location may be unknown.
func NewEntity(p Params, e Env, home *homeassistant.Home) (*Entity, error) {
	switch {
	case p.Entity == "":
		return nil, errors.New("entity: is missing: name the weather of Home Assistant, such as weather.home")
	case p.Key != "":
		return nil, errors.New("key: only openweather takes one, not homeassistant")
	}
	if err := homeassistant.CheckID(p.Entity); err != nil {
		return nil, fmt.Errorf("entity: %w", err)
	}
	if e.Zone == nil {
		e.Zone = time.Local
	}
	return &Entity{home: home, id: p.Entity, env: e, now: time.Now}, nil
}

// Kind is "weather".
func (p *Entity) Kind() string { return "weather" }

// Run publishes values of type *Report, one after each change of the entity or its forecasts.
func (p *Entity) Run(ctx context.Context, cell *provider.Cell) error {
	c, release, err := p.home.Connect(ctx)
	if err != nil {
		return err
	}
	defer release()
	p.mu.Lock()
	p.forecasts, p.changes = forecasts{}, make(chan struct{}, 1)
	p.mu.Unlock()
	state := provider.NewCell(nil)
	defer state.Watch(p.changes)()
	defer c.Follow(p.id, state)()
	for i, name := range forecastNames {
		message := map[string]any{"type": "weather/subscribe_forecast", "entity_id": p.id, "forecast_type": name}
		defer c.Subscribe(message, func(event any, err error) { p.take(i, event, err) })()
	}
	p.tell(ctx, state, cell)
	return nil
}

// take stores a forecast. If there is an error, the last forecast stays.
func (p *Entity) take(i int, event any, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forecasts.seq++
	if p.forecasts.err[i] = err; err == nil {
		m, _ := event.(map[string]any)
		p.forecasts.list[i], _ = m["forecast"].([]any)
	}
	select {
	case p.changes <- struct{}{}:
	default: // a token is already waiting
	}
}

// tell publishes the weather after each change until ctx ends.
func (p *Entity) tell(ctx context.Context, state, cell *provider.Cell) {
	var place placed
	var seq uint64
	said := -1
	var partly error // error of the last value that was published
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.changes:
		}
		s := state.Load()
		cell.Promise(s.Interval)
		if s.Err != nil || !s.Has() {
			if s.Err != nil {
				cell.Fail(s.Err, p.now())
			}
			continue
		}
		p.mu.Lock()
		now := p.forecasts
		p.mu.Unlock()
		if s.Seq == seq && now.seq == said && partly == nil && !cell.Refused() {
			cell.Confirm(p.now())
			continue
		}
		seq, said = s.Seq, now.seq
		place.look(ctx, p.env.Spot, p.now())
		var r *Report
		r, partly = p.report(s.Value, now, place.at)
		cell.PublishPart(r, p.now(), partly)
	}
}

// The type placed is the location of the weather, if it is known.
type placed struct {
	at    *geocode.Place
	after time.Time // time of the next attempt to find the location
}

// look finds the location if the spot has coordinates or a name.
func (p *placed) look(ctx context.Context, spot geocode.Spot, now time.Time) {
	if p.at != nil || now.Before(p.after) || !spot.Known && (spot.Name == "" || spot.Atlas == nil) {
		return
	}
	at, err := spot.Resolve(ctx)
	if err != nil {
		p.after = now.Add(lookAgain)
		return
	}
	p.at = &at
}

// report combines the state of the entity and its forecasts. If no forecast is available, it also returns an error.
func (p *Entity) report(v any, said forecasts, at *geocode.Place) (*Report, error) {
	m, _ := v.(map[string]any)
	attributes, _ := m["attributes"].(map[string]any)
	h := houseOf(attributes, p.env.Zone)
	h.at = at
	r := &Report{At: p.now(), Zone: p.env.Zone, words: p.env.Words}
	r.Place, _ = attributes["friendly_name"].(string)
	r.Credit, _ = attributes["attribution"].(string)
	r.Place, r.Credit = clip(r.Place), clip(r.Credit)
	condition, _ := m["state"].(string)
	r.Current = h.current(attributes, condition, r.At)
	r.Hours = h.hours(said.list[byHour], r.At)
	r.Days = h.days(said.list[byDay], r.At)
	if len(r.Days) == 0 {
		r.Days = daysOf(r.Hours, r.Zone)
	}
	if at != nil {
		r.Place = at.Name
		place{at.Latitude, at.Longitude}.suns(r.Days)
	}
	if len(r.Days) == 0 && said.err[byHour] != nil && said.err[byDay] != nil {
		return r, said.err[byDay]
	}
	return r, nil
}

// HomeKind converts a condition of Home Assistant's weather entities to a Kind. `isDay` is false only if the condition belongs to the
// night.
func HomeKind(condition string) (k Kind, isDay bool) {
	switch condition {
	case "clear-night":
		return Clear, false
	case "sunny":
		return Clear, true
	case "partlycloudy":
		return PartlyCloudy, true
	case "cloudy":
		return Cloudy, true
	case "fog":
		return Fog, true
	case "hail":
		return ThunderstormHail, true
	case "lightning", "lightning-rainy":
		return Thunderstorm, true
	case "pouring":
		return HeavyRain, true
	case "rainy":
		return Rain, true
	case "snowy":
		return Snow, true
	case "snowy-rainy":
		return Sleet, true
	case "windy", "windy-variant":
		return Windy, true
	}
	return Unknown, true
}
