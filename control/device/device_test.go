package device

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	broker "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/hooks/auth"
	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/mochi-mqtt/server/v2/packets"
	"go.uber.org/goleak"

	"dashboard/control"
	"dashboard/control/page"
	"dashboard/internal/programtest"
	"dashboard/provider"
	"dashboard/provider/mqtt"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// wall notes what is asked of it.
type wall struct {
	control.Verbs
	mu    sync.Mutex
	asked []string
	more  chan struct{}
	theme string
	page  string
	pages []string
}

func (w *wall) note(s string) error {
	w.mu.Lock()
	w.asked = append(w.asked, s)
	w.mu.Unlock()
	select {
	case w.more <- struct{}{}:
	default:
	}
	return nil
}

func (w *wall) Theme(_ context.Context, by control.Caller, view, mode, hold string) (control.ThemeState, error) {
	if mode == "pink" {
		return control.ThemeState{}, errors.Join(w.note("refused pink"), errors.New("no such theme"))
	}
	w.mu.Lock()
	w.theme = mode
	w.mu.Unlock()
	return control.ThemeState{}, w.note("theme " + mode)
}
func (w *wall) Page(_ context.Context, by control.Caller, view, what string, hold time.Duration) (page.Status, error) {
	w.mu.Lock()
	w.page = what
	w.mu.Unlock()
	return page.Status{}, w.note("page " + view + what + hold.String())
}
func (w *wall) Notify(_ context.Context, by control.Caller, view string, body []byte) (string, error) {
	return "", w.note("tell " + string(body))
}
func (w *wall) Dismiss(context.Context, control.Caller, string, string, string) (int, error) {
	return 0, w.note("dismiss")
}
func (w *wall) Reload(context.Context, control.Caller) (control.Reloading, error) {
	return control.Reloading{OK: true}, w.note("reload")
}

func (w *wall) state() State {
	w.mu.Lock()
	defer w.mu.Unlock()
	return State{Theme: w.theme, Painted: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), Stale: true, Page: w.page, Pages: w.pages}
}

// house is a broker, what it was told, and a wall that runs there.
type house struct {
	t      *testing.T
	broker *broker.Server
	wall   *wall
	log    *programtest.Log
	end    func()

	mu   sync.Mutex
	seen map[string][]string
	more chan struct{}
}

func begin(t *testing.T, discovery bool, before func(b *broker.Server)) *house {
	t.Helper()
	b := broker.New(&broker.Options{InlineClient: true, Logger: slog.New(slog.DiscardHandler)})
	if err := b.AddHook(new(auth.AllowHook), nil); err != nil {
		t.Fatal(err)
	}
	l := listeners.NewTCP(listeners.Config{ID: "t", Address: "127.0.0.1:0"})
	if err := errors.Join(b.AddListener(l), b.Serve()); err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, broker: b, wall: &wall{more: make(chan struct{}, 1), theme: "auto"}, log: &programtest.Log{}, seen: map[string][]string{}, more: make(chan struct{}, 1)}
	if before != nil {
		before(b)
	}
	if err := b.Subscribe("#", 1, func(_ *broker.Client, _ packets.Subscription, p packets.Packet) {
		h.saw(p.TopicName, string(p.Payload))
	}); err != nil {
		t.Fatal(err)
	}
	m := provider.NewManager(func() {}, slog.New(slog.DiscardHandler))
	set := m.Begin()
	d := New(Config{ID: "a1b2", Name: "Kitchen wall", Version: "1.4.0", Base: "dashboard/a1b2", Discovery: discovery, Themes: true, Notify: true},
		mqtt.Broker{URL: "mqtt://" + l.Address(), ClientID: "wall", Will: "dashboard/a1b2/status"}, m.Sessions(), h.wall, h.wall.state,
		slog.New(slog.NewTextHandler(h.log, nil)))
	set.Add("device", d)
	m.Commit(set)
	h.end = sync.OnceFunc(m.Close)
	t.Cleanup(func() { h.end(); _ = b.Close() })
	return h
}

func (h *house) saw(topic, payload string) {
	h.mu.Lock()
	h.seen[topic] = append(h.seen[topic], payload)
	h.mu.Unlock()
	select {
	case h.more <- struct{}{}:
	default:
	}
}

