package draft

import (
	"context"
	"errors"
	"slices"

	"dashboard/internal/oauth"
	"dashboard/server"
)

// connections() answers with the running wall's providers that need an OAuth 2 permission, and with the state of each permission.
func (d *Editor) connections(context.Context, server.EditCall) (server.EditAnswer, error) {
	list := []map[string]any{}
	names := d.Builder.Grants.Providers()
	slices.Sort(names)
	for _, name := range names {
		if _, ok := d.Builder.Providers.Find(name); !ok {
			continue // a reload has removed the provider
		}
		state := "connected"
		switch err := d.Builder.Grants.Of(name).State(); {
		case errors.Is(err, oauth.ErrRevoked):
			state = "revoked"
		case err != nil:
			state = "none"
		}
		list = append(list, map[string]any{"provider": name, "state": state})
	}
	return ok(map[string]any{"connections": list})
}

// grant returns the permission of a provider of the running wall.
func (d *Editor) grant(name string) (*oauth.Grant, error) {
	g := d.Builder.Grants.Of(name)
	if _, found := d.Builder.Providers.Find(name); g == nil || !found {
		return nil, fail(404, "no provider '%s' of the wall has auth: {oauth: …}; Apply it first", name)
	}
	return g, nil
}

// connect begins to request a permission. The answer contains the URL that the user must open.
func (d *Editor) connect(_ context.Context, c server.EditCall) (server.EditAnswer, error) {
	g, err := d.grant(c.ID)
	if err != nil {
		return server.EditAnswer{}, err
	}
	if err := decode(c.Body, &struct{}{}); err != nil {
		return server.EditAnswer{}, err
	}
	address, browser, err := d.Builder.Grants.Requests.Begin(c.ID, g, c.Redirect)
	switch {
	case errors.Is(err, oauth.ErrBusy):
		return server.EditAnswer{}, fail(429, "%v", err)
	case err != nil:
		return server.EditAnswer{}, fail(422, "%v: run 'dashboard connect --device'", err)
	}
	return server.EditAnswer{Fields: map[string]any{"url": address, "redirect": c.Redirect}, Browser: browser}, nil
}

// paste finishes the request for a permission. The body contains the URL that the user has copied from the browser.
func (d *Editor) paste(ctx context.Context, c server.EditCall) (server.EditAnswer, error) {
	var in struct {
		Address string `json:"address"`
	}
	if err := decode(c.Body, &in); err != nil {
		return server.EditAnswer{}, err
	}
	if _, err := d.grant(c.ID); err != nil {
		return server.EditAnswer{}, err
	}
	if err := d.Builder.Grants.Requests.Paste(ctx, c.ID, in.Address); err != nil {
		return server.EditAnswer{}, fail(422, "%v", err)
	}
	d.connectedTo(c.ID)
	return ok(map[string]any{"provider": c.ID})
}

// connected() finishes the request for a permission when the service has redirected the browser to this program. c.ID is the secret that
// identifies the browser.
func (d *Editor) connected(ctx context.Context, c server.EditCall) (server.EditAnswer, error) {
	name, err := d.Builder.Grants.Requests.Return(ctx, c.ID, c.Query)
	if err != nil {
		return server.EditAnswer{}, fail(403, "%v", err)
	}
	d.connectedTo(name)
	return ok(map[string]any{"provider": name})
}

// connectedTo repeats the requests of all providers that share the permission of the given provider.
func (d *Editor) connectedTo(provider string) {
	g := d.Builder.Grants.Of(provider)
	for _, name := range d.Builder.Grants.Providers() {
		if d.Builder.Grants.Of(name) == g {
			d.Builder.Providers.Again(name)
		}
	}
}
