package sources

import (
	"dashboard/provider"
	"dashboard/provider/homeassistant"
)

// makeHome makes a provider of a Home Assistant; what is not written is that of conf.yaml.
func makeHome(d Deps, p *homeassistant.Params) (string, provider.Provider, error) {
	own := *p
	if h := d.HomeAssistant; h != nil && own.URL == "" {
		own.URL, own.URLSecret = h.URL, h.URLSecret
	}
	if h := d.HomeAssistant; h != nil && own.Token == "" && own.URL == h.URL {
		own.Token = h.Token // never another's
	}
	key, v, err := homeassistant.New(&own, homeassistant.Deps{Client: d.Client, Sessions: d.Sessions})
	if err != nil {
		return "", nil, err
	}
	return key, v, nil
}
