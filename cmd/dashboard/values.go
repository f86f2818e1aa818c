package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"

	"dashboard/cmd/shared/daemon"
	"dashboard/config"
	"dashboard/provider"
	"dashboard/provider/push"
	"dashboard/server"
	"dashboard/wall/fact"
)

// Bounds of what is shown of one value.
const (
	maxShownParts = 20000 // of a value asked for by its name: entries of lists and mappings
	maxListParts  = 2000  // of each where all are shown
	maxShownText  = 8192  // bytes of a text in it
	leastSecret   = 3     // bytes: shorter ones would be masked in the middle of words
)

// A seenSecrets remembers the secrets that a configuration has used, so that they can be masked.
type seenSecrets struct {
	mu  sync.Mutex
	all []string
}

// watch returns a source that gives what from does.
func (s *seenSecrets) watch(from config.SecretSource) config.SecretSource {
	return func(name string) (any, error) {
		v, err := from(name)
		if text := fmt.Sprint(v); err == nil && len(text) >= leastSecret {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.all = append(s.all, text, masked)
		}
		return v, err
	}
}

// masked stands for a secret.
const masked = "•••"

// mask is what replaces secrets by a sign.
func (s *seenSecrets) mask() *strings.Replacer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.NewReplacer(s.all...)
}

// A shower copies values for people: bounded, without secrets, and without what JSON has no words for.
type shower struct {
	mask *strings.Replacer
	left int
	cut  bool
}

// show returns a value as JSON, and whether something of it was left out.
func show(v any, parts int, mask *strings.Replacer) (text json.RawMessage, cut bool) {
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
	if t = s.mask.Replace(t); len(t) > maxShownText {
		s.cut = true
		t = strings.ToValidUTF8(t[:maxShownText], "") + "…"
	}
	return t
}

// value describes a provider.
func (g *generation) value(st provider.Status, parts int, now time.Time) server.Value {
	mask := g.secrets.mask()
	v := server.Value{Name: st.Name, Type: st.Kind, At: st.At, Age: fact.Age(now, st.At), Stale: st.Stale}
	if !st.At.IsZero() {
		v.Value, v.Cut = show(provider.Plain(st.Value), parts, mask)
	}
	if st.Err != nil {
		v.Error = mask.Replace(st.Err.Error())
	}
	return v
}

// values describes the named providers of a generation, or the one of a name; ok is false if there is none.
func (b *builder) values(g *generation, name string) (list []server.Value, ok bool) {
	parts := map[bool]int{true: maxListParts, false: maxShownParts}[name == ""]
	now := time.Now()
	for _, st := range b.providers.Status(now) {
		if st.Name != "" && (name == "" || name == st.Name) {
			list = append(list, g.value(st, parts, now))
		}
	}
	return list, name == "" || len(list) > 0
}

// Values implements server.Values.
func (s *service) Values(name string) ([]server.Value, bool) {
	return s.builder.values(s.main().shown.Load().gen, name)
}

// Put implements server.Values.
func (s *service) Put(name string, body []byte) error {
	p, ok := s.builder.providers.Find(name)
	if !ok {
		return server.ErrNoProvider
	}
	taker, ok := p.(*push.Provider)
	if !ok {
		return server.ErrNotPushed
	}
	return taker.Put(body)
}

// pushed reports whether any provider takes values from outside.
func (g *generation) pushed() bool {
	return slices.ContainsFunc(g.sources.Names(), func(n string) bool {
		p, _ := g.sources.Provider(n)
		_, ok := p.(*push.Provider)
		return ok
	})
}

// printValues asks every provider once and prints what it gives, or the one of a name.
func printValues(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	wake := make(chan struct{}, 1)
	awake := func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
	b := newBuilder(awake, slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelError})))
	defer b.providers.Close()
	g, report := b.load(o, alone(awake))
	if err := report.Pretty(stderr, daemon.IsTerminal(stderr)); err != nil {
		return err
	}
	if g == nil {
		return errWrong
	}
	names := g.sources.Names()
	if o.Name != "" && !slices.Contains(names, o.Name) {
		return fmt.Errorf("no provider is named '%s'; there are: %s", o.Name, cmp.Or(strings.Join(names, ", "), "none"))
	}
	b.providers.Commit(g.sources)
	b.await(ctx, wake)
	list, _ := b.values(g, o.Name)
	out := json.NewEncoder(stdout)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	if o.Name == "" {
		return out.Encode(slices.Concat([]server.Value{}, list))
	}
	if err := out.Encode(list[0]); err != nil || list[0].At.IsZero() {
		return cmp.Or(err, errors.New(o.Name+" gave no value"))
	}
	return nil
}
