package kit

import (
	"fmt"
	"slices"

	"dashboard/provider/query"
)

// itemScope is the entry of a list that a widget shows, and the entries of other lists in which that list lies; the zero value is none.
type itemScope struct {
	In  []query.Entry
	Key string // tells scopes apart; "" is none
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

// PastKey tells the pasts of parameters apart, and is the program under which one is kept; those of entries are not kept: an entry
// is another one by the next start.
func (s *Spec) PastKey(of any, program string) (key any, kept string) {
	if scope := s.ItemScope(); scope.Key != "" {
		return struct {
			of    any
			scope string
		}{of, scope.Key}, ""
	}
	return of, program
}
