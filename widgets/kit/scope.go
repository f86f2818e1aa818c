package kit

import (
	"fmt"
	"slices"

	"dashboard/provider/query"
)

// itemScope is the list entry that a widget shows, and the entries of the lists around it. The zero value means that the widget does not
// show a list entry.
type itemScope struct {
	In  []query.Entry
	Key string // identifies the scope, "" outside of lists
}

// Within returns the scope of a list entry inside the scope sc.
func (sc itemScope) Within(items string, index int) *itemScope {
	in := append(slices.Clip(sc.In), query.Entry{Items: items, Index: index})
	return &itemScope{in, fmt.Sprintf("%s%q %d ", sc.Key, items, index)}
}

// ItemScope returns the scope of a widget's programs.
func (s *Spec) ItemScope() itemScope {
	for ; s != nil; s = s.Parent {
		if s.Scope != nil {
			return *s.Scope
		}
	}
	return itemScope{}
}

// PastKey returns the key of a parameter's history and the program under which the history is stored. The history of a list entry is not
// stored, because the list may have other entries after a restart.
func (s *Spec) PastKey(of any, program string) (key any, kept string) {
	if scope := s.ItemScope(); scope.Key != "" {
		return struct {
			of    any
			scope string
		}{of, scope.Key}, ""
	}
	return of, program
}
