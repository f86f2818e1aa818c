package mqtt

import (
	"testing"
	"time"

	"dashboard/config/value"
	"dashboard/internal/testing/brokertest"
	"dashboard/provider"
)

// A message that the broker has retained counts as a new message, whether or not the key `expire` is set. If the key is set, the message
// expires when the time `expire` has passed since its arrival. See docs/dev/decisions/mqtt.md.
func TestKeptByTheBroker(t *testing.T) {
	s := broker(t, brokertest.AnyPort)
	b := &Broker{URL: "mqtt://" + s.Address, ClientID: "wall"}
	for _, topic := range []string{"door", "mode", "bell"} {
		if err := s.Publish(topic, []byte("open"), true, 1); err != nil {
			t.Fatal(err)
		}
	}
	before := time.Now()
	fresh := func(s *provider.Sample) bool {
		return is("open")(s) && !s.At.Before(before) && !s.Stale(time.Now().Add(24*time.Hour))
	}
	await(t, run(t, &Params{Topic: "door"}, b), "without expire", fresh)
	await(t, run(t, &Params{Topic: "mode", Expire: value.Duration(time.Hour)}, b), "with expire", fresh)
	bell := run(t, &Params{Topic: "bell", Expire: value.Duration(500 * time.Millisecond)}, b)
	await(t, bell, "when it has come and expired", func(s *provider.Sample) bool { return s.Has() && s.Value == nil && s.Err == nil })
}
