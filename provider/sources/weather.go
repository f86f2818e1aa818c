package sources

import (
	"errors"
	"fmt"

	"dashboard/config"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/geocode"
	"dashboard/provider/homeassistant"
	"dashboard/provider/weather"
)

// makeWeather makes a provider of the weather. The location of the weather is in the parameters p. By default, it is the wall's location.
func makeWeather(d Deps, p *weather.Params) (string, provider.Provider, error) {
	at := p.Location
	if at == nil {
		at = d.Home
	}
	if p.Source == "homeassistant" {
		return makeEntity(d, p, at)
	}
	if at == nil {
		return "", nil, errors.New("location: the weather needs a place: write location here or in conf.yaml")
	}
	spot, err := d.spot(at)
	if err != nil {
		return "", nil, err
	}
	w, err := weather.New(*p, weather.Env{Client: d.Client, Files: d.Files, Spot: spot, Zone: d.Location, Sun: d.asking().Sun, Agent: d.Agent, Words: d.Words})
	if err != nil {
		return "", nil, err
	}
	q := *p
	q.Location = nil
	return ask.Key("weather", []any{q, spot.Key(), d.tongue(), rootKey(d.Files)}), w, nil
}

// makeEntity makes a provider of the weather that an entity in Home Assistant reports. The location is needed to distinguish day and
// night.
func makeEntity(d Deps, p *weather.Params, at *config.Location) (string, provider.Provider, error) {
	h := d.HomeAssistant
	if h == nil {
		return "", nil, errors.New("source: write the address and the token of Home Assistant under 'homeassistant' in conf.yaml")
	}
	home, err := homeassistant.NewHome(h.URL, h.URLSecret, h.Token, homeassistant.Deps{Client: d.Client, Sessions: d.Sessions})
	if err != nil {
		return "", nil, fmt.Errorf("homeassistant of conf.yaml: %w", err)
	}
	var spot geocode.Spot
	if at != nil {
		if spot, err = d.spot(at); err != nil {
			return "", nil, err
		}
	}
	w, err := weather.NewEntity(*p, weather.Env{Spot: spot, Zone: d.Location, Words: d.Words}, home)
	if err != nil {
		return "", nil, err
	}
	return ask.Key("weather", []any{home.Key(), p.Entity, spot.Key(), d.tongue()}), w, nil
}

// tongue returns a text that identifies the time zone and the language.
func (d *Deps) tongue() string {
	zone, words := "", ""
	if d.Location != nil {
		zone = d.Location.String()
	}
	if d.Words != nil {
		words = d.Words.Tag
	}
	return zone + " " + words
}

// spot converts a location for a provider. A location that has only a name is looked up later.
func (d *Deps) spot(at *config.Location) (geocode.Spot, error) {
	s := geocode.Spot{Place: geocode.Place{Name: at.Name, Latitude: at.Latitude, Longitude: at.Longitude}, Known: at.Known, Atlas: d.Atlas}
	if !s.Known && s.Atlas == nil {
		return s, errors.New("location: places cannot be looked for here; give latitude and longitude")
	}
	return s, nil
}
