package provider

import "fmt"

// A Parted is a provider of a mapping whose entries can have separate cells. Such a cell changes only with its entry.
type Parted interface {
	Provider
	// Part returns a provider of one entry, and the key of its definition. It returns an error if such an entry cannot exist.
	Part(name string) (key string, p Provider, err error)
}

// A Finder is the part of a [Set] that Part needs.
type Finder interface {
	Provider(name string) (Provider, bool)
	Place(key string, at Place)
	Add(key string, p Provider) *Cell
}

// Part returns the cell of one entry of a named provider's mapping. ok is false if the entry cannot have its own cell.
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
