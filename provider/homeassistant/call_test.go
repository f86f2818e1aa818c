package homeassistant

import (
	"strings"
	"testing"
	"time"

	fake "dashboard/internal/testing/homeassistanttest"
)

// TestCall calls a service with an entity and data over the open connection. If Home Assistant rejects the call, Call returns an error.
func TestCall(t *testing.T) {
	s := &fake.Server{Before: func(c *fake.Client, m map[string]any) bool {
		if m["type"] == "call_service" && m["domain"] == "lock" {
			id, _ := m["id"].(float64)
			c.Refuse(int(id), "unauthorized", "Unauthorized")
			return true
		}
		return false
	}}
	inHouse(t, s, func(h *house) {
		home, err := NewHome("http://ha.test:8123", false, fake.Token, h.deps)
		if err != nil {
			t.Fatal(err)
		}
		ctx := h.t.Context()
		if err := home.Call(ctx, "light.turn_on", "light.hall", map[string]any{"brightness": 40}); err != nil {
			t.Fatal(err)
		}
		asked := s.Asked("call_service")
		if len(asked) != 1 {
			t.Fatalf("asked %v", asked)
		}
		got := asked[0]
		target, _ := got["target"].(map[string]any)
		data, _ := got["service_data"].(map[string]any)
		if got["domain"] != "light" || got["service"] != "turn_on" || target["entity_id"] != "light.hall" || data["brightness"] != 40.0 {
			t.Errorf("got %v", got)
		}
		if err := home.Call(ctx, "lock.open", "", nil); err == nil || !strings.Contains(err.Error(), "Unauthorized") {
			t.Errorf("refused: got %v", err)
		}
		for _, bad := range [][2]string{{"light", ""}, {"light.", ""}, {".on", ""}, {"light.turn.on", ""}, {strings.Repeat("x", 300) + ".y", ""}, {"light.turn_on", "hall"}} {
			if err := home.Call(ctx, bad[0], bad[1], nil); err == nil {
				t.Errorf("%.40q %q: no error", bad[0], bad[1])
			}
		}
		if n := len(s.Asked("call_service")); n != 2 {
			t.Errorf("%d calls have come", n)
		}
	})
}

func TestCalendarAddress(t *testing.T) {
	h, err := NewHome("http://home.lan:8123/", true, "tok", Deps{})
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	r, err := h.Calendar("calendar.family", day, day.AddDate(0, 0, 1))
	if err != nil || r.URL != "http://home.lan:8123/api/calendars/calendar.family?end=2026-05-02T00%3A00%3A00Z&start=2026-05-01T00%3A00%3A00Z" || r.Auth.Bearer != "tok" || !r.Secret {
		t.Errorf("got %+v, %v", r, err)
	}
	for _, bad := range []string{"light.hall", "calendar.a/../../states", "calendar.a?x", "calendar", ""} {
		if _, err := h.Calendar(bad, day, day); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
