package scene

import (
	"fmt"
	"slices"

	"dashboard/config"
	"dashboard/provider"
	"dashboard/provider/derived"
	"dashboard/provider/live"
	"dashboard/provider/sources"
)

// A making creates the providers of the wall or of one use of a recipe. A provider that reads other providers is created after them.
type making struct {
	*loading
	prefix  string // prefix of the providers' keys in the set
	find    func(name string) (*provider.Cell, bool)
	part    live.Part
	names   []string // names of all providers that are created, as programs use them
	readers map[string]derived.Reader
	defs    map[string]*config.Provider // definitions of the providers in readers, by name
	deps    map[string]sources.Deps     // parameters of the providers in readers, by name
}

func (l *loading) making(prefix string, find func(name string) (*provider.Cell, bool), part live.Part) *making {
	return &making{
		loading: l, prefix: prefix, find: find, part: part,
		readers: map[string]derived.Reader{}, defs: map[string]*config.Provider{}, deps: map[string]sources.Deps{},
	}
}

// add creates a provider and adds it to the set. If the provider reads other providers, add only
// records it, and finish creates it later. `local` is the name that programs use for the provider.
func (m *making) add(def *config.Provider, local string, deps sources.Deps) {
	deps.Name = def.Name
	params, ok := m.decoded(def)
	if r, reads := params.(derived.Reader); ok && reads && m.depends(r) {
		m.readers[local], m.defs[local], m.deps[local] = r, def, deps
		return
	}
	if ok {
		m.make(def, deps, params)
	}
	m.addWrong(def)
}

// decoded() returns the decoded keys of a definition. ok is false if the definition has an error.
func (m *making) decoded(def *config.Provider) (params any, ok bool) {
	if live.Reserved(def.Name) {
		def.Errorf("", "no provider can be named '%s': .%s means something else in programs (!data)", def.Name, def.Name)
		return nil, false
	}
	t, known := sources.TypeNamed(def.Type)
	if !known || def.Wrong {
		return nil, false
	}
	m.loading.defs[def.Name] = def
	params = t.Params()
	return params, def.Decode(params)
}

// depends() reports whether a provider must be created after other providers. This is true for a derived provider, and for a provider whose
// requests contain the value of another provider.
func (m *making) depends(r derived.Reader) bool {
	_, program := r.(*derived.Params)
	return program || slices.ContainsFunc(r.Reads(), func(name string) bool { return slices.Contains(m.names, name) })
}

func (m *making) make(def *config.Provider, deps sources.Deps, params any) {
	t, _ := sources.TypeNamed(def.Type)
	key, p, err := t.Make(deps, params)
	put(m.Sources, def, m.prefix+key, p, err)
}

// finish creates the providers that add() has recorded. Each provider is created after the providers that it reads. `names` returns the
// names of all providers that programs may read.
func (m *making) finish(names func() []string) {
	order, wrong := derived.Order(m.readers)
	for name, err := range wrong {
		if _, program := m.readers[name].(*derived.Params); program {
			err = fmt.Errorf("value: %w", err)
		}
		mistake(m.defs[name], err)
		m.addWrong(m.defs[name])
	}
	for _, name := range order {
		def, deps := m.defs[name], m.deps[name]
		if p, program := m.readers[name].(*derived.Params); program {
			key, made, err := derived.New(p, provider.Place{At: def.Pos(), What: "derived"}, m.find, m.part, names())
			put(m.Sources, def, m.prefix+key, made, err)
		} else {
			deps.Values = map[string]*provider.Cell{}
			for _, other := range m.names {
				if cell, ok := m.find(other); ok && other != name {
					deps.Values[other] = cell
				}
			}
			m.make(def, deps, m.readers[name])
		}
		m.addWrong(def)
	}
}
