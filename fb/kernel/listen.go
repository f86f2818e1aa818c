package kernel

import (
	"context"
	"errors"
	"os"
	"time"
)

// An ear is a source of the kernel's messages.
type ear interface {
	// next waits for a message. ok is false if the message is not from the kernel.
	next() (m Message, ok bool, err error)
	// SetReadDeadline sets the time at which next stops waiting and returns os.ErrDeadlineExceeded.
	SetReadDeadline(time.Time) error
}

// listen implements Watch for any source of messages.
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

// gather receives further messages until SettleTime has passed, and passes them to heard.
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
	if ctx.Err() == nil { // after the end of ctx, the deadline must stay, so that listen ends
		_ = e.SetReadDeadline(time.Time{})
	}
}
