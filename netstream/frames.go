package netstream

import (
	"context"
	"iter"
	"time"
)

// Frames yields responses to a request: first for the current frame, then for each newer frame. If the reader is slow, it misses frames.
// If no newer frame comes for the duration `resend`, Frames yields the same frame again. If `resend` is 0, there is no such repetition.
// After a call of Dark or SetLight, Frames may also yield the same frame again. The sequence ends when ctx is done, when the stream is
// halted, or after an error. The caller must close every Body.
func (s *Stream) Frames(ctx context.Context, r Request, resend time.Duration) iter.Seq2[Response, error] {
	return func(yield func(Response, error) bool) {
		u := s.Subscribe()
		defer u.Close()
		again := time.NewTimer(resend)
		defer again.Stop()
		if resend <= 0 {
			again.Stop()
		}
		for {
			select {
			case <-ctx.Done():
				return
			case _, open := <-u.C():
				if !open {
					return
				}
			case <-again.C:
			}
			resp, err := s.Get(ctx, r)
			if err != ErrNoFrame && (!yield(resp, err) || err != nil) {
				return
			}
			if resend > 0 {
				again.Reset(resend)
			}
		}
	}
}
