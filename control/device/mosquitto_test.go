package device

import (
	"errors"
	"io"
	"log/slog"
	"math"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"dashboard/internal/budget"
	"dashboard/internal/testing/programtest"
	"dashboard/provider"
	"dashboard/provider/mqtt"
)

// A gate forwards connections. When the gate is shut, it cuts the connections without notice, as if a machine lost power.
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

// TestMosquitto: Debian's broker notices when a wall appears, vanishes silently and returns. After a restart of the broker, the wall
// publishes everything again.
func TestMosquitto(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("ten seconds, for the pauses between tries")
	}
	at, serve := programtest.Mosquitto(t, "")
	stop := serve()
	defer func() { stop() }()

	h := &house{t: t, wall: &fake{heat: math.NaN(), level: -1, size: 100, more: make(chan struct{}, 1), theme: "auto"}, log: &programtest.Log{}, seen: map[string][]string{}, more: make(chan struct{}, 1)}
	m := provider.NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
	defer m.Close()
	watcher, release, err := mqtt.Connect(t.Context(), m.Sessions(), mqtt.Broker{URL: "mqtt://" + at, ClientID: "watcher"})
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	listening := make(chan struct{})
	listens := sync.OnceFunc(func() { close(listening) })
	defer watcher.Subscribe("#", func(m mqtt.Message) { h.saw(m.Topic, string(m.Payload)) }, func(err error) {
		if err == nil {
			listens()
		}
	})()
	<-listening
	g := newGate(t, at)
	set := m.Begin()
	set.Add("device", New(Config{ID: "a1b2", Name: "Wall", Base: "dashboard/a1b2", Discovery: true},
		mqtt.Broker{URL: "mqtt://" + g.Addr().String(), ClientID: "wall", Will: "dashboard/a1b2/status"}, m.Sessions(), h.wall, h.wall, slog.New(slog.DiscardHandler)))
	m.Commit(set)

	const status = "dashboard/a1b2/status"
	if got := h.await(status, 1); got != "online" {
		t.Errorf("at first: got %s", got)
	}
	h.await("dashboard/a1b2/theme", 1)
	h.await("dashboard/a1b2/picture", 1)
	counts := h.counts()
	before := g.set(true)
	if got := h.await(status, 2); got != "offline" {
		t.Errorf("cut off: got %s", got)
	}
	late := time.Now().Add(5 * time.Second)
	for g.set(true) == before && time.Now().Before(late) { // until the wall has tried to connect again
		h.asksNothing()
	}
	if tries := g.set(false) - before; tries > 20 {
		t.Errorf("%d tries while it was cut off", tries)
	}
	if got := h.await(status, 3); got != "online" {
		t.Errorf("back: got %s", got)
	}
	h.await("homeassistant/device/a1b2/config", counts["homeassistant/device/a1b2/config"]+1)
	h.await("dashboard/a1b2/picture", counts["dashboard/a1b2/picture"]+1) // the picture is the last message that the wall publishes
	for topic, n := range h.counts() {
		if most := counts[topic] + 1; n > most && topic != status {
			t.Errorf("%s: %d messages after it was back, want 1", topic, n-counts[topic])
		}
	}
	stop() // the broker stores nothing, so it forgets all topics
	stop = serve()
	got := h.await(status, 4)
	if got == "offline" { // the wall's last will, if the broker had time to publish it
		got = h.await(status, 5)
	}
	if got != "online" {
		t.Errorf("after the broker's restart: got %s", got)
	}
	h.await("homeassistant/device/a1b2/config", counts["homeassistant/device/a1b2/config"]+2)
	if len(h.wall.asked) > 0 {
		t.Errorf("asked %q", h.wall.asked)
	}
}

// asksNothing waits until a message arrives, but at most 20 ms.
func (h *house) asksNothing() {
	select {
	case <-h.more:
	case <-time.After(20 * time.Millisecond):
	}
}

// counts() returns the number of messages on each topic.
func (h *house) counts() map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := map[string]int{}
	for topic, list := range h.seen {
		n[topic] = len(list)
	}
	return n
}

// TestKilled: if the process of a wall is killed, the wall's status on the broker becomes offline at once. The next process sets the
// status to online.
func TestKilled(t *testing.T) {
	at, serve := programtest.Mosquitto(t, "")
	defer serve()()
	h := &house{t: t, wall: &fake{}, log: &programtest.Log{}, seen: map[string][]string{}, more: make(chan struct{}, 1)}
	m := provider.NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
	defer m.Close()
	watcher, release, err := mqtt.Connect(t.Context(), m.Sessions(), mqtt.Broker{URL: "mqtt://" + at, ClientID: "watcher"})
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	defer watcher.Subscribe("dashboard/#", func(m mqtt.Message) { h.saw(m.Topic, string(m.Payload)) }, func(error) {})()
	for round, want := range []string{"online", "offline", "online", "offline"} {
		if want == "online" {
			child := exec.Command(os.Args[0], "-test.run=^TestMain$")
			child.Env = append(os.Environ(), childEnv+"="+at)
			if err := child.Start(); errors.Is(err, syscall.ENOEXEC) {
				t.Skip("the kernel cannot start programs of this processor: the test runs under an emulator")
			} else if err != nil {
				t.Fatal(err)
			}
			defer child.Wait()
			defer child.Process.Kill()
			if got := h.await("dashboard/killed/status", round+1); got != want {
				t.Fatalf("begun in round %d: got %s of %q", round, got, h.seen)
			}
			_ = child.Process.Kill() // SIGKILL
			continue
		}
		if got := h.await("dashboard/killed/status", round+1); got != want {
			t.Errorf("killed: got %s", got)
		}
	}
}

// childEnv is the environment variable with the broker's address. If it is set, this program acts as the wall that the test kills.
const childEnv = "DASHBOARD_TEST_WALL_AT"

// beKilled runs a wall until the process is killed.
func beKilled(at string) {
	m := provider.NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
	set := m.Begin()
	w := &fake{heat: math.NaN(), level: -1, theme: "auto", more: make(chan struct{}, 1)}
	set.Add("device", New(Config{ID: "killed", Name: "Wall", Base: "dashboard/killed", Discovery: true},
		mqtt.Broker{URL: "mqtt://" + at, ClientID: "killed", Will: "dashboard/killed/status"}, m.Sessions(), w, w, slog.New(slog.DiscardHandler)))
	m.Commit(set)
	select {}
}
