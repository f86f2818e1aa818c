package mqtt

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"dashboard/internal/testing/brokertest"
	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/thorough"
	"dashboard/provider"
)

// TestFlood: after several rounds of ten thousand messages on 101 topics, only the newest message of each topic is in memory.
func TestFlood(t *testing.T) {
	thorough.Only(t)
	s := broker(t, brokertest.AnyPort)
	cell := run(t, &Params{Topic: "flood/+"}, &Broker{URL: "mqtt://" + s.Address, ClientID: "wall"})
	_ = s.Publish("flood/first", []byte("0"), true, 1)
	await(t, cell, "the first", func(s *provider.Sample) bool { return s.Has() })
	live := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	flood := func(from int) {
		const round = 10_000
		for i := range round {
			if err := s.Publish(fmt.Sprint("flood/", i%100), fmt.Appendf(nil, "%d", from+i), false, 0); err != nil {
				t.Fatal(err)
			}
		}
		// The test publishes this message again and again, because the broker drops messages that come too fast.
		programtest.Eventually(t, fmt.Sprint("what comes after round ", from), func() bool {
			_ = s.Publish("flood/first", fmt.Appendf(nil, "%d", from), true, 1)
			m, _ := cell.Load().Value.(map[string]any)
			return fmt.Sprint(m["flood/first"]) == fmt.Sprint(from)
		})
	}
	flood(1)
	before := live()
	flood(20_000)
	flood(40_000)
	const most = 8 << 20
	if grown := live() - before; grown > most {
		t.Errorf("%d bytes more after twice as many messages", grown)
	}
	if m, _ := cell.Load().Value.(map[string]any); len(m) > 101 {
		t.Errorf("%d topics are held, of 101", len(m))
	}
}

// TestLeftOut: if there are more topics than can be kept, the sample has an error. A new message on a kept topic does not remove the
// error. After the message of a topic was deleted, the next message removes the error.
func TestLeftOut(t *testing.T) {
	h := (&Provider{params: Params{Topic: "#"}}).held()
	for i := range MaxTopics + 1 {
		h.take(t.Context(), Message{Topic: fmt.Sprint(i), Payload: []byte("1")})
	}
	h.take(t.Context(), Message{Topic: "0", Payload: []byte("2")})
	cell := provider.NewCell(nil)
	if h.tell(cell, time.Now()); cell.Load().Err != errFull {
		t.Errorf("after a message of a topic that is kept: got %v", cell.Load().Err)
	}
	h.take(t.Context(), Message{Topic: "0"})
	h.take(t.Context(), Message{Topic: "1", Payload: []byte("2")})
	if h.tell(cell, time.Now()); cell.Load().Err != nil {
		t.Errorf("with room for one more: got %v", cell.Load().Err)
	}
}
