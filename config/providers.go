package config

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
)

// ProvidersName is the name of the optional file of providers.
const ProvidersName = "providers.yaml"

// DefaultProviderType is the type of a provider whose entry does not set a type.
const DefaultProviderType = "rest"

// A Provider is one entry of providers.yaml. Its Scope decodes the parameters of the provider's type. An unknown key is an error.
type Provider struct {
	Scope
	Name  string
	Type  string
	Wrong bool // true if the type is unknown or the entry is not a mapping, so that the provider cannot be created
}

// LoadProviders reads the mapping of names to definitions under the key `providers` of providers.yaml. `types` lists the known types. If
// `types` is nil, the caller must check the types. The returned list has the order of the file. The second result is false if there is an
// error.
func LoadProviders(fsys fs.FS, path string, r *Report, secrets SecretSource, types []string) ([]*Provider, bool) {
	before := r.errors
	list := slices.DeleteFunc(everyProvider(fsys, path, r, secrets, types), func(p *Provider) bool { return p.Wrong })
	return list, r.errors == before
}

// LoadEveryProvider is like LoadProviders, but the result also contains definitions with errors, and the file may be missing.
func LoadEveryProvider(fsys fs.FS, path string, r *Report, secrets SecretSource, types []string) []*Provider {
	if _, err := fs.Stat(fsys, path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return everyProvider(fsys, path, r, secrets, types)
}

func everyProvider(fsys fs.FS, path string, r *Report, secrets SecretSource, types []string) []*Provider {
	root := document(fsys, path, r, secrets)
	if root == nil {
		return nil
	}
	var file struct {
		Providers *Node `yaml:"providers" required:"true"`
	}
	root.Decode(&file, r, nil)
	return ProvidersOf(file.Providers, r, types)
}

// LoadProvidersIfPresent is like LoadProviders, but the file may be missing. In this case there are no providers and no error.
func LoadProvidersIfPresent(fsys fs.FS, path string, r *Report, secrets SecretSource, types []string) ([]*Provider, bool) {
	if _, err := fs.Stat(fsys, path); errors.Is(err, fs.ErrNotExist) {
		if other := misnamed(fsys, path); other != "" {
			r.Add(Diagnostic{File: other, Severity: Warning, Message: "this file is not read; rename it to " + path})
		}
		return nil, true
	}
	return LoadProviders(fsys, path, r, secrets, types)
}

// ProvidersOf reads a mapping from names to definitions of providers.
func ProvidersOf(n *Node, r *Report, types []string) []*Provider {
	if n.Kind() != Map {
		if n.Kind() != Null {
			r.Errorf(n, "must be a mapping of name to provider, not %s", n.Shown())
		}
		return nil
	}
	var list []*Provider
	for _, p := range n.Pairs() {
		list = append(list, providerOf(p, r, types))
	}
	return list
}

// indented() returns a hint if the keys of a provider are not indented. Otherwise it returns "".
func indented(p Pair) string {
	switch {
	case p.Value.Kind() == Null:
		return "; indent its keys below its name"
	case p.Key == "type":
		return "; it is a key of a provider: indent it below the provider's name"
	}
	return ""
}

func providerOf(p Pair, r *Report, types []string) *Provider {
	v := &Provider{Name: p.Key, Scope: Scope{node: p.Value, report: r, reserved: []string{"type"}}}
	if p.Value.Kind() != Map {
		if !p.Value.Broken() {
			r.Errorf(p.Value, "must be a mapping, not %s%s", p.Value.Shown(), indented(p))
		}
		v.Wrong = true
		return v
	}
	if v.Type = v.Scope.name("type"); v.Type == "" {
		v.Type = DefaultProviderType
	}
	if types != nil && !slices.Contains(types, v.Type) {
		word := p.Value.Get("type").word()
		v.Near("type", word, types, "%s", unknownWord("provider type", word, strings.Join(types, ", ")))
		v.Wrong = true
	}
	return v
}
