// Package mqtt provides a connection to a broker (MQTT 5.0, OASIS) that several users share, and a provider of the messages on topics.
package mqtt

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/eclipse/paho.golang/autopaho"
	"github.com/eclipse/paho.golang/paho"

	"dashboard/internal/fetch"
	"dashboard/provider"
)

// Limits for a connection.
const (
	MaxPacket        = 1 << 20 // bytes of one packet from the broker
	maxUnread        = 16      // messages in the library's queue; the broker sends more after these are read
	MaxSubscriptions = 256
	maxTopic         = 1024 // bytes of a topic
)

// Times and intervals of a connection.
const (
	keepAlive   = 30 // interval in seconds; after one and a half intervals without a packet, the broker considers the wall dead
	connectTime = 10 * time.Second
	retryFirst  = time.Second
	retryMost   = time.Minute
	closeTime   = 2 * time.Second
	steady      = 30 * time.Second // a connection that is lost earlier counts as a failed attempt
)

// A Connection is a connection to a broker. It reconnects after each loss. Any goroutine may call its methods.
type Connection struct {
	broker Broker
	client *autopaho.ConnectionManager
	ctx    context.Context
	end    context.CancelFunc
	wg     sync.WaitGroup
	is311  atomic.Bool // whether the broker seems to support only MQTT 3.1.1
	again  atomic.Bool // whether the latest attempt found that the broker needs the other version

	since time.Time // time of connecting; zero if the loss was already counted; used only by the library's goroutine
	short int       // number of connections in a row that were lost early; used only by the library's goroutine

	mu     sync.Mutex // guards the fields below
	subs   map[*subscription]struct{}
	ups    map[*func()]struct{}
	asks   map[chan struct{}]struct{} // running requests for subscriptions; a channel is closed when its request has ended
	up     bool
	opened int   // number of connections so far
	err    error // reason why there is no connection; nil while it is open, and before the first attempt has ended
}

// Connect returns a connection to a broker and a function that releases it. All users of equal brokers share a connection.
func Connect(ctx context.Context, s *provider.Sessions, b Broker) (*Connection, func(), error) {
	return provider.Acquire(ctx, s, b.Key(), func(ctx context.Context) (*Connection, error) { return open(ctx, b) })
}

func open(ctx context.Context, b Broker) (*Connection, error) {
	if err := b.Check(); err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(ctx)
	c := &Connection{
		broker: b, ctx: ctx, end: end, subs: map[*subscription]struct{}{}, ups: map[*func()]struct{}{}, asks: map[chan struct{}]struct{}{},
	}
	client, err := autopaho.NewConnection(ctx, c.config())
	if err != nil {
		end()
		return nil, err
	}
	c.client = client
	return c, nil
}

// anyBroker is a placeholder: the library needs an address, but attempt() uses the real address.
const anyBroker = "mqtt://broker"

// config returns the settings for the library.
func (c *Connection) config() autopaho.ClientConfig {
	at, _ := url.Parse(anyBroker) // attempt() uses the real address
	cfg := autopaho.ClientConfig{
		ServerUrls: []*url.URL{at}, KeepAlive: keepAlive, CleanStartOnInitialConnection: true, ConnectTimeout: connectTime,
		ReconnectBackoff: c.wait, AttemptConnection: c.attempt,
		ConnectUsername: c.broker.Username, ConnectPassword: []byte(c.broker.Password),
		OnConnectionUp: func(*autopaho.ConnectionManager, *paho.Connack) {
			c.since = time.Now()
			c.wg.Go(c.connected)
		},
		OnConnectionDown:        func() bool { c.down(errors.New("the connection was lost")); return true },
		OnConnectError:          c.refused,
		ConnectPacketBuilder:    packet,
		DisconnectPacketBuilder: func() *paho.Disconnect { return &paho.Disconnect{ReasonCode: withWill} },
		ClientConfig: paho.ClientConfig{
			ClientID:          c.broker.ClientID,
			OnPublishReceived: []func(paho.PublishReceived) (bool, error){c.received},
		},
	}
	if c.broker.Will != "" {
		cfg.WillMessage = &paho.WillMessage{Topic: c.broker.Will, Payload: []byte(Offline), QoS: 1, Retain: true}
	}
	return cfg
}

// withWill is the reason code of a DISCONNECT after which the broker publishes the will (MQTT 5.0, section 3.14.2.1).
const withWill = 0x04

// packet() limits the size of packets and the number of messages that the broker sends before they are read (MQTT 5.0, sections 3.1.2.11.3
// and 3.1.2.11.4). The library's queue has the same limit, so that TCP slows down a fast publisher with QoS 0.
func packet(p *paho.Connect, _ *url.URL) (*paho.Connect, error) {
	if p.Properties == nil {
		p.Properties = &paho.ConnectProperties{}
	}
	most, unread := uint32(MaxPacket), uint16(maxUnread)
	p.Properties.MaximumPacketSize, p.Properties.ReceiveMaximum = &most, &unread
	return p, nil
}

// pause returns the pause after n failures in a row. The pause doubles with each failure, and a part of the pause is random.
func pause(n int) time.Duration {
	if n <= 0 {
		return 0
	}
	d := min(retryFirst<<min(n-1, 10), retryMost)
	return d/2 + rand.N(d/2+1)
}

