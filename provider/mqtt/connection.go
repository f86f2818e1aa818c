// Package mqtt is one shared connection to a broker (MQTT 5.0, OASIS), and a provider of the messages under topics.
package mqtt

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/eclipse/paho.golang/autopaho"
	"github.com/eclipse/paho.golang/paho"

	"dashboard/internal/fetch"
	"dashboard/provider"
)

// Bounds of a connection.
const (
	MaxPacket        = 1 << 20 // bytes in one packet of a broker
	maxUnread        = 16      // messages in the library's queue. The broker sends more after these are read
	MaxSubscriptions = 256
	maxTopic         = 1024 // bytes
)

// Times of a connection.
const (
	keepAlive   = 30 // interval in seconds. A broker considers a wall dead after one and a half times this
	connectTime = 10 * time.Second
	retryFirst  = time.Second
	retryMost   = time.Minute
	closeTime   = 2 * time.Second
	steady      = 30 * time.Second // a connection that is lost sooner counts as failed
)

// A Connection is a connection to a broker. It reconnects after every loss. Its methods may be called from any goroutine.
type Connection struct {
	broker Broker
	client *autopaho.ConnectionManager
	ctx    context.Context
	end    context.CancelFunc
	wg     sync.WaitGroup
	is311  atomic.Bool // the broker supports only MQTT 3.1.1, as far as is known
	again  atomic.Bool // true if the latest attempt found an older broker, so the next attempt uses the older version

	since time.Time // only for the library's goroutine: time of connecting; zero if already counted
	short int       // only for the library's goroutine: connections in a row that were lost soon

	mu   sync.Mutex // guards the following fields
	subs map[*subscription]struct{}
	ups  map[*func()]struct{}
	up   bool
	err  error // reason for a missing connection; nil while it is open, and until the first attempt has ended
}

// Connect returns the connection to a broker, which all users of one definition share, and a function that releases it.
func Connect(ctx context.Context, s *provider.Sessions, b Broker) (*Connection, func(), error) {
	return provider.Acquire(ctx, s, b.Key(), func(ctx context.Context) (*Connection, error) { return open(ctx, b) })
}

func open(ctx context.Context, b Broker) (*Connection, error) {
	if err := b.Check(); err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(ctx)
	c := &Connection{broker: b, ctx: ctx, end: end, subs: map[*subscription]struct{}{}, ups: map[*func()]struct{}{}}
	client, err := autopaho.NewConnection(ctx, c.config())
	if err != nil {
		end()
		return nil, err
	}
	c.client = client
	return c, nil
}

// anyBroker is the address that the library gets.
const anyBroker = "mqtt://broker"

// config returns the library's options.
func (c *Connection) config() autopaho.ClientConfig {
	at, _ := url.Parse(anyBroker) // attempt dials the real address
	cfg := autopaho.ClientConfig{
		ServerUrls: []*url.URL{at}, KeepAlive: keepAlive, CleanStartOnInitialConnection: true, ConnectTimeout: connectTime,
		ReconnectBackoff: c.wait, AttemptConnection: c.attempt,
		ConnectUsername: c.broker.Username, ConnectPassword: []byte(c.broker.Password),
		OnConnectionUp:          func(*autopaho.ConnectionManager, *paho.Connack) { c.since = time.Now(); c.wg.Go(c.connected) },
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

// withWill makes the broker publish the will of a client that disconnects (MQTT 5.0, section 3.14.2.1).
const withWill = 0x04

// packet bounds the size and the number of messages that the broker sends before they are read (MQTT 5.0, sections 3.1.2.11.3
// and 3.1.2.11.4). The library's queue has the same bound, so a fast publisher with QoS 0 is slowed down by TCP.
func packet(p *paho.Connect, _ *url.URL) (*paho.Connect, error) {
	if p.Properties == nil {
		p.Properties = &paho.ConnectProperties{}
	}
	most, unread := uint32(MaxPacket), uint16(maxUnread)
	p.Properties.MaximumPacketSize, p.Properties.ReceiveMaximum = &most, &unread
	return p, nil
}

// pause returns the pause after the n-th failure: twice as long as the previous one, with a random part.
func pause(n int) time.Duration {
	if n <= 0 {
		return 0
	}
	d := min(retryFirst<<min(n-1, 10), retryMost)
	return d/2 + rand.N(d/2+1)
}

// wait returns the pause before the n-th retry. A broker may accept all clients and disconnect them again, for example if two walls
// have the same id.
func (c *Connection) wait(n int) time.Duration {
	if !c.since.IsZero() {
		if c.short++; time.Since(c.since) >= steady {
			c.short = 0
		}
		c.since = time.Time{}
	}
	return pause(n + c.short)
}

// attempt dials.
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

// speak returns a connection to the broker in the version that the broker supports.
func (c *Connection) speak(conn net.Conn) net.Conn {
	b := &bounded{Conn: conn, is311: c.is311.Load(), old: c.older}
	if b.is311 {
		return &older{bounded: b}
	}
	return b
}

// older makes the next attempt use MQTT 3.1.1.
func (c *Connection) older() {
	c.is311.Store(true)
	c.again.Store(true)
}

// refused records why a connection could not be opened.
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
		return // this is not reported yet
	}
	if errors.As(err, &deny) {
		err = fmt.Errorf("the broker refuses: %s (code %d)", cmp.Or(deny.Reason, reasons[deny.ReasonCode], "no reason given"), deny.ReasonCode)
	}
	if inner := errors.Unwrap(err); inner != nil && strings.Contains(err.Error(), anyBroker) { // not a real address
		err = inner
	}
	if c.broker.Secret {
		err = errors.New("unavailable")
	}
	c.down(err)
}

// reasons are the most common reason codes of a broker (MQTT 5.0, section 3.2.2.2).
var reasons = map[byte]string{
	0x85: "the client's id is not valid", 0x86: "bad user name or password", 0x87: "not authorized", 0x88: "server unavailable", 0x8a: "banned", 0x9f: "too many connections",
}

var errNeither = errors.New("the broker speaks neither MQTT 5 nor 3.1.1: another one is needed, such as Mosquitto")

// down notifies all subscribers.
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

// connected subscribes to all filters again.
func (c *Connection) connected() {
	c.mu.Lock()
	c.up, c.err = true, nil
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
		c.subscribe(s)
	}
	for _, f := range calls {
		f()
	}
}

// OnUp registers a function that is called whenever the connection is opened, and at once if it is open, until end is called.
func (c *Connection) OnUp(f func()) (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ups[&f] = struct{}{}
	if c.up {
		c.wg.Go(f)
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.ups, &f)
	}
}

// ErrDown is the error of Publish without a connection. Subscribers get the reason.
var ErrDown = autopaho.ConnectionDownError

// Publish sends a message, and waits until the broker has received it.
func (c *Connection) Publish(ctx context.Context, topic string, payload []byte, retain bool) error {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	_, err := c.client.Publish(ctx, &paho.Publish{Topic: topic, Payload: payload, QoS: 1, Retain: retain})
	if err != nil {
		return fmt.Errorf("%s: %w", c.broker.shown(), err)
	}
	return nil
}

// Close disconnects from the broker, which then publishes the will.
func (c *Connection) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	err := c.client.Disconnect(ctx)
	c.end()
	<-c.client.Done()
	c.wg.Wait()
	return err
}
