// Package stream is a provider of messages that a server sends through a WebSocket, as server-sent events, or as lines.
package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/query"
)

// The protocols. With Auto, ws and wss addresses use a WebSocket; for other addresses, the content type of the answer decides.
const (
	Auto      = "auto"
	SSE       = "sse"
	WebSocket = "websocket"
	Lines     = "ndjson"
)

// Limits for a stream.
const (
	MaxMessage   = 256 << 10 // bytes of one message
	MaxKeep      = 100       // number of stored messages
	MaxHeld      = 1 << 20   // bytes of all stored messages; if there are more, the oldest messages are dropped
	maxDecoded   = 16 << 20  // bytes of the decoded values of all stored messages; if there are more, the oldest messages are dropped
	MaxSubscribe = 20        // messages that are sent after the connection was opened

	perSecond = 512 << 10 // bytes per second that are read, on average; a faster server must wait
	burst     = 2 << 20   // bytes that are read at once
	// pace is the minimum time between two values. It is short enough for the hand of a gauge, but too long for a video. Messages that
	// arrive earlier are stored but not published.
	pace = 100 * time.Millisecond
	// settled is the time after which a connection without a message counts as working.
	settled = 10 * time.Second
	// lookEvery is the time between two checks of whether the value is visible.
	lookEvery = 5 * time.Second
	// retryMost limits the pause after failures and the field `retry` of server-sent events. A Retry-After header can request more.
	retryMost = 5 * time.Minute
)

// Params are the keys of a stream provider.
type Params struct {
	// Address: http, https, ws or wss.
	URL       string `yaml:"url" required:"true"`
	URLSecret bool   `secret:"url"` // whether the address came from a secret
	// Transport of the messages: server-sent events, a WebSocket, or one message a line. auto: a WebSocket for ws and
	// wss, otherwise the type of the answer.
	Protocol string `yaml:"protocol" default:"auto" enum:"auto,sse,websocket,ndjson"`
	// Messages sent over a WebSocket once it is open: texts, or mappings, which are sent as JSON.
	Subscribe []any `yaml:"subscribe" maxlen:"20"`
	// Number of kept messages. Above 1, the value is a list, with the newest last.
	Keep int `yaml:"keep" default:"1" min:"1" max:"100"`
	// If nothing arrives for this time, the connection is opened again.
	Timeout value.Duration `yaml:"timeout" default:"2m" min:"5" max:"86400"`
	// Request headers.
	Headers map[string]string `yaml:"headers"`
	// Login.
	Auth *query.Auth `yaml:"auth"`
	// PEM file of additional certificate authorities.
	CAFile string `yaml:"ca_file"`
	// Listens only while a widget with the value is visible, and for a minute afterwards.
	Visible bool `yaml:"only_when_visible" default:"false"`
}

// A Provider publishes the last message. A message that is valid JSON is decoded; any other message is text. If several messages are kept,
// the value is a list of these messages.
type Provider struct {
	client    *fetch.Client
	request   fetch.Request
	protocol  string
	subscribe [][]byte
	keep      int
	whenSeen  bool

	lastID string        // ID of the latest event that had an ID
	again  time.Duration // pause that the server requests before the next connection
	unread atomic.Bool   // whether the latest message was unreadable

	mu   sync.Mutex // guards the fields below
	held []message
}

var _ provider.Keeper = (*Provider)(nil)

// New returns a provider and the key that identifies its definition. An error begins with the name of the configuration key that causes
// it.
func New(p *Params, d ask.Deps) (key string, s *Provider, err error) {
	s = &Provider{client: d.Client, protocol: p.Protocol, keep: max(1, p.Keep), whenSeen: p.Visible}
	socket := fetch.SocketURL(p.URL) != p.URL
	if s.protocol == "" || s.protocol == Auto && socket {
		s.protocol = map[bool]string{false: Auto, true: WebSocket}[socket]
	}
	switch {
	case strings.HasPrefix(p.URL, "file://"):
		return "", nil, errors.New("url: a file is read by a provider of type file")
	case socket && s.protocol != WebSocket:
		return "", nil, fmt.Errorf("protocol: %s does not come from an address that begins with ws", s.protocol)
	case len(p.Subscribe) > 0 && s.protocol != WebSocket:
		return "", nil, errors.New("subscribe: only a WebSocket takes messages; with an address of http or https write 'protocol: websocket'")
	case len(p.Subscribe) > MaxSubscribe:
		return "", nil, fmt.Errorf("subscribe: has at most %d messages", MaxSubscribe)
	}
	keys := ask.Keys{Headers: p.Headers, Auth: p.Auth, CAFile: p.CAFile, Timeout: p.Timeout}
	if s.request, err = keys.Request(d, fetch.SocketURL(p.URL)); err != nil {
		return "", nil, err
	}
	s.request.Secret, s.request.MaxBytes = p.URLSecret, MaxMessage
	for _, m := range p.Subscribe {
		text, ok := m.(string)
		data := []byte(text)
		if !ok {
			if data, err = json.Marshal(m); err != nil {
				return "", nil, fmt.Errorf("subscribe: %w", err)
			}
		}
		s.subscribe = append(s.subscribe, data)
	}
	return ask.Key("stream", []any{p, s.request}), s, nil
}

// Kind is "stream".
func (p *Provider) Kind() string { return "stream" }

// Run receives messages until ctx ends. If the connection is lost, it opens another connection. After failures, the pauses grow.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	p.lastID, p.again = "", 0
	poll := provider.Poll{Interval: retryMost, RetryFirst: provider.RetryFirst, RetryMost: retryMost, WhenSeen: p.whenSeen}
	return poll.Run(ctx, cell, func(ctx context.Context, _ bool) provider.Result {
		c := &connection{p: p, cell: cell, limit: newLimit()}
		while, end := p.while(ctx, cell)
		defer end()
		err := c.listen(while)
		if while.Err() != nil {
			return provider.Result{Outcome: provider.Nothing, Handled: true, Next: provider.RetryFirst}
		}
		long := errors.Is(err, fetch.ErrTooLarge)
		if long {
			p.unread.Store(true)
		}
		if c.came { // a connection that has received messages is opened again soon
			if long {
				cell.Fail(err, time.Now())
			}
			return provider.Result{Outcome: provider.Unchanged, Handled: true, Next: max(provider.RetryFirst, p.again)}
		}
		return provider.Fail(err, false)
	})
}

// while() returns a context for one connection. This context ends with ctx. With only_when_visible, it also ends when the value is no
// longer visible. The caller must call `end`.
func (p *Provider) while(ctx context.Context, cell *provider.Cell) (while context.Context, end func()) {
	while, cancel := context.WithCancel(ctx)
	if !p.whenSeen {
		return while, cancel
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for cell.Seen(time.Now()) && provider.Sleep(while, lookEvery) {
		}
		cancel()
	}()
	return while, func() {
		cancel()
		<-ended
	}
}

// The type kept is the form in which messages are stored for the next start.
type kept struct{ Messages []string }

// Kept implements provider.Keeper.
func (p *Provider) Kept(any) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var k kept
	for _, m := range p.held {
		k.Messages = append(k.Messages, string(m.raw))
	}
	return json.Marshal(k)
}

// Restore implements provider.Keeper.
func (p *Provider) Restore(data []byte, _ time.Time) (any, error) {
	var k kept
	if err := json.Unmarshal(data, &k); err != nil {
		return nil, err
	}
	if len(k.Messages) == 0 {
		return nil, errors.New("no messages were kept")
	}
	for _, m := range k.Messages {
		p.hold([]byte(m))
	}
	return p.value(context.Background())
}