// wait returns the pause before the next attempt. Early losses of a connection count as failures, because a broker may accept a client
// and disconnect it at once, for example if two walls have the same ID.
func (c *Connection) wait(n int) time.Duration {
	if !c.since.IsZero() {
		if c.short++; time.Since(c.since) >= steady {
			c.short = 0
		}
		c.since = time.Time{}
	}
	return pause(n + c.short)
}

// attempt opens a connection to the broker.
func (c *Connection) attempt(ctx context.Context, _ autopaho.ClientConfig, _ *url.URL) (net.Conn, error) {
	host, secure, err := c.broker.address()
	if err != nil {
		return nil, err
	}
	dialer := &net.Dialer{Timeout: fetch.Connect, KeepAlive: keepAlive * time.Second}
	if !secure {
		conn, err := dialer.DialContext(ctx, "tcp", host)
		if err != nil {
			return nil, err
		}
		return c.speak(conn), nil
	}
	t, err := fetch.NewTransport(&fetch.Options{CAFile: c.broker.CAFile})
	if err != nil {
		return nil, err
	}
	conf := t.TLSClientConfig
	if conf == nil {
		conf = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	conn, err := (&tls.Dialer{NetDialer: dialer, Config: conf}).DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	return c.speak(conn), nil
}

// speak() returns a connection that uses the broker's version of MQTT.
func (c *Connection) speak(conn net.Conn) net.Conn {
	b := &bounded{Conn: conn, is311: c.is311.Load(), old: c.older}
	if b.is311 {
		return &older{bounded: b}
	}
	return b
}

// older() makes the next attempt use MQTT 3.1.1.
func (c *Connection) older() {
	c.is311.Store(true)
	c.again.Store(true)
}

// refused() records why an attempt failed.
func (c *Connection) refused(err error) {
	var deny *autopaho.ConnackError
	if errors.As(err, &deny) {
		if deny.ReasonCode == badVersion && c.is311.CompareAndSwap(true, false) {
			err = errNeither
		} else if deny.ReasonCode == badVersion {
			c.older()
		}
	}
	if c.again.Swap(false) {
		return // not reported, because the next attempt uses the other version
	}
	if errors.As(err, &deny) {
		err = fmt.Errorf("the broker refuses: %s (code %d)", cmp.Or(deny.Reason, reasons[deny.ReasonCode], "no reason given"), deny.ReasonCode)
	}
	if inner := errors.Unwrap(err); inner != nil && strings.Contains(err.Error(), anyBroker) { // removes the placeholder address
		err = inner
	}
	if c.broker.Secret {
		err = errors.New("unavailable")
	}
	c.down(err)
}

// reasons are texts for the most common codes with which a broker rejects a connection (MQTT 5.0, section 3.2.2.2).
var reasons = map[byte]string{
	0x85: "the client's id is not valid", 0x86: "bad user name or password", 0x87: "not authorized", 0x88: "server unavailable", 0x8a: "banned", 0x9f: "too many connections",
}

var errNeither = errors.New("the broker speaks neither MQTT 5 nor 3.1.1: another one is needed, such as Mosquitto")

// down() stores the reason why there is no connection and reports it to all subscribers.
func (c *Connection) down(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() != nil {
		return
	}
	c.up, c.err = false, fmt.Errorf("%s: %w", c.broker.shown(), err)
	for s := range c.subs {
		s.state(c.err)
	}
}

// connected() subscribes to all filters again and calls the functions of OnUp.
func (c *Connection) connected() {
	c.mu.Lock()
	c.up, c.err = true, nil
	c.opened++
	opened := c.opened
	done := c.asksLocked()
	all := make([]*subscription, 0, len(c.subs))
	for s := range c.subs {
		all = append(all, s)
	}
	calls := make([]func(), 0, len(c.ups))
	for f := range c.ups {
		calls = append(calls, *f)
	}
	c.mu.Unlock()
	for _, s := range all {
		c.subscribe(s, opened)
	}
	done()
	for _, f := range calls {
		f()
	}
}

// asksLocked records a running request for subscriptions. The caller calls `done` when the broker has answered. mu must be held.
func (c *Connection) asksLocked() (done func()) {
	ended := make(chan struct{})
	c.asks[ended] = struct{}{}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.asks, ended)
		close(ended)
	}
}

// OnUp registers the function f. Until `end` is called, f is called each time the connection has opened and the broker has answered the
// requests for subscriptions. If the connection is open now, f is also called as soon as the broker has answered the present requests.
func (c *Connection) OnUp(f func()) (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ups[&f] = struct{}{}
	if c.up {
		asks := slices.Collect(maps.Keys(c.asks))
		c.wg.Go(func() {
			for _, ended := range asks {
				<-ended // this wait ends, because each request has a time limit
			}
			f()
		})
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.ups, &f)
	}
}

// ErrDown is the error of Publish if there is no connection. Subscribers receive the reason why there is no connection.
var ErrDown = autopaho.ConnectionDownError

// Publish sends a message and waits until the broker has confirmed it.
func (c *Connection) Publish(ctx context.Context, topic string, payload []byte, retain bool) error {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	_, err := c.client.Publish(ctx, &paho.Publish{Topic: topic, Payload: payload, QoS: 1, Retain: retain})
	if err != nil {
		return fmt.Errorf("%s: %w", c.broker.shown(), err)
	}
	return nil
}

// Close disconnects from the broker. The broker then publishes the will.
func (c *Connection) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	err := c.client.Disconnect(ctx)
	c.end()
	<-c.client.Done()
	c.wg.Wait()
	return err
}
