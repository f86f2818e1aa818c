package provider

import "fmt"

// A Parted is a provider of a mapping whose entries can be had each by itself, in a cell that changes when that entry does.
type Parted interface {
	Provider
	// Part returns a provider of one entry, and the key that tells its definition from others. The error is that there can be
	// no such entry.
	Part(name string) (key string, p Provider, err error)
}

// A Finder is what Part needs of a [Set].
type Finder interface {
	Provider(name string) (Provider, bool)
	Place(key string, at Place)
	Add(key string, p Provider) *Cell
}

// Part returns the cell of one entry of the mapping that a named provider of a set publishes. ok is false where it cannot be had
// by itself.
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
	return s.Add(key, part), true, nil
}
