package homeassistant

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/budget"
	"dashboard/internal/fetch"
	fake "dashboard/internal/testing/homeassistanttest"
	"dashboard/internal/testing/programtest"
	"dashboard/provider"
)

func TestMain(m *testing.M) { programtest.MainWithoutLeaks(m) }

// A house is a manager with providers of a Home Assistant.
type house struct {
	t       *testing.T
	manager *provider.Manager
	log     *programtest.Log
	deps    Deps
	away    atomic.Bool // whether Home Assistant refuses connections
}

// inHouse runs a test in fake time. The handler answers requests in place of Home Assistant.
func inHouse(t *testing.T, handler http.Handler, test func(h *house)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := fake.NewPipes()
		srv := &http.Server{Handler: handler}
		served := make(chan struct{})
		go func() { defer close(served); _ = srv.Serve(l) }()
		h := &house{t: t, log: &programtest.Log{}}
		tr := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if h.away.Load() {
				return nil, errors.New("connection refused")
			}
			return l.Dial(ctx, network, address)
		}}
		h.manager = provider.NewManager(budget.New(), func() {}, slog.New(slog.NewTextHandler(h.log, nil)))
		h.deps = Deps{Client: fetch.NewWith(tr), Sessions: h.manager.Sessions()}
		test(h)
		h.manager.Close()
		synctest.Wait()
		if n := h.manager.Sessions().Len(); n != 0 {
			t.Errorf("%d connections left", n)
		}
		tr.CloseIdleConnections()
		_ = srv.Close()
		<-served
		synctest.Wait()
	})
}

// run starts a provider of Home Assistant. It returns the cell of the provider's value, which is a mapping of all entities, and the cells
// of the entities with the given IDs.
func (h *house) run(token string, ids ...string) (whole *provider.Cell, cells []*provider.Cell) {
	h.t.Helper()
	set := h.manager.Begin()
	key, p, err := New(&Params{URL: "http://ha.test:8123", Token: token}, h.deps)
	if err != nil {
		h.t.Fatal(err)
	}
	whole = set.Add(key, p)
	set.Name("homeassistant", key)
	for _, id := range ids {
		c, ok, err := provider.Part(set, "homeassistant", id, provider.Place{At: "widgets.yaml:1:1"})
		if !ok || err != nil {
			h.t.Fatal(ok, err)
		}
		cells = append(cells, c)
	}
	h.manager.Commit(set)
	h.pass(2 * time.Second)
	return whole, cells
}

// pass() advances the fake time.
func (h *house) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func state(c *provider.Cell) any {
	m, _ := c.Load().Value.(map[string]any)
	return m["state"]
}

func TestEntities(t *testing.T) {
	s := &fake.Server{}
	s.Put("light.hall", "off", map[string]any{"friendly_name": "Hall", "effect": "none"})
	s.Put("sensor.pv", "21.50", map[string]any{"unit_of_measurement": "W"})
	s.Put("sensor.other", "1", nil)
	inHouse(t, s, func(h *house) {
		whole, cells := h.run(fake.Token, "light.hall", "sensor.pv", "lock.none")
		lamp, pv, none := cells[0], cells[1], cells[2]
		if state(lamp) != "off" || state(pv) != 21.5 {
			t.Errorf("got %v, %v", lamp.Load(), pv.Load())
		}
		if err := none.Load().Err; err == nil || !strings.Contains(err.Error(), "has no lock.none") {
			t.Errorf("an entity that is not there: got %v", err)
		}
		if all, _ := whole.Load().Value.(map[string]any); len(all) != 2 || all["sensor.other"] != nil {
			t.Errorf("the mapping: got %v, want those that are followed", all)
		}
		if asked := s.Asked("subscribe_entities"); len(asked) != 1 {
			t.Errorf("asked %d times for entities, want all at once: %v", len(asked), asked)
		}
		seq := pv.Load().Seq
		s.Put("light.hall", "on", map[string]any{"friendly_name": "Hall", "brightness": 120})
		h.pass(time.Second)
		attributes, _ := lamp.Load().Value.(map[string]any)["attributes"].(map[string]any)
		if state(lamp) != "on" || attributes["brightness"] != 120 || attributes["friendly_name"] != "Hall" || attributes["effect"] != nil {
			t.Errorf("after a change: got %v", lamp.Load().Value)
		}
		if pv.Load().Seq != seq {
			t.Error("a change of one entity changed another's cell")
		}
		s.Put("light.hall", "unavailable", nil)
		h.pass(time.Second)
		if sample := lamp.Load(); state(lamp) != "on" || !errors.Is(sample.Err, errGone) {
			t.Errorf("unavailable: got %v, %v, want an error and the last value", sample.Value, sample.Err)
		}
		s.Take("sensor.pv")
		h.pass(time.Second)
		if sample := pv.Load(); state(pv) != 21.5 || sample.Err == nil {
			t.Errorf("removed: got %v, %v", sample.Value, sample.Err)
		}
	})
}

