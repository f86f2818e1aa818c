package sources

import (
	"context"
	"strings"

	"dashboard/internal/pyfmt"
	"dashboard/provider"
	"dashboard/provider/homeassistant"
	"dashboard/provider/query"
)

// Template returns a cell with the result of a template that Home Assistant renders. Home Assistant renders the template again when a
// value or an entity in the template changes.
func (s *Sources) Template(a query.Asker, q query.Template) (query.Words, bool) {
	s = s.of(a)
	ok := true
	var from []*provider.Cell
	for _, name := range q.Providers {
		c, known := s.Named(a, name)
		from, ok = append(from, c), ok && known
	}
	home, err := homeassistant.NewHome(q.URL, q.Secret, q.Token, homeassistant.Deps{Client: s.client, Sessions: s.Sessions})
	if err != nil {
		key, why, _ := strings.Cut(err.Error(), ": ") // `key` is url or token
		a.Errorf("hass_"+key, "%s", why)
		ok = false
	}
	if !ok {
		return query.Words{}, false
	}
	text := s.derive(a, "template", []any{q.Providers, q.Template}, false, func(_ context.Context, values []any) (any, error) {
		return filled(q, values), nil
	}, from...)
	key, p := home.Render(text)
	return words(s.add(a, key, p), func(s *provider.Sample, _ bool) string {
		if !s.Has() {
			return q.Fallback
		}
		return ""
	}), true
}

// filled() returns statements that set the variables of the template to the values, followed by the template. The statements have
// Python's syntax.
func filled(q query.Template, values []any) string {
	var b []byte
	for i, name := range q.Providers {
		b = append(b, "{% set provider_"+name+" = "...)
		b = pyfmt.AppendRepr(b, values[i])
		b = append(b, " %}\n"...)
	}
	return string(b) + homeassistant.Mark + q.Template
}
