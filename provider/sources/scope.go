package sources

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"dashboard/internal/fetch"
	"dashboard/internal/folder"
	"dashboard/provider"
	"dashboard/provider/live"
	"dashboard/provider/query"
)

// A Scope is the part of a wall that the widgets of one use of a recipe may see.
type Scope struct {
	Names    map[string]string // providers: names in the recipe to names on the wall
	Client   *fetch.Client     // sends requests only to the recipe's hosts
	Key      string            // distinguishes clients
	Entities []string          // entities of Home Assistant that were passed as parameters
	States   map[string]any    // recorded states of entities, instead of Home Assistant; nil uses Home Assistant
}

// home is the name of the provider from conf.yaml. A recipe sees only single entities of it.
const home = "homeassistant"

// of returns the sources that a widget may see: those of its recipe or those of the wall.
func (s *Sources) of(a query.Asker) *Sources {
	if a.Recipe == "" || s.inside {
		return s
	}
	if in, ok := s.scoped[a.Recipe]; ok {
		return in
	}
	scope := s.Scopes[a.Recipe]
	if scope == nil {
		scope = &Scope{Client: fetch.New(&fetch.Options{}).Only(fetch.Hosts{})}
	}
	in := &Sources{
		Files: noFiles{}, Found: scope.Client, Sessions: s.Sessions, Now: s.Now, set: scopedSet{s.set, scope}, client: scope.Client,
		decoding: s.decoding, inside: true,
	}
	if s.scoped == nil {
		s.scoped = map[string]*Sources{}
	}
	s.scoped[a.Recipe] = in
	return in
}

// all returns these sources and the sources of recipes.
func (s *Sources) all() []*Sources {
	list := []*Sources{s}
	for _, key := range slices.Sorted(maps.Keys(s.scoped)) {
		list = append(list, s.scoped[key])
	}
	return list
}

// scopedSet limits a set to the providers of a recipe.
type scopedSet struct {
	Set
	scope *Scope
}

// Add implements Set. A recipe does not share a provider with others, because they may send requests to other hosts.
func (s scopedSet) Add(key string, p provider.Provider) *provider.Cell {
	return s.Set.Add(s.scope.Key+" "+key, p)
}

// Place implements Set.
func (s scopedSet) Place(key string, at provider.Place) { s.Set.Place(s.scope.Key+" "+key, at) }

// Named implements Set. Home Assistant as a whole has no value for a recipe.
func (s scopedSet) Named(name string) (*provider.Cell, bool) {
	if global, ok := s.scope.Names[name]; ok {
		return s.Set.Named(global)
	}
	if name == home && len(s.scope.Entities) > 0 {
		return provider.NewCell(nil), true
	}
	return nil, false
}

// Provider implements Set.
func (s scopedSet) Provider(name string) (provider.Provider, bool) {
	if global, ok := s.scope.Names[name]; ok {
		return s.Set.Provider(global)
	}
	if name == home && len(s.scope.Entities) > 0 {
		return s.Set.Provider(name)
	}
	return nil, false
}

// Names implements Set.
func (s scopedSet) Names() []string {
	names := slices.Sorted(maps.Keys(s.scope.Names))
	if len(s.scope.Entities) > 0 {
		names = append(names, home)
	}
	return names
}

// Part returns the cell of an entry of a provider's mapping, with the names of a recipe.
func (s scopedSet) Part(name, entry string, at provider.Place) (*provider.Cell, bool, error) {
	if global, ok := s.scope.Names[name]; ok {
		return provider.Part(s.Set, global, entry, at)
	}
	if name != home {
		return nil, false, nil
	}
	if !s.sees(entry) {
		return nil, true, fmt.Errorf("the recipe was not given the entity %s", entry)
	}
	if s.scope.States != nil {
		cell := provider.NewCell(nil)
		cell.Publish(s.scope.States[entry], time.Now())
		return cell, true, nil
	}
	return provider.Part(s.Set, name, entry, at)
}

func (s scopedSet) sees(entity string) bool { return slices.Contains(s.scope.Entities, entity) }

// sees reports whether the widgets of these sources may see an entity.
func (s *Sources) sees(entity string) bool {
	set, ok := s.set.(scopedSet)
	return !ok || set.sees(entity)
}

// noFiles is a file system without files.
type noFiles struct{}

// NoFiles returns a file system without files, for the providers of recipes.
func NoFiles() fs.FS { return noFiles{} }

// Open implements fs.FS.
func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: folder.ErrNotRegular}
}

// Scoped returns the functions with which a recipe's derived providers find their sources.
func Scoped(set Set, scope *Scope) (find func(string) (*provider.Cell, bool), part live.Part, names []string) {
	in := scopedSet{set, scope}
	return in.Named, in.Part, in.Names()
}
