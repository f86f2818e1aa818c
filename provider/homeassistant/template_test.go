package homeassistant

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	fake "dashboard/internal/testing/homeassistanttest"
	"dashboard/provider"
)

// templates() starts a provider with the templates in `all`. It returns the cell of the provider's value and the cell of the template
// `one`.
func (h *house) templates(t *testing.T, all map[string]string, one string) (whole, part *provider.Cell) {
	t.Helper()
	whole, parts := h.parts(t, all, one)
	return whole, parts[0]
}

// parts() starts a provider with the templates in `all`. It returns the cell of the provider's value and the cells of the entries
// `names`.
func (h *house) parts(t *testing.T, all map[string]string, names ...string) (whole *provider.Cell, parts []*provider.Cell) {
	t.Helper()
	set := h.manager.Begin()
	key, p, err := New(&Params{URL: "http://ha.test:8123", Token: fake.Token, Templates: all}, h.deps)
	if err != nil {
		t.Fatal(err)
	}
	whole = set.Add(key, p)
	set.Name("homeassistant", key)
	for _, name := range names {
		part, ok, err := provider.Part(set, "homeassistant", name, provider.Place{At: "widgets.yaml:1:1"})
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		parts = append(parts, part)
	}
	h.manager.Commit(set)
	h.pass(2 * time.Second)
	return whole, parts
}

// TestTemplates: results are published with converted types, also after the connection was lost and opened again. An error affects only
// its own template.
func TestTemplates(t *testing.T) {
	s := &fake.Server{}
	s.Put("light.a", "on", nil)
	var answer atomic.Value
	answer.Store(any(21.5))
	s.Render = func(text string) (any, error) {
		if strings.Contains(text, "bad") {
			return nil, errors.New("TemplateSyntaxError: unexpected '}'")
		}
		return answer.Load(), nil
	}
	inHouse(t, s, func(h *house) {
		whole, sum := h.templates(t, map[string]string{"sum": "{{ 1 }}", "wrong": "{{ bad }"}, "sum")
		if sum.Load().Value != 21.5 || sum.Load().Err != nil {
			t.Errorf("got %v, %v", sum.Load().Value, sum.Load().Err)
		}
		asked := s.Asked("render_template")
		if len(asked) == 0 || asked[0]["report_errors"] != true || asked[0]["timeout"] != float64(templateTime) {
			t.Errorf("asked for %v", asked)
		}
		if all, _ := whole.Load().Value.(map[string]any); all["sum"] != 21.5 || all["wrong"] != nil {
			t.Errorf("the mapping: got %v", all)
		}
		seq := sum.Load().Seq
		s.Rendered()
		if h.pass(time.Second); sum.Load().Seq != seq {
			t.Error("the same result draws anew")
		}
		h.pass(time.Hour)
		if sum.Load().Stale(time.Now()) {
			t.Error("a value that did not change is out of date after an hour")
		}
		h.away.Store(true)
		s.Drop()
		h.pass(2 * time.Minute)
		if sample := sum.Load(); sample.Err == nil || sample.Value != 21.5 || !sample.Stale(time.Now()) {
			t.Errorf("away: got %v, %v", sample.Value, sample.Err)
		}
		answer.Store(any(22.5))
		h.away.Store(false)
		h.pass(2 * time.Minute)
		if sample := sum.Load(); sample.Err != nil || sample.Value != 22.5 {
			t.Errorf("back: got %v, %v", sample.Value, sample.Err)
		}
	})
}

// TestTemplateErrors: errors of an accepted template are reported. A warning concerns the result that follows the warning.
func TestTemplateErrors(t *testing.T) {
	s := &fake.Server{}
	var last *fake.Client
	var id int
	s.Before = func(c *fake.Client, m map[string]any) bool {
		if m["type"] == "render_template" {
			if last == nil {
				last, id = c, int(m["id"].(float64))
			}
			c.Result(int(m["id"].(float64)), nil)
		}
		return m["type"] == "render_template"
	}
	inHouse(t, s, func(h *house) {
		_, one := h.templates(t, map[string]string{"one": "{{ x }}"}, "one")
		tell := func(e map[string]any) *provider.Sample {
			for n := id - 4; n < id+4; n++ { // two of these IDs belong to the subscriptions for the provider's value and for the template
				last.Event(n, e)
			}
			h.pass(time.Second)
			return one.Load()
		}
		if got := tell(map[string]any{"error": "'x' is undefined", "level": "WARNING"}); got.Has() || got.Err != nil {
			t.Errorf("a warning alone: got %v, %v", got.Value, got.Err)
		}
		if got := tell(map[string]any{"result": "", "listeners": map[string]any{}}); got.Value != "" || got.Err == nil || !strings.Contains(got.Err.Error(), "'x' is undefined") {
			t.Errorf("with its result: got %v, %v", got.Value, got.Err)
		}
		if got := tell(map[string]any{"result": "well"}); got.Value != "well" || got.Err != nil {
			t.Errorf("mended: got %v, %v", got.Value, got.Err)
		}
		if got := tell(map[string]any{"error": "ZeroDivisionError " + strings.Repeat("é", 999), "level": "ERROR"}); got.Value != "well" || got.Err == nil || len(got.Err.Error()) > 300 {
			t.Errorf("an error: got %v, %v", got.Value, got.Err)
		}
		for _, e := range []map[string]any{{}, {"result": []any{1, map[string]any{"a": nil}}}, {"error": 7}, {"level": "ERROR"}} {
			tell(e)
		}
		if got := one.Load(); got.Err != nil {
			t.Errorf("a list: got %v, %v", got.Value, got.Err)
		}
	})
}

func TestTemplateMistakes(t *testing.T) {
	many := map[string]string{}
	for n := range MaxTemplates + 1 {
		many[strings.Repeat("x", n+1)] = "{{ 1 }}"
	}
	for want, all := range map[string]map[string]string{
		"templates: more than 32":                  many,
		`templates: "light.a" is not a valid name`: {"light.a": "x"},
		"templates.empty: must be a templ":         {"empty": " "},
		"templates.long: must be a templa":         {"long": strings.Repeat("x", maxTemplate+1)},
	} {
		if _, _, err := New(&Params{URL: "http://ha.test", Token: "t", Templates: all}, Deps{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	_, p, err := New(&Params{URL: "http://ha.test", Token: "t", Templates: map[string]string{"total": "x"}}, Deps{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.Part("totl"); err == nil || !strings.Contains(err.Error(), "is total meant") {
		t.Errorf("got %v", err)
	}
}

// checkRendering passes an event of a template to a rendering and checks the published value.
func checkRendering(t *testing.T, m map[string]any, text bool) {
	t.Helper()
	r := &rendering{cell: provider.NewCell(nil)}
	if text {
		r.from = provider.NewCell(nil)
	}
	for range 2 {
		r.take(m, nil)
	}
	s := r.cell.Load()
	if v, is := s.Value.(string); text && s.Has() && (!is || len(v) > maxText) {
		t.Errorf("got %T of %d bytes", s.Value, len(v))
	}
	if s.Err != nil && len(s.Err.Error()) > 300 {
		t.Errorf("an error of %d bytes", len(s.Err.Error()))
	}
}
