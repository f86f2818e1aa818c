package provider

import (
	"context"
	"fmt"
)

// A Parted is a provider of a mapping whose entries can have their own cells. Such a cell changes only if its entry changes.
type Parted interface {
	Provider
	// Part returns a provider of one entry, and the key that identifies this provider. It returns an error if the entry cannot exist.
	Part(name string) (key string, p Provider, err error)
}

// A Lister is a provider whose source has more entries than the provider's value, because the value contains only the used entries.
type Lister interface {
	// All returns all entries of the source.
	All(ctx context.Context) (map[string]any, error)
}

// A Finder has the methods of [Set] that the function Part needs.
type Finder interface {
	Provider(name string) (Provider, bool)
	Place(key string, at Place)
	Add(key string, p Provider) *Cell
}

// Part returns a separate cell for one entry in the mapping of the provider with the given name. `at` is the position for messages. ok is
// false if the provider is not Parted.
func Part(s Finder, name, entry string, at Place) (cell *Cell, ok bool, err error) {
	p, _ := s.Provider(name)
	parted, ok := p.(Parted)
	if !ok {
		return nil, false, nil
	}
	key, part, err := parted.Part(entry)
	if err != nil {
		return nil, true, fmt.Errorf("%s: %w", name, err)
	}
	s.Place(key, at)
	cell = s.Add(key, part)
	cell.Call(name)
	return cell, true, nil
}
