package homeassistant

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/cenkalti/backoff/v5"

	"dashboard/internal/extract"
	"dashboard/internal/fetch"
	"dashboard/provider"
)

// Times and intervals of a session.
const (
	dialTime   = 15 * time.Second       // maximum time for opening the socket; logging in has the same limit
	pingEvery  = 30 * time.Second       // time between two pings, and interval of the values in the cells
	pongTime   = 10 * time.Second       // maximum time until the answer to a ping
	settle     = 50 * time.Millisecond  // changes of the followed entities within this time become one command
	mapPause   = 250 * time.Millisecond // minimum time between two mappings of all entities
	startPause = 5 * time.Second        // time between two requests for the state while Home Assistant is starting
	retryFirst = time.Second
	retryMost  = time.Minute
	steady     = 5 * time.Minute // after a session of this length, the next pause is retryFirst again
)

// same() reports whether a published value equals the value of an entity.
func same(v any, e *entity) bool {
	m, ok := v.(map[string]any)
	return ok && m["state"] == stateOf(e.state) && m["last_changed"] == e.changed && reflect.DeepEqual(m["attributes"], e.attributes)
}

// run opens one session after another until ctx ends. After failures, the pauses between sessions grow.
func (c *Connection) run(ctx context.Context) {
	pause := &backoff.ExponentialBackOff{InitialInterval: retryFirst, MaxInterval: retryMost, Multiplier: 2, RandomizationFactor: 0.5}
	pause.Reset()
	for ctx.Err() == nil {
		began := time.Now()
		err := c.session(ctx)
		if ctx.Err() != nil {
			return
		}
		c.fail(err)
		if errors.Is(err, ErrToken) {
			<-ctx.Done()
			return
		}
		if time.Since(began) >= steady {
			pause.Reset()
		}
		provider.Sleep(ctx, min(pause.NextBackOff(), retryMost))
	}
}

// gatherTime is the time for which a new session waits, so that most entities are followed with one command.
const gatherTime = 20 * time.Millisecond

// A session is one open socket after the login. Only the goroutine of run uses it.
type session struct {
	*Connection
	socket   *fetch.Socket
	last     int      // ID of the latest command
	entities int      // ID of the command that subscribes to the entities, or 0
	asked    []string // IDs of the entities in the latest command subscribe_entities
	first    bool     // whether the latest command subscribe_entities has not received an event yet
	pinged   time.Time
	ids      map[int]*subscription
	waiting  map[int]*command
	starting bool // whether Home Assistant is still starting
	settling <-chan time.Time
}

// session() connects, logs in and serves the connection. It returns when the connection is lost.
func (c *Connection) session(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	socket, err := c.client.Socket(ctx, &c.request)
	if err != nil {
		return err
	}
	defer socket.Close()
	s := &session{Connection: c, socket: socket, ids: map[int]*subscription{}, waiting: map[int]*command{}}
	defer s.abandon()
	if err := s.enter(ctx); err != nil {
		return err
	}
	messages, ended := s.listen(ctx)
	defer func() { cancel(); <-ended }()
	return s.serve(ctx, messages)
}

// enter() logs in and starts the session.
func (s *session) enter(ctx context.Context) error {
	within, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	for {
		data, err := s.socket.Read(within)
		if err != nil {
			return err
		}
		m, err := message(ctx, data)
		if err != nil {
			return err
		}
		switch m["type"] {
		case "auth_required":
			token, _ := json.Marshal(s.token)
			if err := s.socket.Write(within, fmt.Appendf(nil, `{"type":"auth","access_token":%s}`, token)); err != nil {
				return err
			}
		case "auth_ok":
			return s.begin(ctx)
		case "auth_invalid":
			return ErrToken
		default:
			return errors.New("the server is not Home Assistant")
		}
	}
}

