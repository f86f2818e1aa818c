package ask

import (
	"errors"
	"fmt"
	"maps"

	"dashboard/internal/fetch"
	"dashboard/internal/oauth"
	"dashboard/provider/query"
)

// services maps the names of known services to their addresses for OAuth 2.
var services = map[string]oauth.Service{
	"google": {
		Authorize: "https://accounts.google.com/o/oauth2/v2/auth", Token: "https://oauth2.googleapis.com/token",
		Device: "https://oauth2.googleapis.com/device/code", Extra: map[string]string{"access_type": "offline", "prompt": "consent"},
	},
	"microsoft": {
		Authorize: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
		Token:     "https://login.microsoftonline.com/common/oauth2/v2.0/token",
		Device:    "https://login.microsoftonline.com/common/oauth2/v2.0/devicecode",
	},
}

// tokens() returns the source of access tokens for the settings o.
func (d *Deps) tokens(o *query.OAuth) (fetch.Tokens, error) {
	s := services[o.Service]
	s.Extra = maps.Clone(s.Extra)
	for from, to := range map[string]*string{o.Authorize: &s.Authorize, o.Token: &s.Token, o.Device: &s.Device} {
		if from == "" {
			continue
		}
		if err := fetch.CheckURL(from); err != nil {
			return nil, fmt.Errorf("oauth: %w", err)
		}
		*to = from
	}
	if s.Token == "" || s.Authorize == "" && s.Device == "" {
		return nil, errors.New("oauth: needs service, or token with authorize or device")
	}
	for _, address := range []string{s.Authorize, s.Token, s.Device} {
		if address == "" || d.Owner == "" {
			continue
		}
		if err := d.Client.Host(address); err != nil {
			return nil, fmt.Errorf("oauth: %w", err)
		}
	}
	if d.Grants == nil {
		return nil, errors.New("oauth: is for providers of type rest, feed, prometheus, stream and calendar")
	}
	s.ClientID, s.ClientSecret, s.Scopes, s.Owner = o.ClientID, o.ClientSecret, o.Scopes, d.Owner
	return d.Grants.Open(d.Name, s, d.Client), nil
}
