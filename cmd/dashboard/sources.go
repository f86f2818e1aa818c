package main

import (
	"io/fs"
	"time"

	"dashboard/config"
	"dashboard/provider"
	"dashboard/provider/sources"
)

// addProviders puts the providers of providers.yaml into the set.
func (b *builder) addProviders(fsys fs.FS, set *provider.Set, r *config.Report, secrets config.SecretSource) {
	deps := sources.Deps{Client: b.client, Sessions: b.providers.Sessions(), Location: time.Local}
	list, _ := config.LoadProvidersIfPresent(fsys, config.ProvidersName, r, secrets, sources.TypeNames()) // what is wrong is in r
	for _, def := range list {
		t, _ := sources.TypeNamed(def.Type) // others are not in the list
		params := t.Params()
		if !def.Decode(params) {
			continue
		}
		key, p, err := t.Make(deps, params)
		if err != nil {
			def.Errorf("", "%v", err)
			continue
		}
		set.Place(key, provider.Place{At: def.Pos()})
		set.Add(key, p)
		set.Name(def.Name, key)
	}
}
