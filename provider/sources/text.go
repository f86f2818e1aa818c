package sources

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"dashboard/internal/extract"
	"dashboard/internal/pyfmt"
	"dashboard/provider"
	"dashboard/provider/query"
	"dashboard/provider/rest"
)

const (
	// Placeholder is shown before the first value, and if an answer does not contain the value.
	Placeholder = "--"
	// MaxText is the maximum length of a text from outside, in bytes. No widget has room for more. Without the limit, the layout of a
	// whole document that was sent by mistake would block the wall.
	MaxText = 4096
)

// Text returns a cell with a provider's value as text.
func (s *Sources) Text(a query.Asker, q query.Text) (query.Words, bool) {
	s = s.of(a)
	src, ok := s.value(a, q.Value)
	f, sound := format(a, q.Format)
	if !ok || !sound {
		return query.Words{}, false
	}
	instead := func(err error) string {
		if err != nil && q.ShowErrors {
			return Short("Error: " + err.Error())
		}
		return q.Fallback
	}
	made := s.derive(a, "text", []any{q.Pick.Path, q.Pick.JQ, q.Format, q.Fallback, q.ShowErrors}, false,
		func(ctx context.Context, values []any) (any, error) {
			v, err := src.pick.Apply(ctx, values[0])
			if err != nil || v == nil {
				return instead(err), err
			}
			text, err := f.Append(nil, v)
			if err != nil {
				return instead(err), err
			}
			return Short(string(text)), nil
		}, src.cell)
	return words(made, func(s *provider.Sample, stale bool) string {
		if !s.Has() || stale && s.Err != nil && q.ShowErrors {
			return instead(s.Err)
		}
		return ""
	}), true
}

// Answer returns a cell with the answer of an address as text.
func (s *Sources) Answer(a query.Asker, q query.Answer) (query.Words, bool) {
	s = s.of(a)
	cell, ok := s.answers(a, &q.Address)
	f, sound := format(a, q.Format)
	if !ok || !sound {
		return query.Words{}, false
	}
	made := s.derive(a, "rest", q.Format, false, func(_ context.Context, values []any) (any, error) {
		return formatted(f, values[0]), nil
	}, cell)
	return words(made, func(s *provider.Sample, _ bool) string {
		var picked *extract.Error
		switch {
		case s.Has() && !errors.As(s.Err, &picked):
			return ""
		case s.Err == nil:
			return formatted(f, Placeholder)
		}
		return formatted(f, rest.Text(s.Err))
	}), true
}

// Choice returns a cell with a provider's value as text. Widgets compare this text with other texts. null counts as no value.
func (s *Sources) Choice(a query.Asker, q query.Value) (provider.Typed[string], bool) {
	s = s.of(a)
	src, ok := s.value(a, q)
	if !ok {
		return provider.Typed[string]{}, false
	}
	return provider.Typed[string]{Cell: s.derive(a, "choice", []string{q.Pick.Path, q.Pick.JQ}, false, func(ctx context.Context, values []any) (any, error) {
		if values[0] == nil {
			return nil, errNull
		}
		v, err := src.pick.Apply(ctx, values[0])
		if err != nil {
			return nil, err
		}
		return chosen(v), nil
	}, src.cell)}, true
}

// errNull is returned for a value that is null.
var errNull = errors.New("the provider gave null")

// AddressChoice returns a cell with the answer of an address as text. Widgets compare this text with other texts.
func (s *Sources) AddressChoice(a query.Asker, q query.Address) (provider.Typed[string], bool) {
	s = s.of(a)
	cell, ok := s.answers(a, &q)
	if !ok {
		return provider.Typed[string]{}, false
	}
	return provider.Typed[string]{Cell: s.derive(a, "choice", nil, false, func(_ context.Context, values []any) (any, error) {
		return chosen(values[0]), nil
	}, cell)}, true
}

// answers() returns the cell with the answer of an address. Equal requests share one provider.
func (s *Sources) answers(a query.Asker, q *query.Address) (*provider.Cell, bool) {
	c, err := rest.ForWidget(q)
	if err != nil {
		key, message, _ := strings.Cut(err.Error(), ": ")
		a.Errorf(key, "%s", message)
		return nil, false
	}
	return s.add(a, c.Key(), rest.New(c, s.client)), true
}

func words(cell *provider.Cell, instead func(*provider.Sample, bool) string) query.Words {
	return query.Words{Typed: provider.Typed[string]{Cell: cell}, Instead: instead}
}

// chosen() returns a value as text for Choice and AddressChoice.
func chosen(v any) string { return Short(strings.TrimSpace(pyfmt.Str(v))) }

// formatted() returns a formatted value. If the value does not fit the format, it returns the value as text. It cuts a long text.
func formatted(f *pyfmt.Format, v any) string { return Short(string(f.AppendOr(nil, v))) }

// Short cuts a text to [MaxText] bytes.
func Short(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= MaxText {
		return s
	}
	cut := MaxText
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