// await waits for the n-th message of a topic, from 1, and returns it.
func (h *house) await(topic string, n int) string {
	h.t.Helper()
	late := time.After(20 * time.Second)
	for {
		h.mu.Lock()
		list := h.seen[topic]
		h.mu.Unlock()
		if len(list) >= n {
			return list[n-1]
		}
		select {
		case <-h.more:
		case <-late:
			h.t.Fatalf("%s: %d messages have come, want %d: %q", topic, len(list), n, list)
		}
	}
}

// asks publishes a command and waits until n things were asked of the wall.
func (h *house) asks(topic, payload string, n int) []string {
	h.t.Helper()
	if err := h.broker.Publish("dashboard/a1b2/"+topic, []byte(payload), false, 1); err != nil {
		h.t.Fatal(err)
	}
	late := time.After(20 * time.Second)
	for {
		h.wall.mu.Lock()
		asked := append([]string(nil), h.wall.asked...)
		h.wall.mu.Unlock()
		if len(asked) >= n {
			return asked
		}
		select {
		case <-h.wall.more:
		case <-late:
			h.t.Fatalf("%s: got %q, want %d", topic, asked, n)
		}
	}
}

func TestDevice(t *testing.T) {
	h := begin(t, true, func(b *broker.Server) { // of last year
		_ = b.Publish("dashboard/a1b2/reload", []byte("PRESS"), true, 1)
		_ = b.Publish("dashboard/a1b2/theme/set", []byte("night"), true, 1)
	})
	const want = `{"avty":[{"topic":"dashboard/a1b2/status"}],"cmps":{` +
		`"dismiss":{"command_topic":"dashboard/a1b2/dismiss","icon":"mdi:notification-clear-all","name":"Dismiss","p":"button","unique_id":"a1b2_dismiss"},` +
		`"notify":{"command_topic":"dashboard/a1b2/notify","name":"Notify","p":"notify","unique_id":"a1b2_notify"},` +
		`"painted":{"device_class":"timestamp","entity_category":"diagnostic","name":"Last painted","p":"sensor","state_topic":"dashboard/a1b2/state","unique_id":"a1b2_painted","value_template":"{{ value_json.painted }}"},` +
		`"reload":{"command_topic":"dashboard/a1b2/reload","entity_category":"config","name":"Reload","p":"button","unique_id":"a1b2_reload"},` +
		`"stale":{"device_class":"problem","entity_category":"diagnostic","name":"Stale sources","p":"binary_sensor","payload_off":false,"payload_on":true,"state_topic":"dashboard/a1b2/state","unique_id":"a1b2_stale","value_template":"{{ value_json.stale }}"},` +
		`"text":{"command_topic":"dashboard/a1b2/text/set","icon":"mdi:message-text","max":255,"name":"Message","p":"text","unique_id":"a1b2_text"},` +
		`"theme":{"command_topic":"dashboard/a1b2/theme/set","icon":"mdi:theme-light-dark","name":"Theme","options":["auto","day","night"],"p":"select","state_topic":"dashboard/a1b2/theme","unique_id":"a1b2_theme"}},` +
		`"dev":{"ids":["dashboard_a1b2"],"mf":"dashboard","name":"Kitchen wall","sn":"a1b2","sw":"1.4.0"},"o":{"name":"dashboard","sw":"1.4.0"}}`
	if got := h.await("homeassistant/device/a1b2/config", 1); got != want {
		t.Errorf("the device: got\n%s\nwant\n%s", got, want)
	}
	if got := h.await("dashboard/a1b2/status", 1); got != "online" {
		t.Errorf("status: got %s", got)
	}
	if got := h.await("dashboard/a1b2/state", 1); got != `{"painted":"2026-05-01T12:00:00Z","stale":true}` {
		t.Errorf("state: got %s", got)
	}
	h.await("dashboard/a1b2/theme", 1)
	h.asks("theme/set", "day", 1)
	if got := h.await("dashboard/a1b2/theme", 2); got != "day" {
		t.Errorf("theme afterwards: got %s", got)
	}
	h.asks("notify", "Dinner", 2)
	h.asks("text/set", `{"text": "Bath", "priority": 4}`, 3)
	h.asks("dismiss", "PRESS", 4)
	h.asks("theme/set", "pink", 5)
	asked := h.asks("reload", "PRESS", 6)
	if got := strings.Join(asked, "|"); got != `theme day|tell {"text":"Dinner"}|tell {"text": "Bath", "priority": 4}|dismiss|refused pink|reload` {
		t.Errorf("asked %s: what the broker had kept is not to be done", got)
	}
	if !strings.Contains(h.log.String(), "no such theme") {
		t.Errorf("the log: %s", h.log.String())
	}
	if err := h.broker.Publish("homeassistant/status", []byte("online"), false, 1); err != nil {
		t.Fatal(err)
	}
	h.await("homeassistant/device/a1b2/config", 2) // as Home Assistant starts
	h.end()
	if got := h.await("dashboard/a1b2/status", 2); got != "offline" {
		t.Errorf("at the end: got %s", got)
	}
}

