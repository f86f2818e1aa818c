package sources

import (
	"slices"
	"strings"

	"dashboard/internal/extract"
	"dashboard/internal/spelling"
	"dashboard/provider"
	"dashboard/provider/query"
)

// tellPath reports an error if a path begins with a key that the provider never publishes. The error names the configuration key of the
// path.
func (s *Sources) tellPath(a query.Asker, name string, pick query.Pick) {
	if p, err := extract.ParsePath(pick.Path); err == nil && p.Key() != "" {
		s.tellKeys(a, pick.PathKey, name, p.Key())
	}
}

// tellParts reports the keys that programs read, but that the providers never publish.
func (s *Sources) tellParts(a query.Asker, key string, programs ...*extract.Program) {
	for _, p := range programs {
		for _, name := range p.Names() {
			parts, _ := p.Parts(name)
			s.tellKeys(a, key, name, parts...)
		}
	}
}

// tellKeys reports each key in `asked` that a provider never publishes. It does nothing if the provider's keys are not known before it
// runs.
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
