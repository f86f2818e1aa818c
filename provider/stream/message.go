package stream

import (
	"context"
	"fmt"

	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/document"
)

// A message is a received message. The value of the message is decoded when the value is needed for the first time.
type message struct {
	raw   []byte
	value any
	size  int64 // bytes of the value in memory
	read  bool
}

// hold stores a message without copying it. If the messages are too many or too large together, it drops the oldest messages.
func (p *Provider) hold(raw []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = append(p.held, message{raw: raw})
	total, first := 0, len(p.held)
	for first > 0 && len(p.held)-first < p.keep && total+len(p.held[first-1].raw) <= MaxHeld {
		first--
		total += len(p.held[first].raw)
	}
	n := copy(p.held, p.held[first:])
	clear(p.held[n:])
	p.held = p.held[:n]
}

// value() returns the last message. If p.keep is above 1, it returns a list of the kept messages instead. It drops unreadable messages
// and returns their error.
func (p *Provider) value(ctx context.Context) (any, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var failed error
	good := p.held[:0]
	for _, m := range p.held {
		if !m.read {
			var r document.Reader
			v, err := r.Read(ctx, m.raw)
			if err != nil {
				failed = fmt.Errorf("%w: a message: %w", fetch.ErrTooLarge, err)
				continue
			}
			m.value, m.size, m.read = v, provider.SizeOf(v), true
		}
		good = append(good, m)
	}
	clear(p.held[len(good):])
	good = latest(good)
	if p.held = good; failed != nil || len(good) == 0 {
		return nil, failed
	}
	if p.keep == 1 {
		return good[len(good)-1].value, nil
	}
	all := make([]any, len(good))
	for i := range good {
		all[i] = good[i].value
	}
	return all, nil
}

// latest() drops the oldest messages until the values of the remaining messages have at most maxDecoded bytes. It never drops the newest
// message.
func latest(list []message) []message {
	first, total := len(list), int64(0)
	for first > 0 && (total+list[first-1].size <= maxDecoded || first == len(list)) {
		first--
		total += list[first].size
	}
	n := copy(list, list[first:])
	clear(list[n:])
	return list[:n]
}

// forget drops all messages.
func (p *Provider) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = nil
}
