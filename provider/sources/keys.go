package sources

import (
	"slices"
	"strings"

	"dashboard/internal/extract"
	"dashboard/internal/spelling"
	"dashboard/provider"
	"dashboard/provider/query"
)

// tellPath reports a path that begins with a key that its provider never has. The error is at the key of the path.
func (s *Sources) tellPath(a query.Asker, name string, pick query.Pick) {
	if p, err := extract.ParsePath(pick.Path); err == nil && p.Key() != "" {
		s.tellKeys(a, pick.PathKey, name, p.Key())
	}
}

// tellParts reports the keys that programs read and that their providers never have.
func (s *Sources) tellParts(a query.Asker, key string, programs ...*extract.Program) {
	for _, p := range programs {
		for _, name := range p.Names() {
			parts, _ := p.Parts(name)
			s.tellKeys(a, key, name, parts...)
		}
	}
}

// tellKeys reports the keys that a provider with a fixed set of keys does not have.
func (s *Sources) tellKeys(a query.Asker, key, name string, asked ...string) {
	p, _ := s.set.Provider(name)
	k, ok := p.(provider.Keyed)
	if !ok {
		return
	}
	for _, part := range asked {
		if slices.Contains(k.Keys(), part) {
			continue
		}
		hint := "; it gives " + strings.Join(k.Keys(), ", ")
		if near := spelling.Nearest(part, k.Keys()); near != "" {
			hint = "; is '" + near + "' meant?"
		}
		a.Errorf(key, "provider %s gives no '%s'%s", name, part, hint)
	}
}
