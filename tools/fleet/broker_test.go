// Package fleet puts the load of many simulated walls on Debian's mosquitto and prometheus.
//
//	go test -v ./tools/fleet -walls 1000
//
// The command prints the figures of docs/fleet.md. Everything listens on the loopback interface, and ends with the test.
package fleet

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"dashboard/control"
	"dashboard/control/device"
	"dashboard/internal/budget"
	"dashboard/internal/testing/programtest"
	"dashboard/provider"
	"dashboard/provider/mqtt"
)

// walls is the number of simulated walls.
var walls = flag.Int("walls", 50, "number of simulated walls")

// patience limits each phase. After a broker restarts, its walls connect again within a minute.
const patience = 4 * time.Minute

// The type simulated is a wall with two pages. It records the commands that it receives.
type simulated struct {
	n    int
	done chan<- int
}

var painted = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// State implements device.Walls.
func (s *simulated) State() device.State {
	return device.State{Temperature: math.NaN(), Walls: []device.Wall{{
		View: "main", Theme: "day", Page: "home", Pages: []string{"home", "menu"}, Screen: true, On: true, Level: -1, Notify: true,
		Painted: painted.Add(time.Duration(s.n) * time.Second), Frames: 1,
	}}}
}

// Sounds implements device.Walls.
func (s *simulated) Sounds() <-chan device.Sound { return nil }

// Picture implements device.Walls.
func (s *simulated) Picture(context.Context, string) []byte { return nil }

// Do implements control.Doer.
func (s *simulated) Do(context.Context, control.Action) (control.Result, error) {
	s.done <- s.n
	return nil, nil
}

// A watcher stores the last retained message of each topic.
type watcher struct {
	mu   sync.Mutex
	last map[string]string
}

func (w *watcher) saw(m mqtt.Message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last[m.Topic] = string(m.Payload)
}

// lost() returns how many walls are incomplete on the broker. A wall is complete if it is online and the broker has its configuration and
// its state.
func (w *watcher) lost() (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range *walls {
		at := fmt.Sprintf("dashboard/w%d/", i)
		state := fmt.Sprintf(`{"painted":%q,"stale":false}`, painted.Add(time.Duration(i)*time.Second).Format(time.RFC3339))
		config := w.last[fmt.Sprintf("homeassistant/device/w%d/config", i)]
		if w.last[at+"status"] != "online" || w.last[at+"state"] != state || w.last[at+"page"] != "home" || config == "" {
			n++
		}
	}
	return n
}

// wait returns how long it took until lost() returned 0.
func (w *watcher) wait(t *testing.T, what string) time.Duration {
	t.Helper()
	began := time.Now()
	for w.lost() > 0 {
		if time.Since(began) > patience {
			t.Fatalf("%s: %d of %d walls are lost", what, w.lost(), *walls)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return time.Since(began)
}

// connect connects a watcher to the broker.
func connect(t *testing.T, sessions *provider.Sessions, at, id string) (*watcher, *mqtt.Connection, func()) {
	t.Helper()
	conn, release, err := mqtt.Connect(t.Context(), sessions, mqtt.Broker{URL: "mqtt://" + at, ClientID: id})
	if err != nil {
		t.Fatal(err)
	}
	w := &watcher{last: map[string]string{}}
	end := conn.Subscribe("#", w.saw, func(error) {})
	return w, conn, func() { end(); release() }
}

// TestBroker checks that all walls are on the broker with their states, and that they receive every command. Then the broker restarts
// without its stored messages, and all walls must send everything again. A client that connects later must see the same state.
func TestBroker(t *testing.T) {
	at, serve := programtest.Mosquitto(t, "")
	stop := serve()
	defer func() { stop() }()
	m := provider.NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
	defer m.Close()
	w, conn, end := connect(t, m.Sessions(), at, "watcher")
	defer end()
	done := make(chan int, 4**walls)
	set := m.Begin()
	for i := range *walls {
		id, one := fmt.Sprintf("w%d", i), &simulated{i, done}
		c := device.Config{ID: id, Name: fmt.Sprintf("Wall %d", i), Version: "1.6.0", Base: "dashboard/" + id, Discovery: true}
		b := mqtt.Broker{URL: "mqtt://" + at, ClientID: id, Will: "dashboard/" + id + "/status"}
		set.Add(id, device.New(c, b, m.Sessions(), one, one, slog.New(slog.DiscardHandler)))
	}
	m.Commit(set)
	t.Logf("%d walls complete on the broker: %.1f s", *walls, w.wait(t, "at first").Seconds())
	commands(t, conn, done)
	w.mu.Lock()
	messages := len(w.last)
	clear(w.last)
	w.mu.Unlock()
	t.Logf("retained topics: %d, memory of the broker: %.1f MB", messages, memory(t, "mosquitto"))
	stop()
	stop = serve()
	t.Logf("complete after a restart of the broker: %.1f s", w.wait(t, "after a restart").Seconds())
	later, _, left := connect(t, m.Sessions(), at, "later")
	defer left()
	t.Logf("complete for a new client: %.2f s", later.wait(t, "a new client").Seconds())
}

// commands() sends a command to all walls, without waiting between them. It logs the median and the longest time until a wall acted.
func commands(t *testing.T, conn *mqtt.Connection, done <-chan int) {
	t.Helper()
	began, times, acted := time.Now(), []time.Duration{}, map[int]int{}
	var sends sync.WaitGroup
	sends.Go(func() {
		for i := range *walls {
			topic := fmt.Sprintf("dashboard/w%d/identify", i)
			for conn.Publish(t.Context(), topic, nil, false) != nil && t.Context().Err() == nil {
				time.Sleep(10 * time.Millisecond) // try again later: the connection was lost, or the broker was slow
			}
		}
	})
	over := time.After(patience)
	for len(acted) < *walls { // an action may be reported twice, because a broker may deliver a message twice
		select {
		case n := <-done:
			acted[n]++
			times = append(times, time.Since(began))
		case <-over:
			t.Fatalf("%d of %d walls got a command", len(acted), *walls)
		}
	}
	sends.Wait()
	slices.Sort(times)
	t.Logf("commands to all walls at once: median %.3f s, last %.3f s", times[len(times)/2].Seconds(), times[len(times)-1].Seconds())
}
