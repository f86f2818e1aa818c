package main

import (
	"strings"

	"dashboard/config"
	"dashboard/provider"
	"dashboard/provider/derived"
	"dashboard/provider/live"
	"dashboard/provider/sources"
)

// addProviders puts the providers of providers.yaml into the set: those that are made of others last.
func (l *loading) addProviders() {
	set := l.sources
	deps := sources.Deps{
		Client: l.client, Sessions: l.providers.Sessions(), Location: l.region.zone, Home: l.region.where, Atlas: l.atlas, Files: l.files,
		Words: l.region.locale, Agent: userAgent(),
	}
	if l.conf != nil {
		deps.HomeAssistant = l.conf.HomeAssistant
	}
	l.addHome(deps)
	list, _ := config.LoadProvidersIfPresent(l.files, config.ProvidersName, l.report, l.secret, sources.TypeNames()) // what is wrong is in the report
	made, defs := map[string]*derived.Params{}, map[string]*config.Provider{}
	for _, def := range list {
		if live.Reserved(def.Name) {
			def.Errorf("", "no provider can be named '%s': .%s means something else in programs (!data)", def.Name, def.Name)
			continue
		}
		t, _ := sources.TypeNamed(def.Type) // others are not in the list
		l.defs[def.Name] = def
		params := t.Params()
		if !def.Decode(params) {
			continue
		}
		if p, ok := params.(*derived.Params); ok {
			made[def.Name], defs[def.Name] = p, def
			continue
		}
		deps.Name = def.Name
		key, p, err := t.Make(deps, params)
		put(set, def, key, p, err)
	}
	order, wrong := derived.Order(made)
	for name, err := range wrong {
		mistake(defs[name], err)
	}
	for _, name := range order {
		def := defs[name]
		key, p, err := derived.New(made[name], provider.Place{At: def.Pos(), What: "derived"}, set.Named, l.part, set.Names())
		put(set, def, key, p, err)
	}
}

// part finds an entry of a provider's mapping.
func (l *loading) part(name, entry string, at provider.Place) (*provider.Cell, bool, error) {
	return provider.Part(l.sources, name, entry, at)
}

// addHome adds the provider that the key homeassistant of conf.yaml stands for, unless providers.yaml has one of that name.
func (l *loading) addHome(deps sources.Deps) {
	if deps.HomeAssistant == nil {
		return
	}
	t, _ := sources.TypeNamed(homeProvider)
	key, p, err := t.Make(deps, t.Params())
	at := l.conf.At(homeProvider)
	switch {
	case err != nil && !l.sound:
		return // what is missing has been told
	case err != nil:
		name, text, _ := strings.Cut(err.Error(), ": ")
		l.report.Errorf(at.At(name), "%s", text)
		return
	}
	l.sources.Place(key, provider.Place{At: at.Pos()})
	l.sources.Add(key, p)
	l.sources.Name(homeProvider, key)
}

// homeProvider is the provider that the key of the same name in conf.yaml stands for, and its type.
const homeProvider = "homeassistant"

// put adds a provider that was made, or says what is wrong with its definition. Files that are not there yet may come.
func put(set *provider.Set, def *config.Provider, key string, p provider.Provider, err error) {
	if err != nil {
		mistake(def, err)
		return
	}
	set.Place(key, provider.Place{At: def.Pos()})
	set.Add(key, p)
	set.Name(def.Name, key)
	if m, ok := p.(interface{ Missing() []string }); ok {
		for _, name := range m.Missing() {
			def.Warnf("", "%s is not there", name)
		}
	}
}

// mistake reports what is wrong with a definition, at the key that the error begins with.
func mistake(def *config.Provider, err error) {
	key, text, ok := strings.Cut(err.Error(), ": ")
	if !ok || !def.Node().Has(key) {
		key, text = "", err.Error()
	}
	def.Errorf(key, "%s", text)
}
