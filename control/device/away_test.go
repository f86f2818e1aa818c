package device

import (
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"dashboard/internal/testing/programtest"
)

// A wire is a proxy between a wall and a broker. It can also cut the wall off from all brokers.
type wire struct {
	at net.Listener

	mu    sync.Mutex
	to    string // address of the broker; "" cuts every connection
	conns []net.Conn
}

func newWire(t *testing.T) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{at: l}
	done := make(chan struct{})
	go func() {
		defer close(done)
		var wg sync.WaitGroup
		defer wg.Wait()
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { w.carry(c) })
		}
	}()
	t.Cleanup(func() { _ = l.Close(); w.leads(""); <-done })
	return w
}

// leads() makes new connections lead to an address, and cuts the existing connections.
func (w *wire) leads(to string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.to = to
	for _, c := range w.conns {
		_ = c.Close()
	}
	w.conns = nil
}

func (w *wire) carry(c net.Conn) {
	defer c.Close()
	w.mu.Lock()
	var far net.Conn
	if w.to != "" {
		far, _ = net.Dial("tcp", w.to)
	}
	if far == nil {
		w.mu.Unlock()
		return
	}
	w.conns = append(w.conns, c, far)
	w.mu.Unlock()
	done := make(chan struct{})
	go func() { defer close(done); _, _ = io.Copy(far, c); _ = far.Close() }()
	_, _ = io.Copy(c, far)
	_ = c.Close()
	<-done
}

// TestBrokerAway: a wall continues while its broker is unreachable. When another broker replaces the old one, the wall announces itself
// there and executes each command once.
func TestBrokerAway(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	h := beginBehind(t, true, nil, func(address string) string { w.leads(address); return w.at.Addr().String() })
	h.await("dashboard/a1b2/theme", 1)
	config := h.await("homeassistant/device/a1b2/config", 2)
	b := h.open(nil)
	t.Cleanup(h.end)
	w.leads("")
	if got := h.await("dashboard/a1b2/status", 2); got != "offline" {
		t.Errorf("away: got %s", got)
	}
	h.mu.Lock()
	clear(h.seen)
	h.mu.Unlock()
	h.broker = b
	w.leads(b.Address)
	if got := h.await("homeassistant/device/a1b2/config", 1); got != config {
		t.Errorf("it says that it is\n%s\nwant\n%s", got, config)
	}
	for topic, want := range map[string]string{"status": "online", "theme": "auto", "state": `{"painted":`, "picture": "mm"} {
		if got := h.await("dashboard/a1b2/"+topic, 1); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", topic, got, want)
		}
	}
	if asked := h.asks("dismiss", "PRESS", 1); len(asked) != 1 {
		t.Errorf("asked %q", asked)
	}
}

// TestGoneWhileAway: a view and an e-reader that disappear while the broker is unreachable are removed from the broker afterwards.
func TestGoneWhileAway(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	h := beginBehind(t, true, nil, func(address string) string { w.leads(address); return w.at.Addr().String() })
	h.set(func(w *fake) { w.hall, w.readers = true, []Reader{{ID: "917F0B", Name: "E-reader hall"}} })
	topics := []string{
		"homeassistant/device/a1b2_hall/config", "dashboard/a1b2_hall/state", "dashboard/a1b2_hall/theme",
		"homeassistant/device/a1b2_reader_917F0B/config", "dashboard/a1b2/readers/917F0B",
	}
	for _, topic := range topics {
		h.await(topic, 1)
	}
	w.leads("")
	if got := h.await("dashboard/a1b2/status", 2); got != "offline" {
		t.Errorf("away: got %s", got)
	}
	h.set(func(w *fake) { w.hall, w.readers = false, nil })
	w.leads(h.broker.Address)
	for _, topic := range topics {
		programtest.Eventually(t, "the removal of "+topic, func() bool {
			h.mu.Lock()
			defer h.mu.Unlock()
			return h.seen[topic][len(h.seen[topic])-1] == ""
		})
	}
}
