package kit

import (
	"fmt"
	"slices"

	"dashboard/provider/query"
)

// itemScope is the list entry that a widget shows, with the entries of the surrounding lists. The zero value is no scope.
type itemScope struct {
	In  []query.Entry
	Key string // identifies the scope, "" for no scope
}

// Within returns the scope of an entry of a list inside this scope.
func (sc itemScope) Within(items string, index int) *itemScope {
	in := append(slices.Clip(sc.In), query.Entry{Items: items, Index: index})
	return &itemScope{in, fmt.Sprintf("%s%q %d ", sc.Key, items, index)}
}

// ItemScope returns the scope for the programs of the widget.
func (s *Spec) ItemScope() itemScope {
	for ; s != nil; s = s.Parent {
		if s.Scope != nil {
			return *s.Scope
		}
	}
	return itemScope{}
}

// PastKey returns the key of a parameter's history, and the program under which it is stored. Histories of list entries are not
// stored, because an entry may be a different one after a restart.
func (s *Spec) PastKey(of any, program string) (key any, kept string) {
	if scope := s.ItemScope(); scope.Key != "" {
		return struct {
			of    any
			scope string
		}{of, scope.Key}, ""
	}
	return of, program
}