// A wall that is cut off is offline, and online when it is back; nothing is done twice.
func TestCutOff(t *testing.T) {
	h := begin(t, true, nil)
	h.await("dashboard/a1b2/status", 1)
	h.await("dashboard/a1b2/theme", 1)
	c, ok := h.broker.Clients.Get("wall")
	if !ok {
		t.Fatal("the broker does not know the wall")
	}
	c.Stop(errors.New("cut"))
	if got := h.await("dashboard/a1b2/status", 2); got != "offline" {
		t.Errorf("cut off: got %s", got)
	}
	if got := h.await("dashboard/a1b2/status", 3); got != "online" {
		t.Errorf("back: got %s", got)
	}
	h.await("homeassistant/device/a1b2/config", 2)
	if asked := h.asks("dismiss", "PRESS", 1); len(asked) != 1 {
		t.Errorf("asked %q", asked)
	}
}

// Without discovery what was announced before is taken back.
func TestNoDiscovery(t *testing.T) {
	h := begin(t, false, nil)
	if got := h.await("homeassistant/device/a1b2/config", 1); got != "" {
		t.Errorf("got %s", got)
	}
}

// A wall with pages has a select of them, which follows a reload.
func TestPageSelect(t *testing.T) {
	h := begin(t, true, nil)
	if got := h.await("homeassistant/device/a1b2/config", 1); strings.Contains(got, "page/set") {
		t.Errorf("without pages: got %s", got)
	}
	h.wall.mu.Lock()
	h.wall.page, h.wall.pages = "home", []string{"home", "solar", "auto", "home"}
	h.wall.mu.Unlock()
	h.asks("dismiss", "PRESS", 1)
	const want = `"page":{"command_topic":"dashboard/a1b2/page/set","icon":"mdi:book-open-page-variant","name":"Page","options":["auto","next","previous","home","solar"],"p":"select","state_topic":"dashboard/a1b2/page","unique_id":"a1b2_page"}`
	if got := h.await("homeassistant/device/a1b2/config", 2); !strings.Contains(got, want) {
		t.Errorf("with pages: got %s, want %s", got, want)
	}
	if got := h.await("dashboard/a1b2/page", 1); got != "home" {
		t.Errorf("the page: got %s", got)
	}
	if asked := h.asks("page/set", "solar", 2); asked[1] != "page solar0s" {
		t.Errorf("asked %q", asked)
	}
	if got := h.await("dashboard/a1b2/page", 2); got != "solar" {
		t.Errorf("the page afterwards: got %s", got)
	}
}

// A storm of commands is bounded, and large ones are nothing.
func TestStorm(t *testing.T) {
	h := begin(t, true, nil)
	h.await("dashboard/a1b2/theme", 1)
	for range 2000 {
		_ = h.broker.Publish("dashboard/a1b2/reload", []byte("PRESS"), false, 0)
	}
	_ = h.broker.Publish("dashboard/a1b2/notify", []byte(strings.Repeat("x", maxCommand+1)), false, 1)
	asked := h.asks("reload", "PRESS", 1)
	if len(asked) > burst+perSecond {
		t.Errorf("%d commands were done", len(asked))
	}
	for _, a := range asked {
		if a != "reload" {
			t.Errorf("done: %.40s", a)
		}
	}
}

func TestMessage(t *testing.T) {
	for payload, want := range map[string]string{"Dinner": `{"text":"Dinner"}`, `{"text": "a"}`: `{"text": "a"}`, "7": `{"text":"7"}`, "null": `{"text":"null"}`, "a\xff": "{\"text\":\"a\uFFFD\"}"} {
		got := message([]byte(payload))
		if string(got) != want || !json.Valid(got) {
			t.Errorf("%q: got %s, want %s", payload, got, want)
		}
	}
}
