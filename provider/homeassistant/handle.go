package homeassistant

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"dashboard/provider"
)

// A command is a request to Home Assistant that has one answer.
type command struct {
	message map[string]any
	answer  chan answer // capacity 1
}

type answer struct {
	result any
	err    error
}

// Ask sends a command and returns its result. It waits for the connection and the answer until ctx ends. An error of the connection is a
// *provider.Upstream.
func (c *Connection) Ask(ctx context.Context, message map[string]any) (result any, err error) {
	cmd := &command{message, make(chan answer, 1)}
	select {
	case c.commands <- cmd:
	case <-ctx.Done():
		return nil, c.late(ctx.Err())
	case <-c.done:
		return nil, &provider.Upstream{Err: errEnded}
	}
	select {
	case a := <-cmd.answer:
		return a.result, a.err
	case <-ctx.Done():
		return nil, c.late(ctx.Err())
	}
}

// late() returns the reason why an answer did not arrive in time.
func (c *Connection) late(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return &provider.Upstream{Err: c.err}
	}
	return fmt.Errorf("Home Assistant does not answer: %w", err) //nolint:staticcheck // the error begins with a proper name
}

// command sends a command for a caller who waits for the answer.
func (s *session) command(ctx context.Context, cmd *command) error {
	if len(s.waiting) >= maxWaiting {
		cmd.answer <- answer{err: errBusy}
		return nil
	}
	id, err := s.send(ctx, cmd.message)
	if err != nil {
		cmd.answer <- answer{err: &provider.Upstream{Err: err}}
		return err
	}
	s.waiting[id] = cmd
	return nil
}

// abandon reports to all waiting callers that no answer will arrive.
func (s *session) abandon() {
	for _, cmd := range s.waiting {
		if cmd.answer != nil {
			cmd.answer <- answer{err: &provider.Upstream{Err: errEnded}}
		}
	}
}

// catchUp sends the wanted subscriptions that are missing and ends subscriptions that are no longer wanted.
func (s *session) catchUp(ctx context.Context) error {
	if want := s.wanted(); !slices.Equal(want, s.asked) {
		if err := s.askEntities(ctx, want); err != nil {
			return err
		}
	}
	return s.subscribe(ctx)
}

// askEntities replaces the subscription to entities by a subscription to the entities in `want`. If `want` is empty, it only ends the old
// subscription, because Home Assistant answers an empty list with all entities.
func (s *session) askEntities(ctx context.Context, want []string) (err error) {
	if err := s.leave(ctx, s.entities); err != nil {
		return err
	}
	s.entities, s.asked, s.first = 0, want, true
	if len(want) == 0 {
		return nil
	}
	s.entities, err = s.send(ctx, map[string]any{"type": "subscribe_entities", "entity_ids": want})
	return err
}

// subscribe sends new subscriptions and ends subscriptions that are no longer wanted.
func (s *session) subscribe(ctx context.Context) error {
	s.mu.Lock()
	open := map[*subscription]bool{}
	for sub := range s.subscriptions {
		open[sub] = true
	}
	s.mu.Unlock()
	for id, sub := range s.ids {
		if open[sub] {
			delete(open, sub)
			continue
		}
		delete(s.ids, id)
		if err := s.leave(ctx, id); err != nil {
			return err
		}
	}
	for sub := range open {
		id, err := s.send(ctx, sub.message)
		if err != nil {
			return err
		}
		s.ids[id] = sub
	}
	return nil
}

// leave ends the subscription with an ID. It does nothing if id is 0.
func (s *session) leave(ctx context.Context, id int) error {
	if id == 0 {
		return nil
	}
	_, err := s.send(ctx, map[string]any{"type": "unsubscribe_events", "subscription": id})
	return err
}

// askConfig requests the state of Home Assistant, to learn whether Home Assistant is still starting.
func (s *session) askConfig(ctx context.Context) error {
	id, err := s.send(ctx, map[string]any{"type": "get_config"})
	s.waiting[id] = &command{}
	return err
}

// stillStarting requests the state of Home Assistant again if Home Assistant was starting at the last answer.
func (s *session) stillStarting(ctx context.Context) error {
	if !s.starting || len(s.waiting) >= maxWaiting {
		return nil
	}
	return s.askConfig(ctx)
}

// handle processes the messages of one frame.
func (s *session) handle(ctx context.Context, messages []any) error {
	for _, v := range messages {
		m, ok := v.(map[string]any)
		if !ok {
			return errors.New("the server is not Home Assistant")
		}
		if err := s.one(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) one(ctx context.Context, m map[string]any) error {
	id, _ := m["id"].(int)
	switch m["type"] {
	case "pong":
		if !s.pinged.IsZero() { // an unexpected pong is ignored
			s.pinged = time.Time{}
			s.confirm()
		}
	case "event":
		s.event(id, m["event"])
	case "result":
		return s.result(ctx, id, m)
	}
	return nil
}

// event passes an event to its subscription. If the subscription has already ended, event ignores the event.
func (s *session) event(id int, event any) {
	if id == s.entities && id != 0 {
		if e, ok := event.(map[string]any); ok {
			s.take(e, s.first)
			s.first = false
		}
		return
	}
	if sub := s.ids[id]; sub != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if _, open := s.subscriptions[sub]; open {
			sub.on(event, nil)
		}
	}
}

// result() passes an answer to the caller or the subscription that waits for this answer.
func (s *session) result(ctx context.Context, id int, m map[string]any) error {
	err := refusal(m)
	if cmd := s.waiting[id]; cmd != nil {
		delete(s.waiting, id)
		if cmd.answer == nil {
			return s.state(ctx, m["result"])
		}
		cmd.answer <- answer{m["result"], err}
		return nil
	}
	switch sub := s.ids[id]; {
	case err == nil:
	case sub != nil:
		s.mu.Lock()
		defer s.mu.Unlock()
		sub.on(nil, err)
	case id == s.entities && id != 0:
		return err
	}
	return nil
}

// refusal returns the error in an answer, or nil if the command succeeded.
func refusal(m map[string]any) error {
	if ok, _ := m["success"].(bool); ok {
		return nil
	}
	e, _ := m["error"].(map[string]any)
	code, _ := e["code"].(string)
	text, _ := e["message"].(string)
	const most = 200 // in bytes; enough for a sentence
	return &RefusalError{code, text[:min(len(text), most)]}
}

// A RefusalError is the error of a command that Home Assistant rejects.
type RefusalError struct{ code, text string }

// Error implements error.
func (e *RefusalError) Error() string { return "Home Assistant refuses: " + e.text }

// final() reports whether Home Assistant would reject the same command again (developers.home-assistant.io/docs/api/websocket, error
// handling).
func (e *RefusalError) final() bool {
	return e.code == "service_validation_error" || e.code == "invalid_format" || e.code == "unauthorized"
}

// state processes the state of Home Assistant. When Home Assistant has finished its start, all subscriptions are sent again, because
// earlier subscriptions may receive no events.
func (s *session) state(ctx context.Context, config any) error {
	m, _ := config.(map[string]any)
	state, _ := m["state"].(string)
	was := s.starting
	s.starting = state != "" && state != "RUNNING"
	if !was || s.starting {
		return nil
	}
	for id := range s.ids {
		if err := s.leave(ctx, id); err != nil {
			return err
		}
	}
	clear(s.ids)
	s.asked = nil
	return s.catchUp(ctx)
}
