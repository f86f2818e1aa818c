package homeassistant

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	fake "dashboard/internal/testing/homeassistanttest"
	"dashboard/internal/testing/thorough"
	"dashboard/provider"
)

// Hostile servers answer instead of Home Assistant. The cells then have an error or their previous value, and the connection tries again
// after pauses. When the real server answers again, the values return.
func TestHostileServers(t *testing.T) {
	thorough.Only(t)
	events := func(raw ...string) func(c *fake.Client, m map[string]any) bool {
		return func(c *fake.Client, m map[string]any) bool {
			if m["type"] != "subscribe_entities" {
				return false
			}
			for _, text := range raw {
				c.SendRaw([]byte(strings.ReplaceAll(text, "ID", fmt.Sprint(m["id"]))))
			}
			return true
		}
	}
	for name, h := range map[string]struct {
		serve  http.HandlerFunc // answers instead of the fake Home Assistant
		before func(c *fake.Client, m map[string]any) bool
		want   string // text in the error of the entity or in the log
	}{
		"hang":   {serve: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, want: "timed out"},
		"page":   {serve: func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, want: "200"},
		"refuse": {serve: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }, want: "403"},
		"redirect": {serve: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://other.test/", http.StatusFound)
		}, want: "404"},
		"silence": {before: func(_ *fake.Client, m map[string]any) bool { return m["type"] == "ping" }, want: "ping"},
		"half":    {before: events(`{"id":ID,"type":"event","event":{"a":{"light.a":{"s":"o`), want: "JSON"},
		"no JSON": {before: events("hello"), want: "JSON"},
		"no map":  {before: events("[[1,2]]"), want: "not Home Assistant"},
		"bomb":    {before: events(`{"id":ID,"type":"event","event":{"a":{"light.a":{"s":"` + strings.Repeat("x", MaxMessage) + `"}}}}`), want: "more than"},
		"memory":  {before: events(`{"id":ID,"type":"event","event":{"a":{"light.a":{"s":"x","a":{"l":[` + strings.Repeat("{},", 1<<20) + `0]}}}}}`), want: "memory"},
		"deep":    {before: events(strings.Repeat("[", 1<<20)), want: "lists and mappings in each other"},
		"growth": {before: events(
			`{"id":ID,"type":"event","event":{"a":{"light.a":{"s":"on"}}}}`,
			`{"id":ID,"type":"event","event":{"c":{"light.a":{"+":{"a":{"x":"`+strings.Repeat("x", maxEntity/2)+`"}}}}}}`,
			`{"id":ID,"type":"event","event":{"c":{"light.a":{"+":{"a":{"y":"`+strings.Repeat("y", maxEntity/2)+`"}}}}}}`,
			`{"id":ID,"type":"event","event":{"c":{"light.a":{"+":{"s":"off"}}}}}`), want: "KiB of one entity"},
		"lie": {before: events(
			`{"id":ID,"type":"event","event":{"a":{"light.a":7,"":{"s":"x"},"light.other":{"s":"on"}},"c":[1],"r":"x"}}`,
			`{"id":ID,"type":"event","event":{"c":{"light.a":{"+":1,"-":{"a":{"x":1}}},"light.none":{"+":{"s":"on"}}},"r":[1,null,"light.none"]}}`,
			`{"id":ID,"type":"event","event":null}`, `{"id":"x","type":"event"}`, `{"type":[]}`, `{"id":99999999999,"type":"result"}`), want: "has no light.a"},
		"refused command": {before: func(c *fake.Client, m map[string]any) bool {
			if m["type"] == "subscribe_entities" {
				c.Refuse(int(m["id"].(float64)), "unauthorized", strings.Repeat("no ", 1000))
			}
			return m["type"] == "subscribe_entities"
		}, want: "refuses"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &fake.Server{}
			s.Put("light.a", "on", nil)
			var bad atomic.Bool
			var opened atomic.Int32
			bad.Store(true)
			s.Before = func(c *fake.Client, m map[string]any) bool { return bad.Load() && h.before != nil && h.before(c, m) }
			inHouse(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/api/websocket" {
					opened.Add(1)
				}
				if bad.Load() && h.serve != nil && r.URL.Path == "/api/websocket" {
					h.serve(w, r)
					return
				}
				s.ServeHTTP(w, r)
			}), func(house *house) {
				_, cells := house.run(fake.Token, "light.a")
				house.pass(45 * time.Second)
				if err := cells[0].Load().Err; !strings.Contains(fmt.Sprint(err)+house.log.String(), h.want) {
					t.Errorf("got %v, want %s", err, h.want)
				}
				house.pass(10 * time.Minute)
				if opened.Load() > 30 {
					t.Errorf("connected %d times in eleven minutes", opened.Load())
				}
				bad.Store(false)
				s.Drop()
				house.pass(3 * time.Minute)
				if sample := cells[0].Load(); state(cells[0]) != "on" || sample.Err != nil {
					t.Errorf("afterwards: got %v, %v", sample.Value, sample.Err)
				}
			})
		})
	}
}

