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

// A Scope limits the sources that the widgets of a recipe can read. Each use of a recipe has a separate Scope.
type Scope struct {
	Names    map[string]string // names of providers on the wall, by the names that the recipe uses
	Client   *fetch.Client     // client that sends requests only to the hosts of the recipe
	Key      string            // text that identifies the client
	Entities []string          // entities of Home Assistant that this use of the recipe passes as parameters
	States   map[string]any    // recorded states of entities, used instead of Home Assistant; nil to use Home Assistant
}

// home is the name of the provider that conf.yaml defines. A recipe can read only single entities of this provider.
const home = "homeassistant"

// of() returns the sources that the widget `a` can read: the sources of its recipe, or the sources of the wall.
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

// all() returns these sources, followed by the sources of all recipes.
func (s *Sources) all() []*Sources {
	list := []*Sources{s}
	for _, key := range slices.Sorted(maps.Keys(s.scoped)) {
		list = append(list, s.scoped[key])
	}
	return list
}

// A scopedSet limits a Set to the providers that a recipe can read.
type scopedSet struct {
	Set
	scope *Scope
}

// Add implements Set. It adds the scope's key to the parameter `key`. So the recipe shares no provider with the wall, whose providers may
// send requests to other hosts.
func (s scopedSet) Add(key string, p provider.Provider) *provider.Cell {
	return s.Set.Add(s.scope.Key+" "+key, p)
}

// Place implements Set.
func (s scopedSet) Place(key string, at provider.Place) { s.Set.Place(s.scope.Key+" "+key, at) }

// Named implements Set. For the provider homeassistant of conf.yaml, it returns an empty cell if the recipe has entities, because a
// recipe can read only single entities.
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

// Part returns the cell of one entry in the mapping of a provider. `name` is the provider's name in the recipe.
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

// sees() reports whether the widgets of these sources can read an entity.
func (s *Sources) sees(entity string) bool {
	set, ok := s.set.(scopedSet)
	return !ok || set.sees(entity)
}

// noFiles is a file system that contains no files.
type noFiles struct{}

// NoFiles returns a file system that contains no files. The providers of recipes get this file system.
func NoFiles() fs.FS { return noFiles{} }

// Open implements fs.FS.
func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: folder.ErrNotRegular}
}

// Scoped returns the functions with which the derived providers of a recipe find the providers that they read.
func Scoped(set Set, scope *Scope) (find func(string) (*provider.Cell, bool), part live.Part, names []string) {
	in := scopedSet{set, scope}
	return in.Named, in.Part, in.Names()
}
