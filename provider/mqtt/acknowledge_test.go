package mqtt

import (
	"fmt"
	"testing"

	"dashboard/internal/testing/brokertest"
	"dashboard/internal/testing/programtest"
)

// TestAcknowledged: a wall acknowledges each of five thousand messages while further messages arrive, and the test's broker keeps
// running. With the library's default limits, the broker stopped after a few hundred or thousand messages.
func TestAcknowledged(t *testing.T) {
	s := broker(t, brokertest.AnyPort)
	cell := run(t, &Params{Topic: "door"}, &Broker{URL: "mqtt://" + s.Address, ClientID: "wall"})
	_ = s.Publish("door", []byte("0"), true, 1)
	await(t, cell, "a connection", is(0))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 5_000 {
			_ = s.Publish("door", fmt.Append(nil, i), true, 1)
		}
	}()
	programtest.Eventually(t, "all messages are published", func() bool {
		select {
		case <-done:
			return true
		default:
			return false
		}
	})
	programtest.Eventually(t, "the last message", func() bool { // publishes again, because the broker drops messages that come too fast
		_ = s.Publish("door", []byte("open"), true, 1)
		return cell.Load().Value == "open"
	})
}