// Ten thousand changes cause at most one new mapping in each mapPause.
func TestStorm(t *testing.T) {
	s := &fake.Server{}
	s.Put("sensor.a", "0", nil)
	inHouse(t, s, func(h *house) {
		whole, cells := h.run(fake.Token, "sensor.a")
		before := whole.Load().Seq
		for i := range 10_000 {
			s.Put("sensor.a", fmt.Sprint(i+1), nil)
			if i%2000 == 1999 {
				h.pass(time.Millisecond)
			}
		}
		h.pass(time.Second)
		if state(cells[0]) != 10_000 {
			t.Errorf("got %v, want the last", state(cells[0]))
		}
		if n := whole.Load().Seq - before; n < 1 || n > 4 {
			t.Errorf("the mapping changed %d times in a second, want at most 4", n)
		}
	})
}

// TestPongs: a pong confirms all values. An unexpected pong has no effect.
func TestPongs(t *testing.T) {
	cell, before := provider.NewCell(nil), time.Unix(1_800_000_000, 0)
	cell.Publish(map[string]any{}, before)
	c := &Connection{told: true, known: entities{"light.a": {state: "on"}}, follows: map[string]map[*provider.Cell]struct{}{"light.a": {cell: {}}}}
	s := &session{Connection: c}
	pong := map[string]any{"type": "pong"}
	if err := s.one(t.Context(), pong); err != nil || !cell.Load().At.Equal(before) {
		t.Errorf("one that nobody asked for: got %v, of %v", err, cell.Load().At)
	}
	s.pinged = time.Now()
	if err := s.one(t.Context(), pong); err != nil || cell.Load().At.Equal(before) {
		t.Errorf("an answer: got %v, of %v", err, cell.Load().At)
	}
}

// FuzzEvents reads any event of entities. Entities that are not followed are never stored.
func FuzzEvents(f *testing.F) {
	for _, text := range []string{`{"a":{"light.a":{"s":"on","a":{"x":1},"lc":1.5}}}`, `{"c":{"light.a":{"+":{"a":{"y":null}},"-":{"a":["x"]}}}}`, `{"r":["light.a"]}`, `{"a":1,"c":[],"r":{}}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := message(t.Context(), data)
		if err != nil {
			return
		}
		all := entities{"light.a": {state: "off", attributes: map[string]any{"x": 1}}}
		for range 2 {
			all.apply(m, func(id string) bool { return id == "light.a" || id == "light.b" })
		}
		for id, e := range all {
			if id != "light.a" && id != "light.b" {
				t.Errorf("kept %q", id)
			}
			if e.attributes == nil || e.value() == nil {
				t.Errorf("%s has no attributes", id)
			}
		}
	})
}
