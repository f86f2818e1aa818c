package drm

import (
	"context"

	"dashboard/fb/kernel"
)

// A Listener receives the kernel's messages about screens and cards, from the time at which it was opened.
type Listener struct {
	messages *kernel.Listener
	property bool // false if a message since the latest call of `changed` may be about a connected or removed screen
}

// Listen opens a Listener. It returns an error if the kernel sends no messages, as in some containers.
func Listen() (*Listener, error) {
	m, err := kernel.Listen()
	if err != nil {
		return nil, err
	}
	return &Listener{m, true}, nil
}

// Watch calls the function `changed` whenever a screen or card has appeared, disappeared or changed. It calls the function again 0.3 s
// later, because some changes take effect late. The argument of `changed` is true if only a property has changed, and no screen was
// connected or removed. Watch returns when ctx is done or the Listener is closed. It returns an error if no further messages can be
// received.
func (l *Listener) Watch(ctx context.Context, changed func(property bool)) error {
	return l.messages.Watch(ctx, l.heard, func() { changed(l.take()) })
}

// Close closes the Listener. It may be called at any time, and more than once.
func (l *Listener) Close() error { return l.messages.Close() }

// heard() reports whether the message m is about a screen, or means that messages were lost.
func (l *Listener) heard(m kernel.Message) bool {
	if len(m) == 0 {
		l.property = false
		return true
	}
	e, ok := parseEvent(m)
	l.property = l.property && (!ok || e.property != 0)
	return ok
}

// take returns the field property as the argument for a call of `changed`, and sets the field to true.
func (l *Listener) take() (property bool) {
	property, l.property = l.property, true
	return property
}
