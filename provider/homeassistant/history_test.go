package homeassistant

import (
	"fmt"
	"strings"
	"testing"
	"time"

	fake "dashboard/internal/testing/homeassistanttest"
	"dashboard/provider"
)

// For any answer, the history has the numbers at their times, gaps for all other states, and at most MaxPoints points.
func TestHistory(t *testing.T) {
	many := make([]any, 0, 50_000)
	for i := range cap(many) {
		many = append(many, map[string]any{"s": fmt.Sprint(i), "lu": 946684800 - 86400 + float64(i)})
	}
	s := &fake.Server{History: map[string][]any{
		"sensor.a": {
			map[string]any{"s": "1.5", "a": map[string]any{}, "lu": 9.46684700e8}, map[string]any{"s": "unavailable", "lu": 9.46684750e8},
			map[string]any{"s": 7, "lu": 1}, 5, map[string]any{"lu": 9.46684760e8}, map[string]any{"s": "9", "lu": "x"}, map[string]any{"s": "2", "lc": 9.46684790e8},
			map[string]any{"s": "3", "lu": 9e12},
		},
		"sensor.many": many,
	}}
	inHouse(t, s, func(h *house) {
		home, err := NewHome("http://ha.test:8123", false, fake.Token, h.deps)
		if err != nil {
			t.Fatal(err)
		}
		set := h.manager.Begin()
		var cells []*provider.Cell
		for _, id := range []string{"sensor.a", "sensor.many", "sensor.none"} {
			key, p, err := home.History(id, 24*time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			cells = append(cells, set.Add(key, p))
		}
		h.manager.Commit(set)
		h.pass(5 * time.Second)
		if got := fmt.Sprint(cells[0].Load().Value); got != "[[9.466847e+08 1.5] [9.4668475e+08 <nil>] [9.4668479e+08 2]]" {
			t.Errorf("got %s, %v", got, cells[0].Load().Err)
		}
		all, _ := cells[1].Load().Value.([]any)
		if n := len(all); n > MaxPoints || n < MaxPoints/3 {
			t.Errorf("of 50000 states %d are kept", n)
		}
		if list, _ := cells[2].Load().Value.([]any); len(list) != 0 || !cells[2].Load().Has() {
			t.Errorf("without a past: got %v", cells[2].Load())
		}
		asked := s.Asked("history/history_during_period")[0]
		if !strings.HasPrefix(fmt.Sprint(asked["entity_ids"]), "[sensor.") || asked["no_attributes"] != true || asked["start_time"] == "" {
			t.Errorf("asked %v", asked)
		}
	})
	if _, _, err := (&Home{}).History("x", time.Hour); err == nil || !strings.Contains(err.Error(), "not an entity") {
		t.Errorf("got %v", err)
	}
}

// A refused history is logged once, with its cause. A lost connection is not logged for the history.
func TestHistoryRefused(t *testing.T) {
	s := &fake.Server{Before: func(c *fake.Client, m map[string]any) bool {
		id, _ := m["id"].(float64)
		refused := m["type"] == "history/history_during_period"
		if refused {
			c.Refuse(int(id), "unknown_command", "Unknown command.")
		}
		return refused
	}}
	inHouse(t, s, func(h *house) {
		home, err := NewHome("http://ha.test:8123", false, fake.Token, h.deps)
		if err != nil {
			t.Fatal(err)
		}
		key, p, err := home.History("sensor.a", time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		for _, away := range []bool{false, true} {
			h.away.Store(away)
			h.log.Reset()
			set := h.manager.Begin()
			cell := set.Add(fmt.Sprint(key, away), p)
			h.manager.Commit(set)
			h.pass(5 * time.Minute)
			if n := h.log.Count("kind=history"); cell.Load().Err == nil || (n == 1) == away || n > 1 {
				t.Errorf("away %v: got %v and the log\n%s", away, cell.Load().Err, h.log)
			}
			h.manager.Commit(h.manager.Begin())
			h.pass(5 * time.Minute)
		}
	})
}