// New entities are requested over the same connection. If no entity is followed, no entity is requested.
func TestReload(t *testing.T) {
	s := &fake.Server{}
	s.Put("light.a", "on", nil)
	s.Put("light.b", "off", nil)
	inHouse(t, s, func(h *house) {
		h.run(fake.Token, "light.a")
		_, cells := h.run(fake.Token, "light.a", "light.b")
		if state(cells[0]) != "on" || state(cells[1]) != "off" || s.Clients() != 1 {
			t.Errorf("got %v, %v over %d connections", state(cells[0]), state(cells[1]), s.Clients())
		}
		h.run(fake.Token)
		asked := s.Asked("subscribe_entities")
		if last := asked[len(asked)-1]["entity_ids"].([]any); len(last) == 0 {
			t.Error("asked for an empty list, which is the whole house")
		}
		if got := len(s.Asked("unsubscribe_events")); got != 2 {
			t.Errorf("left %d subscriptions, want 2", got)
		}
	})
}

// The first event after a reconnection replaces the known entities. An entity that was deleted in the meantime has an error.
func TestReconnect(t *testing.T) {
	s := &fake.Server{}
	s.Put("light.a", "on", map[string]any{"x": 1})
	s.Put("light.b", "on", nil)
	inHouse(t, s, func(h *house) {
		whole, cells := h.run(fake.Token, "light.a", "light.b")
		h.away.Store(true)
		s.Drop()
		h.pass(10 * time.Second)
		for _, c := range append(cells, whole) {
			if sample := c.Load(); sample.Err == nil || !sample.Has() {
				t.Errorf("away: got %v, want an error and the last value", sample)
			}
		}
		if n := strings.Count(h.log.String(), "level=WARN"); n != 1 {
			t.Errorf("told %d times that it is away, want once: %s", n, h.log.String())
		}
		h.pass(80 * time.Second)
		if !cells[0].Load().Stale(time.Now()) {
			t.Error("after a minute and a half away the values are not stale")
		}
		s.Take("light.b")
		s.Put("light.a", "off", nil)
		h.away.Store(false)
		h.pass(2 * time.Minute)
		if sample := cells[0].Load(); state(cells[0]) != "off" || sample.Err != nil {
			t.Errorf("back: got %v", sample)
		}
		if m := cells[0].Load().Value.(map[string]any)["attributes"].(map[string]any); len(m) != 0 {
			t.Errorf("attributes of before the break are still there: %v", m)
		}
		if err := cells[1].Load().Err; err == nil || !strings.Contains(err.Error(), "has no light.b") {
			t.Errorf("what went meanwhile: got %v", err)
		}
		if all, _ := whole.Load().Value.(map[string]any); len(all) != 1 {
			t.Errorf("the mapping: got %v", all)
		}
	})
}

// If nothing changes in Home Assistant, the values stay fresh, and nothing is drawn.
func TestStaysFresh(t *testing.T) {
	s := &fake.Server{}
	s.Put("light.a", "on", nil)
	inHouse(t, s, func(h *house) {
		_, cells := h.run(fake.Token, "light.a")
		h.pass(time.Hour)
		if sample := cells[0].Load(); sample.Stale(time.Now()) || sample.Seq != 1 || sample.Err != nil {
			t.Errorf("after an hour: got %+v", sample)
		}
	})
}

