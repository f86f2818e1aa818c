package mqtt

import (
	"strings"
	"sync/atomic"
	"testing"

	"dashboard/internal/testing/brokertest"
	"dashboard/provider"

	broker5 "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

// A refusingHook is a broker's hook that makes the filters of the first requests for subscriptions invalid, so that the broker rejects them.
type refusingHook struct {
	broker5.HookBase
	left atomic.Int32
}

func (*refusingHook) Provides(b byte) bool { return b == broker5.OnSubscribe }

func (h *refusingHook) OnSubscribe(_ *broker5.Client, p packets.Packet) packets.Packet {
	if h.left.Add(-1) >= 0 {
		p.Filters[0].Filter = "#/not/valid"
	}
	return p
}

// If the broker rejects a subscription, the source has the reason, and the wall asks again until the broker accepts it.
func TestRefusedSubscription(t *testing.T) {
	t.Parallel()
	s := broker(t, brokertest.AnyPort)
	h := &refusingHook{}
	h.left.Store(2)
	if err := s.AddHook(h, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Publish("home/a", []byte("1"), true, 1); err != nil {
		t.Fatal(err)
	}
	cell := run(t, &Params{Topic: "home/a"}, &Broker{URL: "mqtt://" + s.Address, ClientID: "wall"})
	await(t, cell, "a reason", func(s *provider.Sample) bool {
		return s.Err != nil && strings.Contains(s.Err.Error(), "the broker refuses the topic home/a: no reason given (code 143)")
	})
	await(t, cell, "a value", is(1))
}
