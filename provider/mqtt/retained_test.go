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

// A reunion is a filter whose connection is lost and comes back after an hour.
type reunion struct {
	*held
	cell *provider.Cell
}

func newReunion(wild bool) *reunion {
	r := &reunion{&held{wild: wild, at: map[string]*arrived{}, more: make(chan struct{}, 1)}, provider.NewCell(nil)}
	r.state(nil)
	return r
}

func (r *reunion) gets(t *testing.T, topic string, retained bool) {
	r.take(t.Context(), Message{Topic: topic, Payload: []byte("on"), Retained: retained})
	r.tell(r.cell, time.Now())
}

func (r *reunion) again() {
	time.Sleep(time.Second)
	r.state(errors.New("lost"))
	r.tell(r.cell, time.Now())
	time.Sleep(time.Hour)
	r.state(nil)
	r.tell(r.cell, time.Now())
}

// settles waits until the broker has sent all retained messages, and compares the value.
func (r *reunion) settles(t *testing.T, want any) {
	t.Helper()
	for at := r.over(time.Now()); at != nil; at = r.over(time.Now()) {
		<-at
		r.tell(r.cell, time.Now())
	}
	if s := r.cell.Load(); !reflect.DeepEqual(s.Value, want) || s.Err != nil {
		t.Errorf("got %v, %v, want %v", s.Value, s.Err, want)
	}
}

// A retained message of a filter that was deleted while the connection was down disappears after the reconnection. Other messages stay.
func TestDeletedWhileAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReunion(true)
		r.gets(t, "a", true)
		r.gets(t, "b", true)
		r.gets(t, "c", false)
		r.gets(t, "b", false)
		r.again()
		time.Sleep(settle - 1)
		r.gets(t, "d", true)
		before := r.cell.Load().Seq
		r.settles(t, map[string]any{"c": "on", "d": "on"})
		if seq := r.cell.Load().Seq; seq != before+1 {
			t.Errorf("got %d values", seq-before)
		}
	})
}

// If a broker sends no retained message of a filter after a reconnection, it has restarted without its messages, and the values stay. A
// retained message after a later reconnection does not remove them either. The value of a single topic always stays.
func TestBrokerWithoutItsMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReunion(true)
		r.gets(t, "a", true)
		r.again()
		r.settles(t, map[string]any{"a": "on"})
		r.again()
		r.gets(t, "b", true)
		r.settles(t, map[string]any{"a": "on", "b": "on"})
		single := newReunion(false)
		single.gets(t, "a", true)
		single.again()
		single.settles(t, "on")
	})
}