// A wrong token is tried only once.
func TestWrongToken(t *testing.T) {
	var dials atomic.Int32
	s := &fake.Server{}
	inHouse(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { dials.Add(1); s.ServeHTTP(w, r) }), func(h *house) {
		whole, cells := h.run("a-wrong-secret", "light.a")
		h.pass(24 * time.Hour)
		if dials.Load() != 1 || !errors.Is(whole.Load().Err, ErrToken) || !errors.Is(cells[0].Load().Err, ErrToken) {
			t.Errorf("tried %d times, got %v, want once", dials.Load(), whole.Load().Err)
		}
		if strings.Contains(h.log.String(), "a-wrong-secret") {
			t.Errorf("the log shows the token: %s", h.log.String())
		}
	})
}

// While Home Assistant is starting, its state is requested repeatedly. When the start is complete, all entities are requested again.
func TestStarting(t *testing.T) {
	s := &fake.Server{}
	s.Put("light.a", "unavailable", nil)
	s.Starting(true)
	inHouse(t, s, func(h *house) {
		_, cells := h.run(fake.Token, "light.a")
		h.pass(time.Minute)
		before := len(s.Asked("subscribe_entities"))
		s.Starting(false)
		s.Put("light.a", "on", nil)
		h.pass(10 * time.Second)
		if after := len(s.Asked("subscribe_entities")); before != 1 || after != 2 || state(cells[0]) != "on" {
			t.Errorf("asked %d times before, %d after the start; got %v", before, after, state(cells[0]))
		}
		asked := len(s.Asked("get_config"))
		h.pass(time.Hour)
		if more := len(s.Asked("get_config")); more != asked {
			t.Errorf("asked %d times more whether it is running", more-asked)
		}
	})
}

func TestAskAndSubscribe(t *testing.T) {
	s := &fake.Server{}
	inHouse(t, s, func(h *house) {
		home, err := NewHome("http://ha.test:8123/", false, fake.Token, h.deps)
		if err != nil {
			t.Fatal(err)
		}
		c, release, err := home.Connect(h.t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Ask(h.t.Context(), map[string]any{"type": "call_service", "domain": "light", "service": "toggle"}); err != nil {
			t.Error(err)
		}
		if _, err := c.Ask(h.t.Context(), map[string]any{"type": "no_such"}); err == nil || !strings.Contains(err.Error(), "Unknown command") {
			t.Errorf("got %v, want the refusal", err)
		}
		var mu sync.Mutex
		events, failures := 0, 0
		end := c.Subscribe(map[string]any{"type": "render_template", "template": "x"}, func(v any, err error) {
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failures++
				return
			}
			events++
		})
		h.pass(time.Second)
		s.Drop()
		h.pass(10 * time.Second)
		if mu.Lock(); events != 2 || failures != 1 {
			t.Errorf("got %d events and %d failures, want one event for each connection and one failure", events, failures)
		}
		mu.Unlock()
		end()
		h.pass(time.Second)
		if len(s.Asked("unsubscribe_events")) != 1 {
			t.Error("the subscription was not left")
		}
		h.away.Store(true)
		s.Drop()
		h.pass(2 * time.Second)
		ctx, cancel := context.WithTimeout(h.t.Context(), time.Second)
		defer cancel()
		if _, err := c.Ask(ctx, map[string]any{"type": "ping"}); err == nil || !strings.Contains(err.Error(), "http://ha.test:8123") {
			t.Errorf("away: got %v, want why", err)
		}
		release()
	})
}

func TestMistakes(t *testing.T) {
	for want, p := range map[string]Params{
		"url: is missing":                   {Token: "t"},
		"token: is missing":                 {URL: "http://ha.test"},
		"url: impossible request":           {URL: "ftp://ha.test", Token: "t"},
		`entities: "nonsense" is no`:        {URL: "http://ha.test", Token: "t", Entities: []string{"nonsense"}},
		"entities: more than 1000":          {URL: "http://ha.test", Token: "t", Entities: make([]string, MaxEntities+1)},
		`entities: "light." is not an enti`: {URL: "http://ha.test", Token: "t", Entities: []string{"light."}},
	} {
		if _, _, err := New(&p, Deps{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
