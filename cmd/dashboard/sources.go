package main

import (
	"fmt"
	"slices"

	"dashboard/config"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/rest"
	"dashboard/provider/sun"
	"dashboard/provider/system"
)

// A sourceType is one type of provider: from a definition it makes a provider and the key that tells
// definitions apart. Both are empty if the definition could not be decoded, which has been reported.
type sourceType struct {
	name string
	make func(decode func(any) bool, client *fetch.Client) (key string, p provider.Provider, err error)
}

// sourceTypes are the types of providers.
var sourceTypes = []sourceType{
	{"rest", restSource},
	{"sun", localSource(sun.New)},
	{"system", localSource(func(p system.Params) (*system.Provider, error) { return system.New(p), nil })},
}

func restSource(decode func(any) bool, client *fetch.Client) (string, provider.Provider, error) {
	var params rest.Params
	if !decode(&params) {
		return "", nil, nil
	}
	c, err := params.Config()
	if err != nil {
		return "", nil, err
	}
	return c.Key(), rest.New(c, client), nil
}

// localSource is a type whose values come from this machine.
func localSource[P any, V provider.Provider](build func(P) (V, error)) func(func(any) bool, *fetch.Client) (string, provider.Provider, error) {
	return func(decode func(any) bool, _ *fetch.Client) (string, provider.Provider, error) {
		var params P
		if !decode(&params) {
			return "", nil, nil
		}
		p, err := build(params)
		return fmt.Sprintf("%T %+v", params, params), p, err
	}
}

// addProviders puts the providers of providers.yaml into the set.
func (b *builder) addProviders(set *provider.Set, r *config.Report, secrets config.SecretSource) {
	names := make([]string, len(sourceTypes))
	for i, t := range sourceTypes {
		names[i] = t.name
	}
	list, _ := config.LoadProvidersIfPresent(config.ProvidersName, r, secrets, names) // what is wrong is in r
	for _, def := range list {
		i := slices.IndexFunc(sourceTypes, func(t sourceType) bool { return t.name == def.Type })
		key, p, err := sourceTypes[i].make(def.Decode, b.client)
		switch {
		case err != nil:
			def.Errorf("", "%v", err)
		case key != "":
			set.Add(key, p)
			set.Name(def.Name, key)
		}
	}
}
