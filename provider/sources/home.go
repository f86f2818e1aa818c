package sources

import (
	"time"

	"dashboard/provider"
	"dashboard/provider/homeassistant"
	"dashboard/provider/query"
)

// History returns the states that an entity had in the time span before now. `name` is the name of the Home Assistant provider.
func (s *Sources) History(a query.Asker, name, id string, span time.Duration) (*provider.Cell, bool) {
	s = s.of(a)
	p, ok := s.set.Provider(name)
	home, is := p.(*homeassistant.Provider)
	if !ok || !is || !s.sees(id) {
		return nil, false // the request for the entity's state has already reported the error
	}
	key, past, err := home.Home().History(id, span)
	if err != nil {
		a.Errorf("", "%v", err)
		return nil, false
	}
	return s.add(a, key, past), true
}

// makeHome makes a provider of a Home Assistant. Parameters that are missing come from conf.yaml.
func makeHome(d Deps, p *homeassistant.Params) (string, provider.Provider, error) {
	own := *p
	if h := d.HomeAssistant; h != nil && own.URL == "" {
		own.URL, own.URLSecret = h.URL, h.URLSecret
	}
	if h := d.HomeAssistant; h != nil && own.Token == "" && own.URL == h.URL {
		own.Token = h.Token // the token belongs to the address in conf.yaml, so it is never sent to another address
	}
	key, v, err := homeassistant.New(&own, homeassistant.Deps{Client: d.Client, Sessions: d.Sessions, Queues: d.Queues})
	if err != nil {
		return "", nil, err
	}
	return key, v, nil
}
