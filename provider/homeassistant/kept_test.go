package homeassistant

import (
	"io"
	"log/slog"
	"testing"
	"time"

	"dashboard/internal/budget"
	keeping "dashboard/internal/state"
	fake "dashboard/internal/testing/homeassistanttest"
	"dashboard/provider"
)

// TestRestart restarts a wall while Home Assistant is unavailable. The wall's entities and templates are restored, but their values are
// stale.
func TestRestart(t *testing.T) {
	s := &fake.Server{}
	s.Put("light.a", "on", map[string]any{"brightness": 128, "share": 0.5, "list": []any{1, 2.0, "x"}})
	store, err := keeping.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	inHouse(t, s, func(h *house) {
		again := func() {
			h.manager.Close()
			h.manager = provider.NewManager(budget.New(), func() {}, slog.New(slog.NewTextHandler(io.Discard, nil)))
			h.manager.Keep(store)
			h.deps.Sessions = h.manager.Sessions()
		}
		again()
		whole, cells := h.run(fake.Token, "light.a")
		h.pass(5 * time.Second)
		if state(cells[0]) != "on" || !whole.Load().Has() {
			t.Fatalf("got %+v, %+v at first", *cells[0].Load(), *whole.Load())
		}
		h.away.Store(true)
		s.Drop()
		at := cells[0].Load().At
		again()
		time.Sleep(time.Hour)
		whole, cells = h.run(fake.Token, "light.a")
		for _, c := range []*provider.Cell{whole, cells[0]} {
			if s := c.Load(); !s.Has() || s.Err == nil || !s.Stale(time.Now()) {
				t.Errorf("away: got %+v, want the last value, stale", *s)
			}
		}
		if got := cells[0].Load(); state(cells[0]) != "on" || !got.At.Equal(at) {
			t.Errorf("got %v of %v, want what was at %v", got.Value, got.At, at)
		}
		h.away.Store(false)
		h.pass(2 * time.Minute)
		if got := cells[0].Load(); got.Err != nil || got.Stale(time.Now()) || got.Seq != 1 {
			t.Errorf("back: got %+v, want the same value, confirmed", *got)
		}
	})
}
