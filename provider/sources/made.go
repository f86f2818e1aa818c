package sources

import (
	"strings"

	"dashboard/provider"
	"dashboard/provider/query"
)

// Made returns the cell of the provider that a widget uses. The provider has the given type and name. If `name` is "", Made uses the only
// provider of that type. An error is reported at the key "provider", or at the widget if there is no provider of that type.
func (s *Sources) Made(a query.Asker, kind, name string) (*provider.Cell, bool) {
	s = s.of(a)
	name, ok := s.madeName(a, kind, name)
	if !ok {
		return nil, false
	}
	return s.set.Named(name)
}

// madeName returns the name of the provider that a widget uses.
func (s *Sources) madeName(a query.Asker, kind, name string) (string, bool) {
	if name == "" {
		return s.only(a, kind)
	}
	if _, ok := s.set.Named(name); !ok {
		a.Errorf("provider", "no provider is named '%s'%s", name, s.hint(name))
		return "", false
	}
	if got := s.Kind(name); got != kind {
		a.Errorf("provider", "'%s' is of type %s; this widget needs one of type %s", name, got, kind)
		return "", false
	}
	return name, true
}

// only() returns the name of the only provider of a type. It reports an error if the number of such providers is not one.
func (s *Sources) only(a query.Asker, kind string) (string, bool) {
	names := s.ofKind(kind)
	switch len(names) {
	case 1:
		return names[0], true
	case 0:
		a.Errorf("", "needs a provider of type %s, and there is none in providers.yaml", kind)
	default:
		a.Errorf("provider", "there are several providers of type %s; name one of them: %s", kind, strings.Join(names, ", "))
	}
	return "", false
}

// ofKind returns the names of all providers of a type.
func (s *Sources) ofKind(kind string) (names []string) {
	for _, n := range s.set.Names() {
		if s.Kind(n) == kind {
			names = append(names, n)
		}
	}
	return names
}

// Kind returns the type of a provider, or "" if it is unknown.
func (s *Sources) Kind(name string) string {
	p, _ := s.set.Provider(name)
	if k, ok := p.(provider.Kinder); ok {
		return k.Kind()
	}
	return ""
}