// begin requests the state of Home Assistant and sends all wanted subscriptions. If Home Assistant is still starting, its state is
// requested repeatedly, and the subscriptions are sent again when the start is complete.
func (s *session) begin(ctx context.Context) error {
	select { // wait, so that one command requests many entities
	case <-time.After(gatherTime):
	case <-ctx.Done():
		return ctx.Err()
	}
	if _, err := s.send(ctx, map[string]any{"type": "supported_features", "features": map[string]any{"coalesce_messages": 1}}); err != nil {
		return err
	}
	if err := s.askConfig(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	s.err = nil
	idle := len(s.follows) == 0
	s.told, s.stale = s.told || idle, true
	s.mu.Unlock()
	return s.catchUp(ctx)
}

func message(ctx context.Context, data []byte) (map[string]any, error) {
	v, err := extract.Decode(ctx, data)
	if err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("the server is not Home Assistant")
	}
	return m, nil
}

// An arrival is the content of one frame, or the error of the socket.
type arrival struct {
	messages []any
	err      error
}

// listen reads one frame at a time until the socket ends. The first channel receives the frames, and the second channel is closed after
// the last frame. listen reads a frame only after the previous frame was received.
func (s *session) listen(ctx context.Context) (<-chan arrival, <-chan struct{}) {
	out, ended := make(chan arrival), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			a := s.read(ctx)
			select {
			case out <- a:
			case <-ctx.Done():
				return
			}
			if a.err != nil {
				return
			}
		}
	}()
	return out, ended
}

// read returns the messages of one frame. A frame has a single message or a list of messages.
func (s *session) read(ctx context.Context) arrival {
	data, err := s.socket.Read(ctx)
	if err != nil {
		return arrival{err: err}
	}
	v, err := extract.Decode(ctx, data)
	if err != nil {
		return arrival{err: err}
	}
	if list, ok := v.([]any); ok {
		return arrival{messages: list}
	}
	return arrival{messages: []any{v}}
}

// serve processes messages, commands and timers until the session fails or ctx ends.
func (s *session) serve(ctx context.Context, messages <-chan arrival) error {
	ping, maps, start := time.NewTicker(pingEvery), time.NewTicker(mapPause), time.NewTicker(startPause)
	defer ping.Stop()
	defer maps.Stop()
	defer start.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return ctx.Err()
		case a := <-messages:
			if a.err != nil {
				return a.err
			}
			err = s.handle(ctx, a.messages)
		case <-s.changed:
			if s.settling == nil {
				s.settling = time.After(settle)
			}
		case <-s.settling:
			s.settling = nil
			err = s.catchUp(ctx)
		case cmd := <-s.commands:
			err = s.command(ctx, cmd)
		case <-maps.C:
			s.tellWholes()
		case <-start.C:
			err = s.stillStarting(ctx)
		case <-ping.C:
			err = s.ping(ctx)
		case <-s.silence():
			err = fmt.Errorf("%w: a ping was not answered within %v", fetch.ErrUnavailable, pongTime)
		}
		if err != nil {
			return err
		}
	}
}

// silence() returns a channel that receives a value when the answer to a ping is late. The channel is nil if no answer is expected.
func (s *session) silence() <-chan time.Time {
	if s.pinged.IsZero() {
		return nil
	}
	return time.After(time.Until(s.pinged.Add(pongTime)))
}

func (s *session) ping(ctx context.Context) error {
	if !s.pinged.IsZero() {
		return nil
	}
	s.pinged = time.Now()
	_, err := s.send(ctx, map[string]any{"type": "ping"})
	return err
}

// send sends a command with the next ID and returns the ID.
func (s *session) send(ctx context.Context, m map[string]any) (id int, err error) {
	s.last++
	own := make(map[string]any, len(m)+1)
	for k, v := range m {
		own[k] = v
	}
	own["id"] = s.last
	data, err := json.Marshal(own)
	if err != nil {
		return 0, fmt.Errorf("a command of Home Assistant: %w", err)
	}
	return s.last, s.socket.Write(ctx, data)
}
