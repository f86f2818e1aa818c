package device

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"dashboard/internal/programtest"
	"dashboard/provider"
	"dashboard/provider/mqtt"
)

// gate passes connections on, and can be shut: what is open is cut without a word, as when a machine dies.
type gate struct {
	net.Listener
	to string

	mu    sync.Mutex
	shut  bool
	tries int
	conns []net.Conn
	wg    sync.WaitGroup
}

func newGate(t *testing.T, to string) *gate {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{Listener: l, to: to}
	g.wg.Go(g.serve)
	t.Cleanup(func() { g.set(true); l.Close(); g.wg.Wait() })
	return g
}

func (g *gate) serve() {
	for {
		in, err := g.Accept()
		if err != nil {
			return
		}
		g.mu.Lock()
		g.tries++
		out, err := net.Dial("tcp", g.to)
		if g.shut || err != nil {
			in.Close()
			if err == nil {
				out.Close()
			}
			g.mu.Unlock()
			continue
		}
		g.conns = append(g.conns, in, out)
		g.mu.Unlock()
		g.wg.Go(func() { _, _ = io.Copy(in, out); in.Close(); out.Close() })
		g.wg.Go(func() { _, _ = io.Copy(out, in); in.Close(); out.Close() })
	}
}

func (g *gate) set(shut bool) (tries int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = shut
	if shut {
		for _, c := range g.conns {
			c.Close()
		}
		g.conns = nil
	}
	return g.tries
}

// TestMosquitto: Debian's broker sees the wall come, die without a word, and come back; its own restart loses nothing.
func TestMosquitto(t *testing.T) {
	const path = "/usr/sbin/mosquitto"
	if testing.Short() {
		t.Skip("ten seconds, for the pauses between tries")
	}
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("DASHBOARD_CI") != "" {
			t.Fatal("mosquitto is missing")
		}
		t.Skip("needs mosquitto: apt install mosquitto")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().(*net.TCPAddr)
	l.Close()
	file := filepath.Join(t.TempDir(), "mosquitto.conf")
	if err := os.WriteFile(file, fmt.Appendf(nil, "listener %d 127.0.0.1\nallow_anonymous true\npersistence false\n", at.Port), 0o600); err != nil {
		t.Fatal(err)
	}
	serve := func() (stop func()) {
		cmd := exec.Command(path, "-c", file)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return sync.OnceFunc(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	}
	stop := serve()
	defer func() { stop() }()

	h := &house{t: t, wall: &wall{more: make(chan struct{}, 1), theme: "auto"}, log: &programtest.Log{}, seen: map[string][]string{}, more: make(chan struct{}, 1)}
	m := provider.NewManager(func() {}, slog.New(slog.DiscardHandler))
	defer m.Close()
	watcher, release, err := mqtt.Connect(t.Context(), m.Sessions(), mqtt.Broker{URL: "mqtt://" + at.String(), ClientID: "watcher"})
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	defer watcher.Subscribe("#", func(m mqtt.Message) { h.saw(m.Topic, string(m.Payload)) }, func(error) {})()
	g := newGate(t, at.String())
	set := m.Begin()
	set.Add("device", New(Config{ID: "a1b2", Name: "Wall", Base: "dashboard/a1b2", Discovery: true, Themes: true},
		mqtt.Broker{URL: "mqtt://" + g.Addr().String(), ClientID: "wall", Will: "dashboard/a1b2/status"}, m.Sessions(), h.wall, h.wall.state, slog.New(slog.DiscardHandler)))
	m.Commit(set)

	const status = "dashboard/a1b2/status"
	if got := h.await(status, 1); got != "online" {
		t.Errorf("at first: got %s", got)
	}
	h.await("dashboard/a1b2/theme", 1)
	before := g.set(true)
	if got := h.await(status, 2); got != "offline" {
		t.Errorf("cut off: got %s", got)
	}
	late := time.Now().Add(5 * time.Second)
	for g.set(true) == before && time.Now().Before(late) { // until it tried again
		h.asksNothing()
	}
	if tries := g.set(false) - before; tries > 20 {
		t.Errorf("%d tries while it was cut off", tries)
	}
	if got := h.await(status, 3); got != "online" {
		t.Errorf("back: got %s", got)
	}
	stop() // the broker forgets everything
	stop = serve()
	got := h.await(status, 4)
	if got == "offline" { // the will, where the broker had the time to tell it
		got = h.await(status, 5)
	}
	if got != "online" {
		t.Errorf("after the broker's restart: got %s", got)
	}
	h.await("homeassistant/device/a1b2/config", 3)
	if len(h.wall.asked) > 0 {
		t.Errorf("asked %q", h.wall.asked)
	}
}

// asksNothing lets a moment pass in which messages may come.
func (h *house) asksNothing() {
	select {
	case <-h.more:
	case <-time.After(20 * time.Millisecond):
	}
}
