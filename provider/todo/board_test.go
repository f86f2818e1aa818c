package todo

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/budget"
	"dashboard/provider"
)

// A store is a provider.Store that stores nothing. The manager calls the method Kept of providers only if it has a store.
type store struct{}

func (store) Load(string, string) ([]byte, bool) { return nil, false }
func (store) Save(string, string, []byte) error  { return nil }

// A boardProvider is a Keeper that has a board.
type boardProvider struct{ b *Board }

func (p boardProvider) Run(ctx context.Context, cell *provider.Cell) error {
	return p.b.Run(ctx, cell, provider.Poll{Interval: time.Minute}, func(context.Context, bool) provider.Result {
		return provider.Result{Value: []any{map[string]any{"id": "1", "title": "Milk", "done": false}}}
	})
}
func (p boardProvider) Kept(any) ([]byte, error)               { p.b.Base(); return nil, nil }
func (p boardProvider) Restore([]byte, time.Time) (any, error) { return nil, nil }

// The manager calls Kept while the board publishes a value. This call does not cause a deadlock.
func TestBoardIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := provider.NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
		defer m.Close()
		m.Keep(store{})
		q := NewQueue("t", &memory{}, quiet)
		set := m.Begin()
		cell := set.Add("key", boardProvider{NewBoard(q, sourceFunc(func(context.Context, Change) error { return nil }))})
		m.Commit(set)
		synctest.Wait()
		if err := q.Put(Change{Task: "1", Title: "Milk", Done: true}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		list, _ := cell.Load().Value.([]any)
		if len(list) != 1 || list[0].(map[string]any)["task"] != "t:1" {
			t.Errorf("got %v", list)
		}
	})
}
