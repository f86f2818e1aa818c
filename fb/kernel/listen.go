package kernel

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"time"
)

// An ear is a source of the kernel's messages.
type ear interface {
	// next waits for a message. `ok` is false if the message is not from the kernel.
	next() (m Message, ok bool, err error)
	// SetReadDeadline sets the time at which next() stops waiting and returns os.ErrDeadlineExceeded.
	SetReadDeadline(time.Time) error
	// Close makes next() return an error.
	Close() error
}

// A Listener receives the kernel's messages from the time at which it was opened. The kernel stores them until Watch reads them. So a
// program that opens a Listener, and then reads the state of a device, misses no later change.
type Listener struct {
	ear    ear
	closed atomic.Bool // true after Close was called
}

// Watch passes every message of the kernel to the function `heard`. When `heard` returns true for a message, Watch calls the function
// `changed`, and calls it again after SettleTime. The second call is needed because one change causes several messages, and some
// information is still missing when the first message arrives. When ctx is done, Watch closes the Listener and returns. It also returns
// after Close. An error means that no further messages can be received.
func (l *Listener) Watch(ctx context.Context, heard func(Message) bool, changed func()) error {
	defer l.ear.Close()
	defer context.AfterFunc(ctx, func() { _ = l.ear.SetReadDeadline(time.Unix(1, 0)) })()
	if err := listen(ctx, l.ear, heard, changed); !l.closed.Load() {
		return err
	}
	return nil
}

// Close closes the Listener. It may be called at any time, and more than once.
func (l *Listener) Close() error {
	l.closed.Store(true)
	if err := l.ear.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}

// listen implements Watch.
func listen(ctx context.Context, e ear, heard func(Message) bool, changed func()) error {
	for ctx.Err() == nil {
		m, ok, err := e.next()
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
		case err != nil:
			return err
		case ok && heard(m):
			changed()
			gather(ctx, e, heard)
			if ctx.Err() == nil {
				changed()
			}
		}
	}
	return nil
}

// gather receives further messages until SettleTime has passed, and passes them to `heard`.
func gather(ctx context.Context, e ear, heard func(Message) bool) {
	_ = e.SetReadDeadline(time.Now().Add(SettleTime))
	for ctx.Err() == nil {
		m, ok, err := e.next()
		if err != nil {
			break
		}
		if ok {
			heard(m)
		}
	}
	if ctx.Err() == nil { // if ctx is done, keep the deadline that it has set, so that listen() ends
		_ = e.SetReadDeadline(time.Time{})
	}
}
