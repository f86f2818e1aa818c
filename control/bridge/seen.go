package bridge

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"dashboard/control/notify"
)

const (
	// keptKind is the kind of file that stores the position of a server.
	keptKind = "messages"
	// keepEvery is the minimum time between two writes. A flood of messages therefore does not wear out a memory card.
	keepEvery = 10 * time.Second
)

// A position identifies the newest message received from a server.
type position struct {
	ID     string    `json:"id,omitempty"`     // ID of the ntfy message
	Time   time.Time `json:"time,omitzero"`    // time of the message
	Number int64     `json:"number,omitempty"` // number of the Gotify message
}

// after() returns the higher number and the later time of two positions.
func (p position) after(q position) position {
	p.Number = max(p.Number, q.Number)
	if q.Time.After(p.Time) {
		p.Time = q.Time
	}
	return p
}

// A seen stores the position of a Bridge for the next start.
type seen struct {
	in  notify.Keeper // if it is nil, nothing is stored
	key string
	log *slog.Logger

	mu      sync.Mutex
	at      position
	changed chan struct{} // capacity 1
}

// openSeen returns a value of the type seen with the stored position of a server, or with the zero position.
func openSeen(in notify.Keeper, key string, log *slog.Logger) *seen {
	s := &seen{in: in, key: key, log: log, changed: make(chan struct{}, 1)}
	if in == nil {
		return s
	}
	if data, ok := in.Load(keptKind, key); ok && json.Unmarshal(data, &s.at) != nil {
		s.at = position{}
		log.Warn("the kept position in a server's messages is unreadable; recent messages appear again")
	}
	s.at.ID = cut(s.at.ID, notify.MaxID/2)
	s.at.Number = max(0, s.at.Number)
	return s
}

// now() returns the current position.
func (s *seen) now() position {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at
}

// set changes the position. The goroutine of run stores it later.
func (s *seen) set(at position) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at == s.at {
		return
	}
	s.at = at
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// run stores the position after changes, at most once within keepEvery. It stores the last position when ctx ends.
func (s *seen) run(ctx context.Context) {
	if s.in == nil {
		return
	}
	for {
		select {
		case <-ctx.Done():
		case <-s.changed:
			s.save()
			wait(ctx, keepEvery)
			continue
		}
		select {
		case <-s.changed:
			s.save()
		default:
		}
		return
	}
}

// save stores the position now.
func (s *seen) save() {
	data, err := json.Marshal(s.now())
	if err == nil {
		err = s.in.Save(keptKind, s.key, data)
	}
	if err != nil {
		s.log.Warn("cannot keep the position in a server's messages; recent ones appear again after a restart", "error", err)
	}
}
