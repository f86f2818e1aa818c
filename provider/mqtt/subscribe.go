package mqtt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/eclipse/paho.golang/autopaho"
	"github.com/eclipse/paho.golang/paho"
)

// A Message is a message that the broker has sent.
type Message struct {
	Topic    string
	Payload  []byte
	Retained bool // whether the broker had stored the message; the age of a stored message is unknown
}

// A subscription is a filter of topics and the functions that receive its messages.
type subscription struct {
	filter string
	on     func(Message)
	state  func(error)
}

// subscribe asks the broker for the messages that match a filter. `opened` is the number of the connection. If the broker rejects the
// filter, subscribe asks again later, because the reason may be temporary, or a person may correct the broker's permissions.
func (c *Connection) subscribe(s *subscription, opened int) {
	if c.ask(s) {
		return
	}
	c.wg.Go(func() {
		for n := 1; ; n++ {
			select {
			case <-time.After(pause(n)):
			case <-c.ctx.Done():
				return
			}
			if !c.wants(s, opened) || c.ask(s) {
				return
			}
		}
	})
}

// wants reports whether a subscription still needs the answer of the connection with the number `opened`.
func (c *Connection) wants(s *subscription, opened int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, wanted := c.subs[s]
	return wanted && c.up && c.opened == opened
}

// ask sends one request for a subscription and reports the broker's answer. It returns false if the request must be repeated. If the
// connection is lost, it returns true, because connected() subscribes after the next connection.
func (c *Connection) ask(s *subscription) bool {
	ctx, cancel := context.WithTimeout(c.ctx, connectTime)
	defer cancel()
	got, err := c.client.Subscribe(ctx, &paho.Subscribe{Subscriptions: []paho.SubscribeOptions{{Topic: s.filter, QoS: 1}}})
	switch {
	case errors.Is(err, autopaho.ConnectionDownError):
		return true
	case err != nil && got != nil && len(got.Reasons) > 0 && got.Reasons[0] >= refusedFilter:
		code := got.Reasons[0]
		why := cmp.Or(reasons[code], "no reason given")
		err = fmt.Errorf("%s: the broker refuses the topic %s: %s (code %d)", c.broker.shown(), s.filter, why, code)
	case err != nil:
		err = fmt.Errorf("%s: %w", c.broker.shown(), err)
	}
	s.state(err)
	return err == nil
}

// refusedFilter is the least reason code of a rejected filter (MQTT 5.0, section 3.9.3).
const refusedFilter = 0x80

// received() passes a message to all subscriptions whose filter matches its topic.
func (c *Connection) received(p paho.PublishReceived) (bool, error) {
	m := Message{Topic: p.Packet.Topic, Payload: p.Packet.Payload, Retained: p.Packet.Retain}
	if len(m.Topic) > maxTopic {
		return true, nil
	}
	c.mu.Lock()
	var to []func(Message)
	for s := range c.subs {
		if Match(s.filter, m.Topic) {
			to = append(to, s.on)
		}
	}
	c.mu.Unlock()
	for _, on := range to {
		on(m)
	}
	return true, nil
}

var errMany = fmt.Errorf("more than %d subscriptions of one broker", MaxSubscriptions)

// Subscribe calls `on` with each message on a topic that matches the filter, until `end` is called. It calls `state` with nil when the
// broker has accepted the subscription. It calls `state` with an error when the broker rejects the subscription or the connection is lost.
// The functions `on` and `state` must not block.
func (c *Connection) Subscribe(filter string, on func(Message), state func(error)) (end func()) {
	s := &subscription{filter, on, state}
	c.mu.Lock()
	if len(c.subs) >= MaxSubscriptions {
		c.mu.Unlock()
		state(errMany)
		return func() {}
	}
	c.subs[s] = struct{}{}
	up, opened, err, done := c.up, c.opened, c.err, func() {}
	if up {
		done = c.asksLocked()
	}
	c.mu.Unlock()
	if err != nil {
		state(err)
	}
	if up {
		c.wg.Go(func() { defer done(); c.subscribe(s, opened) })
	}
	return func() { c.unsubscribe(s) }
}

// unsubscribe ends a subscription at the broker, unless another subscription has the same filter.
func (c *Connection) unsubscribe(s *subscription) {
	c.mu.Lock()
	delete(c.subs, s)
	shared := !c.up
	for other := range c.subs {
		shared = shared || other.filter == s.filter
	}
	c.mu.Unlock()
	if shared || c.ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(c.ctx, closeTime)
	defer cancel()
	_, _ = c.client.Unsubscribe(ctx, &paho.Unsubscribe{Topics: []string{s.filter}}) // an error means that the connection has ended
}
