package scene

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"

	"dashboard/config"
	"dashboard/provider"
	"dashboard/provider/push"
	"dashboard/server"
	"dashboard/wall/fact"
)

// Limits for showing values to a person.
const (
	maxShownParts = 20000 // maximum number of parts (lists, mappings and their entries) of a single requested value
	MaxListParts  = 2000  // maximum number of parts of each value if all values are listed
	MaxShownText  = 8192  // maximum length of a text, in bytes
	leastSecret   = 3     // minimum length of a masked secret, because shorter texts may be part of words
)

// A SeenSecrets records the secrets that a configuration uses, so that they can be masked in texts.
type SeenSecrets struct {
	mu  sync.Mutex
	all []string
}

// Watch returns a source of secrets. It gets the secrets from the source `from` and records them.
func (s *SeenSecrets) Watch(from config.SecretSource) config.SecretSource {
	return func(name string) (any, error) {
		v, err := from(name)
		if text := fmt.Sprint(v); err == nil && len(text) >= leastSecret {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.all = append(s.all, text, Masked)
		}
		return v, err
	}
}

// Masked is the text that replaces a secret.
const Masked = "•••"

// Mask returns a replacer that masks the secrets.
func (s *SeenSecrets) Mask() *strings.Replacer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.NewReplacer(s.all...)
}

// A shower copies a value for display. It limits the value's size, masks secrets, and removes parts that JSON cannot contain.
type shower struct {
	mask *strings.Replacer
	left int
	cut  bool
}

// Show returns a value as JSON with at most the given number of parts. `cut` is true if something was left out.
func Show(v any, parts int, mask *strings.Replacer) (text json.RawMessage, cut bool) {
	s := shower{mask: mask, left: parts}
	text, err := json.Marshal(s.part(v))
	if err != nil {
		return nil, true
	}
	return text, s.cut
}

func (s *shower) part(v any) any {
	s.left--
	switch v := v.(type) {
	case string:
		return s.text(v)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		return v
	case nil, bool, int, *big.Int:
		return v
	case []any:
		list := make([]any, 0, min(len(v), max(s.left, 0)))
		for _, e := range v {
			if s.left <= 0 {
				s.cut = true
				break
			}
			list = append(list, s.part(e))
		}
		return list
	case map[string]any:
		m := map[string]any{}
		for k, e := range v {
			if s.left <= 0 {
				s.cut = true
				break
			}
			m[s.text(k)] = s.part(e)
		}
		return m
	}
	return s.text(fmt.Sprint(v))
}

func (s *shower) text(t string) string {
	if t = s.mask.Replace(t); len(t) > MaxShownText {
		s.cut = true
		t = strings.ToValidUTF8(t[:MaxShownText], "") + "…"
	}
	return t
}

// Value returns the server's description of a provider's value.
func (g *Generation) Value(st provider.Status, parts int, now time.Time) server.Value {
	mask := g.Secrets.Mask()
	v := server.Value{Name: st.Name, Type: st.Kind, At: st.At, Age: fact.Age(now, st.At), Stale: st.Stale}
	if !st.At.IsZero() {
		v.Value, v.Cut = Show(provider.Plain(st.Value), parts, mask)
	}
	if st.Err != nil {
		v.Error = mask.Replace(st.Err.Error())
	}
	return v
}

// Values returns the descriptions of all providers with names, or only of the provider with the
// given name. ok is false if there is no such provider.
func (b *Builder) Values(g *Generation, name string) (list []server.Value, ok bool) {
	parts := map[bool]int{true: MaxListParts, false: maxShownParts}[name == ""]
	now := time.Now()
	for _, st := range b.Providers.Status(now) {
		if st.Name != "" && (name == "" || name == st.Name) {
			list = append(list, g.Value(st, parts, now))
		}
	}
	return list, name == "" || len(list) > 0
}

// Pushed reports whether a provider of the wall has the type push, so that other programs send values to it.
func (g *Generation) Pushed() bool {
	return slices.ContainsFunc(g.Sources.Names(), func(n string) bool {
		p, _ := g.Sources.Provider(n)
		_, ok := p.(*push.Provider)
		return ok
	})
}
