package wall

import (
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"dashboard/internal/budget"
	"dashboard/internal/testing/programtest"
	"dashboard/provider"
	"dashboard/provider/mqtt"
)

// A brokerEar is a client of the broker in the role of Home Assistant. It records the last message
// of each topic, and the retained messages.
type brokerEar struct {
	t    *testing.T
	conn *mqtt.Connection
	mu   sync.Mutex
	last map[string]string
	kept map[string]string
	all  map[string]bool
}

// earOn subscribes to all topics of a broker until the test ends.
func earOn(t *testing.T, at string) *brokerEar {
	t.Helper()
	m := provider.NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
	conn, release, err := mqtt.Connect(t.Context(), m.Sessions(), mqtt.Broker{URL: "mqtt://" + at, ClientID: fmt.Sprint("home", time.Now().UnixNano()), Username: "wall", Password: brokerPassword})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { release(); m.Close() })
	l := &brokerEar{t: t, conn: conn, last: map[string]string{}, kept: map[string]string{}, all: map[string]bool{}}
	ready, once := make(chan struct{}), sync.Once{}
	t.Cleanup(conn.Subscribe("#", l.hear, func(err error) {
		if err == nil {
			once.Do(func() { close(ready) })
		}
	}))
	select {
	case <-ready:
	case <-time.After(patience):
		t.Fatal("the broker does not answer")
	}
	return l
}

func (l *brokerEar) hear(m mqtt.Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last[m.Topic], l.all[m.Topic] = string(m.Payload), true
	if m.Retained {
		l.kept[m.Topic] = string(m.Payload)
	}
}

// says() waits until the latest message of a topic contains a text.
func (l *brokerEar) says(topic, part string) string {
	l.t.Helper()
	got := ""
	defer func() {
		if l.t.Failed() {
			l.t.Logf("%s: %.300q", topic, got)
		}
	}()
	eventually(l.t, topic+" says "+part, func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		got = l.last[topic]
		return l.all[topic] && strings.Contains(got, part)
	})
	return got
}

// send publishes a message as Home Assistant or another client does.
func (l *brokerEar) send(topic, payload string, retain bool) {
	l.t.Helper()
	if err := l.conn.Publish(l.t.Context(), topic, []byte(payload), retain); err != nil {
		l.t.Fatal(err)
	}
}

// TestWalkBroker does what the section of docs/home-assistant.md about values of a broker describes.
func TestWalkBroker(t *testing.T) {
	t.Parallel()
	at, serve := programtest.Mosquitto(t, brokerPassword)
	defer serve()()
	port := freePort(t)
	page := walkHassPage(t, "", at, port)
	f := page.files(t, "Values of a broker").with("secrets.yaml", page.files(t, "Entities on the wall")["secrets.yaml"])
	widgets := page.widgets(t, "Values of a broker")
	if len(widgets) != 1 {
		t.Fatalf("the page's widgets: %q", widgets)
	}
	f["widgets.yaml"] = sideBySide(widgets...)
	l := earOn(t, at)
	l.send("zigbee2mqtt/kitchen", `{"temperature": 21.5}`, true)
	dir := t.TempDir()
	f.write(t, dir)
	answers(t, 0, "The configuration is right.", "check", dir, "--fetch")
	answers(t, 0, `"temperature": 21.5`, "values", dir, "rooms")
	f.with("secrets.yaml", "mqtt: wrong\n").write(t, dir)
	if said := answers(t, 1, "the broker refuses", "check", dir, "--fetch"); strings.Contains(said, brokerPassword) {
		t.Errorf("a wrong password: got %s", said)
	}
}
