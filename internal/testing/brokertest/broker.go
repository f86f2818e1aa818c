// Package brokertest runs an MQTT broker inside a test.
package brokertest

import (
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

// AnyPort is the address of a broker on a free port of this machine.
const AnyPort = "127.0.0.1:0"

// A Broker is an MQTT broker. It runs until the test ends or Close is called.
type Broker struct {
	*mqtt.Server
	Address string // host and port
	close   func() error
}

// Begin starts a broker at an address. `users` maps names to passwords. If `users` is nil, every client may connect.
func Begin(t testing.TB, address string, users map[string]string) *Broker {
	t.Helper()
	s := mqtt.New(&mqtt.Options{InlineClient: true, Logger: slog.New(slog.DiscardHandler)})
	l := &listener{address: address, clients: func() {
		for _, c := range s.Clients.GetAll() {
			if !c.Net.Inline && !c.Closed() {
				_ = s.DisconnectClient(c, packets.ErrServerShuttingDown)
			}
		}
	}}
	if err := errors.Join(s.AddHook(&rules{users: users}, nil), s.AddListener(l), s.Serve()); err != nil {
		t.Fatal(err)
	}
	b := &Broker{Server: s, Address: l.Address(), close: sync.OnceValue(func() error { return within(patience, s.Close) })}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// Close disconnects all clients and waits until their connections have ended. A second call does nothing.
func (b *Broker) Close() error { return b.close() }

// `patience` is the time limit of Close. If a broker hangs, Close returns an error after this time, so only the broker's own test fails.
const patience = 3 * time.Minute

func within(d time.Duration, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-time.After(d):
		return errors.New("the broker did not close its clients")
	}
}
