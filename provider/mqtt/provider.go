package mqtt

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"dashboard/config/value"
	"dashboard/internal/budget"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/document"
)

// Limits for a provider.
const (
	MaxPayload = 256 << 10              // bytes of one message
	MaxTopics  = 1000                   // topics that match a filter with wildcards
	maxHeld    = 4 << 20                // bytes of all messages that match a filter with wildcards
	maxDecoded = 16 << 20               // bytes of all decoded values of a filter in memory
	least      = 100 * time.Millisecond // minimum time between two values; of the values in that time, only the last value is published
	settle     = 5 * time.Second        // after a reconnection, the broker has sent all retained messages if none arrives in this time
	lookMost   = time.Minute            // maximum time between two checks of the clock, because the clock may be set after the start
)

// Params are the keys of an mqtt provider.
type Params struct {
	// Topic. + stands for one level, and # at the end for all levels below.
	Topic string `yaml:"topic" required:"true"`
	// Time that a message stays valid. Default: no limit.
	Expire value.Duration `yaml:"expire"`
	// Broker. Default: mqtt in conf.yaml.
	Broker *BrokerParams `yaml:"broker"`
}

// BrokerParams are the keys of a broker.
type BrokerParams struct {
	// Address of the broker, such as mqtt://broker.lan.
	URL       string `yaml:"url" required:"true"`
	URLSecret bool   `secret:"url"` // whether the address came from a secret
	// User of the broker.
	Username string `yaml:"username"`
	// Password. Use a secret.
	Password string `yaml:"password"`
	// PEM file of additional certificate authorities.
	CAFile string `yaml:"ca_file"`
}

// Broker returns the broker that the keys describe.
func (p *BrokerParams) Broker() Broker {
	return Broker{URL: p.URL, Secret: p.URLSecret, Username: p.Username, Password: p.Password, CAFile: p.CAFile}
}

// A Provider publishes the latest message on a topic. A message that is valid JSON is decoded. Any
// other message is text. For a filter with wildcards, the value is a mapping of topics to messages.
type Provider struct {
	params   Params
	broker   Broker
	sessions *provider.Sessions
	before   *held // value from an earlier run; nil after Run has used it
}

var _ provider.Keeper = (*Provider)(nil)

// New returns a provider and the key that identifies its definition. `usual` is the broker of conf.yaml, or nil. An error begins with the
// name of the configuration key that causes it.
func New(p *Params, usual *Broker, s *provider.Sessions) (key string, v *Provider, err error) {
	if err := CheckFilter(p.Topic); err != nil {
		return "", nil, fmt.Errorf("topic: %w", err)
	}
	v = &Provider{params: *p, sessions: s}
	switch {
	case p.Broker != nil:
		v.broker = p.Broker.Broker()
	case usual != nil:
		v.broker = *usual
	default:
		return "", nil, errors.New("broker: is missing: write mqtt: {url: …} in conf.yaml, or broker here")
	}
	if err := v.broker.Check(); err != nil {
		return "", nil, fmt.Errorf("broker: url: %w", err)
	}
	return fmt.Sprintf("%s %q %v", v.broker.Key(), p.Topic, p.Expire), v, nil
}

// Kind is "mqtt".
func (p *Provider) Kind() string { return "mqtt" }

// Run publishes messages until ctx ends.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	c, release, err := Connect(ctx, p.sessions, p.broker)
	if err != nil {
		return err
	}
	defer release()
	h := p.before
	if p.before = nil; h == nil {
		h = p.held()
	} else {
		cell.Promise(time.Nanosecond) // with this interval, the restored value is stale at once
	}
	defer c.Subscribe(p.params.Topic, func(m Message) { h.take(ctx, m) }, h.state)()
	for {
		h.tell(cell, time.Now())
		if !provider.Sleep(ctx, least) {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-h.more:
		case <-h.over(time.Now()):
		}
	}
}

func (p *Provider) held() *held {
	return &held{expire: time.Duration(p.params.Expire), wild: Wild(p.params.Topic), at: map[string]*arrived{}, more: make(chan struct{}, 1)}
}

// Kept implements provider.Keeper.
func (p *Provider) Kept(value any) ([]byte, error) { return new(ask.Source).Kept(value) }

// Restore implements provider.Keeper. The restored value is stale until a message arrives. An expired value is dropped.
func (p *Provider) Restore(data []byte, at time.Time) (any, error) {
	v, err := new(ask.Source).Restore(data, at)
	if err != nil {
		return nil, err
	}
	all, _ := v.(map[string]any)
	h := p.held()
	switch {
	case h.wild && (all == nil || len(all) > MaxTopics):
		return nil, errors.New("what was kept is of no topics")
	case !h.wild:
		all = map[string]any{p.params.Topic: v}
	}
	for topic, v := range all {
		h.keep(topic, &arrived{value: v, bytes: len(topic) + len(data)/len(all), size: int(provider.SizeOf(v)), at: at})
	}
	h.kept, p.before = true, h
	if h.expire > 0 && !time.Now().Before(at.Add(h.expire)) {
		h.clear()
		h.changed = true
	}
	return h.value(), nil
}

// The type held holds the latest message of each topic.
type held struct {
	expire time.Duration
	wild   bool
	more   chan struct{} // capacity 1; receives a value after each change

	mu      sync.Mutex // guards the fields below
	at      map[string]*arrived
	bytes   int
	size    int // bytes of all decoded values in memory
	changed bool
	kept    bool      // whether all messages are from an earlier run
	lost    time.Time // time when the connection was lost; zero if `quiet` has passed since
	quiet   time.Time // time after which the broker has sent all retained messages again; zero if this does not matter
	stored  bool      // whether a retained message has arrived since the last reconnection
	err     error     // error of the connection or of the last message
	full    bool      // whether messages were dropped for lack of room
}

