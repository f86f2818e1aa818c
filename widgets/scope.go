package widgets

import (
	"fmt"
	"slices"

	"dashboard/provider/query"
)

// itemScope is the entry of a list that a widget shows, and the entries of other lists in which that list lies; the zero value is none.
type itemScope struct {
	in  []query.Entry
	key string // tells scopes apart; "" is none
}

// within is the scope of an entry of a list in this scope.
func (sc itemScope) within(items string, index int) *itemScope {
	in := append(slices.Clip(sc.in), query.Entry{Items: items, Index: index})
	return &itemScope{in, fmt.Sprintf("%s%q %d ", sc.key, items, index)}
}

// itemScope is the entry that programs of the widget have.
func (s *Spec) itemScope() itemScope {
	for ; s != nil; s = s.parent {
		if s.scope != nil {
			return *s.scope
		}
	}
	return itemScope{}
}

// pastKey tells the pasts of parameters apart, and is the program under which one is kept; those of entries are not kept: an entry
// is another one by the next start.
func (s *Spec) pastKey(of any, program string) (key any, kept string) {
	if scope := s.itemScope(); scope.key != "" {
		return struct {
			of    any
			scope string
		}{of, scope.key}, ""
	}
	return of, program
}
