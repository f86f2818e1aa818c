package mqtt

import (
	"fmt"
	"log/slog"
	"reflect"
	"testing"
	"time"

	"dashboard/config/value"
	"dashboard/internal/budget"
	"dashboard/internal/state"
	"dashboard/internal/testing/programtest"
	"dashboard/provider"
)

// TestRestart: while the broker is away, a restarted wall shows the last message with its age. This
// message is stale until a new message replaces it.
func TestRestart(t *testing.T) {
	s := broker(t, fmt.Sprintf("127.0.0.1:%d", programtest.FreePort(t)))
	store, err := state.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	start := func(topic string) (*provider.Cell, func()) {
		m := provider.NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
		t.Cleanup(m.Close)
		m.Keep(store)
		key, v, err := New(&Params{Topic: topic}, &Broker{URL: "mqtt://" + s.Address, Username: "wall", Password: "right", ClientID: "w" + topic}, m.Sessions())
		if err != nil {
			t.Fatal(err)
		}
		set := m.Begin()
		cell := set.Add(key, v)
		m.Commit(set)
		return cell, m.Close
	}
	for topic, m := range map[string]string{"door": "7", "room/a": `{"t": 21.0}`, "room/b": "warm"} {
		_ = s.Publish(topic, []byte(m), true, 1)
	}
	one, endOne := start("door")
	await(t, one, "before", is(7))
	many, endMany := start("room/#")
	await(t, many, "before", is(map[string]any{"room/a": map[string]any{"t": 21.0}, "room/b": "warm"}))
	before := one.Load().At
	endOne()
	endMany()
	_ = s.Close()

	one, _ = start("door")
	many, _ = start("room/#")
	stale := func(v any) func(s *provider.Sample) bool {
		return func(s *provider.Sample) bool {
			return s.Has() && reflect.DeepEqual(s.Value, v) && s.Err != nil && s.Stale(time.Now())
		}
	}
	await(t, one, "away", stale(7))
	await(t, many, "away", stale(map[string]any{"room/a": map[string]any{"t": 21.0}, "room/b": "warm"}))
	if got := one.Load().At; !got.Equal(before) {
		t.Errorf("got a value of %v, want that of %v", got, before)
	}
	s = broker(t, s.Address)
	await(t, one, "the broker is back and says nothing", func(s *provider.Sample) bool {
		return s.Err == nil && s.Value == 7 && s.At.Equal(before) && s.Stale(time.Now())
	})
	_ = s.Publish("door", []byte("8"), false, 1)
	_ = s.Publish("room/b", []byte("cold"), true, 1)
	fresh := func(v any) func(s *provider.Sample) bool {
		return func(s *provider.Sample) bool { return is(v)(s) && !s.Stale(time.Now()) }
	}
	await(t, one, "new", fresh(8))
	await(t, many, "new", fresh(map[string]any{"room/a": map[string]any{"t": 21.0}, "room/b": "cold"}))
}

// TestExpiredKept: a stored message that expired while the wall was off is not shown.
func TestExpiredKept(t *testing.T) {
	_, p, err := New(&Params{Topic: "a", Expire: value.Duration(time.Hour)}, &Broker{URL: "mqtt://h"}, new(provider.Sessions))
	if err != nil {
		t.Fatal(err)
	}
	for ago, want := range map[time.Duration]any{time.Minute: 7, 2 * time.Hour: nil} {
		if v, err := p.Restore([]byte("7"), time.Now().Add(-ago)); err != nil || v != want {
			t.Errorf("%v old: got %v, %v, want %v", ago, v, err, want)
		}
	}
	_, wild, _ := New(&Params{Topic: "a/#"}, &Broker{URL: "mqtt://h"}, new(provider.Sessions))
	if _, err := wild.Restore([]byte("7"), time.Now()); err == nil {
		t.Error("a number is taken for topics")
	}
}