// The type arrived is the latest message of a topic.
type arrived struct {
	value any
	bytes int
	size  int // bytes of the decoded value in memory
	at    time.Time
	owned bool // whether the broker has stored a message of this topic
}

var (
	errLarge = fmt.Errorf("a message of more than %d bytes", MaxPayload)
	errFull  = fmt.Errorf("too large: more than %d topics, %d MiB of messages or %d MiB of values: some topics are left out", MaxTopics, maxHeld>>20, maxDecoded>>20)
)

// take decodes and stores a message. Decoding may wait for memory until ctx ends.
func (h *held) take(ctx context.Context, m Message) {
	var v any
	err := errLarge
	if len(m.Payload) <= MaxPayload {
		var r document.Reader
		v, err = r.Read(ctx, m.Payload)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	defer h.signal()
	if err != nil {
		h.err = err
		return
	}
	h.err = nil
	h.changed = true
	old := h.at[m.Topic]
	next := &arrived{v, len(m.Payload) + len(m.Topic), int(provider.SizeOf(v)), time.Now(), m.Retained || old != nil && old.owned}
	if m.Retained && !h.quiet.IsZero() {
		h.quiet, h.stored = next.at.Add(settle), true
	}
	h.drop(m.Topic)
	if len(m.Payload) == 0 && h.wild { // an empty payload means that a retained message was deleted
		return
	}
	if old == nil && len(h.at) >= MaxTopics || h.bytes+next.bytes > maxHeld || h.size+next.size > maxDecoded {
		h.full = true
		return
	}
	h.keep(m.Topic, next)
	h.full = h.full && (len(h.at) == MaxTopics || h.bytes > maxHeld/2 || h.size > maxDecoded/2) // there may be room for dropped topics now
}

// keep() stores a message and counts its size. The topic must have no stored message.
func (h *held) keep(topic string, a *arrived) {
	h.at[topic] = a
	h.bytes += a.bytes
	h.size += a.size
}

// drop deletes the message of a topic. If the topic has no message, drop does nothing.
func (h *held) drop(topic string) {
	if a := h.at[topic]; a != nil {
		h.bytes -= a.bytes
		h.size -= a.size
		delete(h.at, topic)
	}
}

// clear deletes all messages.
func (h *held) clear() { h.at, h.bytes, h.size = map[string]*arrived{}, 0, 0 }

// state stores the error of the connection, or nil.
func (h *held) state(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch h.err = err; {
	case err != nil:
		h.lost, h.quiet, h.stored = time.Now(), time.Time{}, false
	case h.wild && !h.lost.IsZero():
		h.quiet = time.Now().Add(settle)
	}
	h.signal()
}

// miss drops messages of a filter with wildcards that the broker had stored and has not sent again after a reconnection. These messages
// were deleted while the connection was down. If no retained message of the filter has come, the broker has probably restarted without
// its messages, and the messages stay. For the same reason, the message of a single topic always stays.
func (h *held) miss(now time.Time) {
	if h.quiet.IsZero() || now.Before(h.quiet) {
		return
	}
	for topic, a := range h.at {
		if !a.owned || !a.at.Before(h.lost) {
			continue
		}
		if a.owned = false; h.stored {
			h.drop(topic)
			h.changed = true
		}
	}
	h.lost, h.quiet = time.Time{}, time.Time{}
}

func (h *held) signal() {
	select {
	case h.more <- struct{}{}:
	default:
	}
}

// over() returns a channel that receives a value when the oldest message expires or `quiet` has come, or after lookMost. It returns nil if
// there is no such time.
func (h *held) over(now time.Time) <-chan time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	expires := h.expire > 0 && len(h.at) > 0
	if !expires && h.quiet.IsZero() {
		return nil
	}
	first := now.Add(lookMost)
	if !h.quiet.IsZero() {
		first = h.quiet
	}
	for _, a := range h.at {
		if end := a.at.Add(h.expire); expires && end.Before(first) {
			first = end
		}
	}
	return time.After(first.Sub(now))
}

// tell drops expired messages. If the messages have changed, it publishes the remaining messages in the cell. If the error has changed,
// it publishes the error.
func (h *held) tell(cell *provider.Cell, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.miss(now)
	for topic, a := range h.at {
		if h.expire > 0 && !now.Before(a.at.Add(h.expire)) {
			h.drop(topic)
			h.changed = true
		}
	}
	if h.changed {
		h.changed, h.kept = false, false
		cell.Promise(0)
		cell.Publish(h.value(), now)
		if err := cell.Load().Err; errors.Is(err, budget.ErrTooLarge) { // memory is full, so drop the messages
			h.clear()
			h.err = err
		}
	}
	err := h.err
	if err == nil && h.full {
		err = errFull
	}
	switch s := cell.Load(); {
	case err != nil && (s.Err == nil || s.Err.Error() != err.Error()):
		cell.Fail(err, now)
	case err == nil && s.Err != nil && s.Has() && h.kept: // the broker is back, but no message has arrived
		cell.Publish(s.Value, s.At)
	case err == nil && s.Err != nil && s.Has():
		cell.Confirm(now)
	}
}

// value returns the latest message or, for a filter with wildcards, a mapping of topics to messages.
func (h *held) value() any {
	if !h.wild {
		for _, a := range h.at {
			return a.value
		}
		return nil
	}
	all := make(map[string]any, len(h.at))
	for topic, a := range h.at {
		all[topic] = a.value
	}
	return all
}
