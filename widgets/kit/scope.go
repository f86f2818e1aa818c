package kit

import (
	"fmt"
	"slices"

	"dashboard/provider/query"
)

// itemScope is the entry of a list that a widget shows, and the entries of the lists around it. The zero value is none.
type itemScope struct {
	In  []query.Entry
	Key string // distinguishes scopes, "" is no scope
}

// Within is the scope of an entry of a list in this scope.
func (sc itemScope) Within(items string, index int) *itemScope {
	in := append(slices.Clip(sc.In), query.Entry{Items: items, Index: index})
	return &itemScope{in, fmt.Sprintf("%s%q %d ", sc.Key, items, index)}
}

// ItemScope is the entry that programs of the widget have.
func (s *Spec) ItemScope() itemScope {
	for ; s != nil; s = s.Parent {
		if s.Scope != nil {
			return *s.Scope
		}
	}
	return itemScope{}
}

// PastKey distinguishes the pasts of parameters, and is the program under which a past is kept. Pasts of entries are
// not kept, because an entry may be another one after the next start.
func (s *Spec) PastKey(of any, program string) (key any, kept string) {
	if scope := s.ItemScope(); scope.Key != "" {
		return struct {
			of    any
			scope string
		}{of, scope.Key}, ""
	}
	return of, program
}
