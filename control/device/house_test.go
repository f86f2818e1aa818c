package device

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math"
	"sync"
	"testing"
	"time"

	broker "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"

	"dashboard/control"
	"dashboard/control/verb"
	"dashboard/internal/budget"
	"dashboard/internal/testing/brokertest"
	"dashboard/internal/testing/programtest"
	"dashboard/provider"
	"dashboard/provider/mqtt"
)

// A fake stands for the walls. It implements Walls and control.Doer, and records the calls of Do.
type fake struct {
	mu    sync.Mutex
	asked []string
	more  chan struct{}
	theme string
	page  string
	pages []string

	heat, level       float64
	screen, off, hall bool
	size              int    // size of each picture in bytes
	frames            uint64 // number of painted frames after the first frame
	sounds            chan Sound
	readers           []Reader
}

func (w *fake) note(s string) error {
	w.mu.Lock()
	w.asked = append(w.asked, s)
	w.mu.Unlock()
	select {
	case w.more <- struct{}{}:
	default:
	}
	return nil
}

// Do implements control.Doer.
func (w *fake) Do(_ context.Context, a control.Action) (control.Result, error) {
	if err := verb.Find(a.Verb).Check(a.Args); err != nil {
		return nil, err
	}
	mode, state, name := a.Args.Text("mode"), a.Args.Text("state"), a.Args.Text("page")
	w.mu.Lock()
	switch a.Verb {
	case "theme":
		w.theme = mode
	case "page":
		w.page = name
	case "power":
		w.off = state == "off"
	case "brightness":
		w.level = a.Args.Float("brightness")
	}
	w.mu.Unlock()
	switch a.Verb {
	case "theme":
		return nil, w.note("theme " + mode)
	case "page":
		return nil, w.note("page " + a.View + name + a.Args.Time("hold").String())
	case "notify":
		return nil, w.note("tell " + string(a.Args.JSON("body")))
	case "power":
		return nil, w.note("power " + a.View + state + a.Args.Time("for").String())
	case "brightness":
		return nil, w.note(fmt.Sprint("brightness ", a.View, a.Args.Float("brightness")))
	case "timer":
		return nil, w.note("timer " + a.Args.Text("name") + " " + a.Args.Text("action") + " " + a.Args.Time("duration").String())
	case "identify":
		return nil, w.note("identify " + a.View)
	}
	return nil, w.note(a.Verb)
}

var paintedAt = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func (w *fake) Sounds() <-chan Sound { return w.sounds }

func (w *fake) State() State {
	w.mu.Lock()
	defer w.mu.Unlock()
	st := State{Stale: true, Temperature: w.heat, URL: "http://wall.lan:5000/", Readers: w.readers, Walls: []Wall{
		{View: "main", Theme: w.theme, Sun: true, Notify: true, Painted: paintedAt, Frames: 1 + w.frames, Page: w.page, Pages: w.pages, Screen: w.screen, On: !w.off, Level: w.level},
	}}
	if w.hall {
		st.Walls = append(st.Walls, Wall{View: "hall", Theme: "day", Notify: true, Level: -1})
	}
	return st
}

func (w *fake) Picture(_ context.Context, view string) []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	return bytes.Repeat([]byte(view[:1]), w.size)
}

// A house consists of a broker, the messages that were published on the broker, and a running wall.
type house struct {
	t      *testing.T
	broker *brokertest.Broker
	wall   *fake
	log    *programtest.Log
	end    func()

	mu   sync.Mutex
	seen map[string][]string
	more chan struct{}
}

func begin(t *testing.T, discovery bool, before func(b *broker.Server)) *house {
	t.Helper()
	return beginBehind(t, discovery, before, func(address string) string { return address })
}

// beginBehind is like begin, with a program between the wall and the broker. The parameter `between` is a function that gets the broker's
// address and returns the address of that program.
func beginBehind(t *testing.T, discovery bool, before func(b *broker.Server), between func(address string) string) *house {
	t.Helper()
	h := &house{t: t, wall: &fake{heat: math.NaN(), level: -1, size: 100, sounds: make(chan Sound), more: make(chan struct{}, 1), theme: "auto"}, log: &programtest.Log{}, seen: map[string][]string{}, more: make(chan struct{}, 1)}
	h.broker = h.open(before)
	m := provider.NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
	set := m.Begin()
	d := New(Config{ID: "a1b2", Name: "Kitchen wall", Version: "1.4.0", Base: "dashboard/a1b2", Model: "Raspberry Pi 4", Discovery: discovery},
		mqtt.Broker{URL: "mqtt://" + between(h.broker.Address), ClientID: "wall", Will: "dashboard/a1b2/status"}, m.Sessions(), h.wall, h.wall,
		slog.New(slog.NewTextHandler(h.log, nil)))
	set.Add("device", d)
	m.Commit(set)
	h.end = sync.OnceFunc(m.Close)
	t.Cleanup(h.end)
	return h
}

// open() opens a broker and records its messages.
func (h *house) open(before func(b *broker.Server)) *brokertest.Broker {
	h.t.Helper()
	b := brokertest.Begin(h.t, brokertest.AnyPort, nil)
	if before != nil {
		before(b.Server)
	}
	if err := b.Subscribe("#", 1, func(_ *broker.Client, _ packets.Subscription, p packets.Packet) {
		h.saw(p.TopicName, string(p.Payload))
	}); err != nil {
		h.t.Fatal(err)
	}
	return b
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

// await waits for the n-th message on a topic and returns it. n starts at 1.
func (h *house) await(topic string, n int) string {
	h.t.Helper()
	late := time.After(programtest.Patience)
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

// asks() publishes a command and waits until the wall has received n requests.
func (h *house) asks(topic, payload string, n int) []string {
	h.t.Helper()
	h.heard("dashboard/a1b2/" + topic)
	if err := h.broker.Publish("dashboard/a1b2/"+topic, []byte(payload), false, 1); err != nil {
		h.t.Fatal(err)
	}
	late := time.After(programtest.Patience)
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

// heard() waits until the wall has subscribed to a topic. Waiting for the status is not enough, because a wall that reconnects publishes
// its status before the broker has accepted its last subscription.
func (h *house) heard(topic string) {
	h.t.Helper()
	programtest.Eventually(h.t, "a subscription to "+topic, func() bool {
		return len(h.broker.Topics.Subscribers(topic).Subscriptions) > 0
	})
}

// set changes the state of the wall.
func (h *house) set(f func(w *fake)) {
	h.wall.mu.Lock()
	defer h.wall.mu.Unlock()
	f(h.wall)
}
