package sources

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/budget"
	"dashboard/provider"
	"dashboard/provider/query"
)

// A constant is a provider with a single value.
type constant struct{ v any }

func (c constant) Run(ctx context.Context, cell *provider.Cell) error {
	cell.Publish(c.v, time.Now())
	<-ctx.Done()
	return nil
}

// build returns a set with a provider that has the name home, the Sources of this set, an asker, and the errors that the asker receives.
func build(m *provider.Manager) (*provider.Set, *Sources, query.Asker, *[]string) {
	set := m.Begin()
	set.Add("home", constant{map[string]any{"lamp.hall": map[string]any{"state": "on"}, "list": []any{1, 2, 3}}})
	set.Name("home", "home")
	told := &[]string{}
	return set, New(set, nil), query.Asker{Kind: "card", Pos: "widgets.yaml:4:1", Errorf: func(key, format string, args ...any) {
		*told = append(*told, key+": "+fmt.Sprintf(format, args...))
	}}, told
}

func TestLiveSelectAndRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := provider.NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
		defer m.Close()
		set, s, a, told := build(m)
		state, ok1 := s.Live(a, "value", `.home["lamp.hall"].state`)
		lamp, ok2 := s.Select(a, "home", "lamp.hall")
		none, ok3 := s.Select(a, "home", "lamp.attic")
		rows, ok4 := s.Rows(a, "items", ".home.list", 2, []string{".item * 10", ".index"}, nil)
		bad, ok5 := s.Live(a, "value", `.home.list + "x"`)
		if !(ok1 && ok2 && ok3 && ok4 && ok5) || len(*told) > 0 {
			t.Fatalf("told %v", *told)
		}
		m.Commit(set)
		synctest.Wait()
		if v := state.Load().Value; v != "on" {
			t.Errorf("live: got %v", v)
		}
		if v, _ := lamp.Load().Value.(map[string]any); v["state"] != "on" {
			t.Errorf("select: got %v", lamp.Load())
		}
		if err := none.Load().Err; err == nil || !strings.Contains(err.Error(), "home has no lamp.attic") {
			t.Errorf("select what is not there: got %v", err)
		}
		if v, _ := rows.Value(rows.Load()); len(v.List) != 2 || v.List[1][0].Value != 20 || v.List[1][1].Value != 1 {
			t.Errorf("rows: got %v", v)
		}
		if ps := s.Problems(); bad.Load().Err == nil || len(ps) != 1 || ps[0].Place.At != "widgets.yaml:4:1" || ps[0].Place.What != "card" {
			t.Errorf("a program that fails: got %v", ps)
		}
	})
}

func TestMistakesOfPrograms(t *testing.T) {
	m := provider.NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
	defer m.Close()
	_, s, a, told := build(m)
	for code, want := range map[string]string{".hom.x": "is .home meant?", ".home |": "value: jq:", "now": "write .now", ".item": "only there in a row"} {
		*told = nil
		if _, ok := s.Live(a, "value", code); ok || len(*told) != 1 || !strings.Contains((*told)[0], want) {
			t.Errorf("%s: got %v, %q, want %q", code, ok, *told, want)
		}
	}
	*told = nil
	if _, ok := s.Rows(a, "items", ".home.list", 5, []string{".item |"}, nil); ok || len(*told) != 1 {
		t.Errorf("rows: told %q", *told)
	}
	if _, ok := s.Select(a, "hme", "x"); ok || !strings.Contains((*told)[1], "is 'home' meant?") {
		t.Errorf("select: told %q", *told)
	}
}
