package sources

import (
	"errors"

	"dashboard/config"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/geocode"
	"dashboard/provider/weather"
)

// makeWeather makes a provider of the weather at its own place, or that of the wall.
func makeWeather(d Deps, p *weather.Params) (string, provider.Provider, error) {
	at := p.Location
	if at == nil {
		at = d.Home
	}
	if at == nil {
		return "", nil, errors.New("location: the weather needs a place: write location here or in conf.yaml")
	}
	spot, err := d.spot(at)
	if err != nil {
		return "", nil, err
	}
	w, err := weather.New(*p, weather.Env{Client: d.Client, Files: d.Files, Spot: spot, Zone: d.Location, Agent: d.Agent, Words: d.Words})
	if err != nil {
		return "", nil, err
	}
	zone, words := "", ""
	if d.Location != nil {
		zone = d.Location.String()
	}
	if d.Words != nil {
		words = d.Words.Tag
	}
	q := *p
	q.Location = nil
	return ask.Key("weather", []any{q, spot.Key(), zone, words, rootKey(d.Files)}), w, nil
}

// spot is a place as a provider wants it, which may have to be looked for first.
func (d *Deps) spot(at *config.Location) (geocode.Spot, error) {
	s := geocode.Spot{Place: geocode.Place{Name: at.Name, Latitude: at.Latitude, Longitude: at.Longitude}, Known: at.Known, Atlas: d.Atlas}
	if !s.Known && s.Atlas == nil {
		return s, errors.New("location: places cannot be looked for here; give latitude and longitude")
	}
	return s, nil
}
