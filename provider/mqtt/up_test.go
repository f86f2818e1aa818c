package mqtt

import (
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"dashboard/internal/budget"
	"dashboard/internal/testing/brokertest"
	"dashboard/internal/testing/programtest"
	"dashboard/provider"

	broker5 "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

// A slowHook is a broker's hook that delays the answers to requests for subscriptions until the channel `released` is closed.
type slowHook struct {
	broker5.HookBase
	released chan struct{}
}

func (*slowHook) Provides(b byte) bool { return b == broker5.OnSubscribe }

func (h *slowHook) OnSubscribe(_ *broker5.Client, p packets.Packet) packets.Packet {
	<-h.released
	return p
}

// TestUpAfterSubscriptions: a function of OnUp is called after the broker has answered the earlier requests for subscriptions. When this
// function publishes the state of a wall, the wall already receives commands.
func TestUpAfterSubscriptions(t *testing.T) {
	t.Parallel()
	s := broker(t, brokertest.AnyPort)
	m := provider.NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
	t.Cleanup(m.Close)
	conn, release, err := Connect(t.Context(), m.Sessions(), Broker{URL: "mqtt://" + s.Address, ClientID: "wall", Username: "wall", Password: "right"})
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	open := make(chan struct{}, 1)
	defer conn.OnUp(func() { open <- struct{}{} })()
	<-open
	slow := &slowHook{released: make(chan struct{})}
	if err := s.AddHook(slow, nil); err != nil {
		t.Fatal(err)
	}
	var accepted atomic.Bool
	defer conn.Subscribe("wall/+/set", func(Message) {}, func(err error) { accepted.Store(err == nil) })()
	before := make(chan bool, 1)
	defer conn.OnUp(func() { before <- accepted.Load() })()
	close(slow.released)
	select {
	case ok := <-before:
		if !ok {
			t.Error("the function was called before the broker accepted the subscription")
		}
	case <-time.After(programtest.Patience):
		t.Error("the function was not called")
	}
}
