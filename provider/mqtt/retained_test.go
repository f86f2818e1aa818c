package mqtt

import (
	"errors"
	"reflect"
	"testing"
	"testing/synctest"
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

// A retained message that was deleted while the connection was down disappears after the reconnection. Other messages stay.
func TestDeletedWhileAway(t *testing.T) {
	for _, wild := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h := &held{wild: wild, at: map[string]*arrived{}, more: make(chan struct{}, 1), stored: func() bool { return true }}
			cell := provider.NewCell(nil)
			take := func(topic string, retained bool) {
				h.take(t.Context(), Message{Topic: topic, Payload: []byte("on"), Retained: retained})
				h.tell(cell, time.Now())
			}
			h.state(nil)
			take("a", true)
			if wild {
				take("b", true)
				take("c", false)
				take("b", false)
			}
			time.Sleep(time.Second)
			h.state(errors.New("lost"))
			h.tell(cell, time.Now())
			time.Sleep(time.Hour)
			h.state(nil)
			h.tell(cell, time.Now())
			time.Sleep(settle - 1)
			want := any(nil)
			if wild {
				take("d", true)
				want = map[string]any{"c": "on", "d": "on"}
			}
			before := cell.Load().Seq
			for at := h.over(time.Now()); at != nil; at = h.over(time.Now()) {
				<-at
				h.tell(cell, time.Now())
			}
			if s := cell.Load(); !reflect.DeepEqual(s.Value, want) || s.Err != nil || s.Seq != before+1 {
				t.Errorf("got %v, %v, want %v", s.Value, s.Err, want)
			}
		})
	}
}

// If a broker sends no retained message after a reconnection, it has restarted without them, and the values stay. Another topic's message
// after a later reconnection does not remove them either, because the broker no longer stores them.
func TestBrokerWithoutItsMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		other := false
		h := &held{at: map[string]*arrived{}, more: make(chan struct{}, 1), stored: func() bool { return other }}
		cell := provider.NewCell(nil)
		h.state(nil)
		h.take(t.Context(), Message{Topic: "a", Payload: []byte("on"), Retained: true})
		for range 2 {
			time.Sleep(time.Second)
			h.state(errors.New("lost"))
			h.state(nil)
			time.Sleep(settle)
			h.tell(cell, time.Now())
			if s := cell.Load(); s.Value != "on" || s.Err != nil {
				t.Errorf("other topics %v: got %v, %v", other, s.Value, s.Err)
			}
			other = true
		}
	})
}
