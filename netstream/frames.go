package netstream

import (
	"context"
	"iter"
	"time"
)

// Frames yields the current frame, each newer one, and the same again when there has been none for the time of
// resend (0: never), until ctx ends, the stream is halted, or the loop is left. Whoever loops closes each Body.
func (s *Stream) Frames(ctx context.Context, w, h int, resend time.Duration) iter.Seq2[Response, error] {
	return func(yield func(Response, error) bool) {
		u := s.Subscribe()
		defer u.Close()
		var again <-chan time.Time
		if resend > 0 {
			t := time.NewTicker(resend)
			defer t.Stop()
			again = t.C
		}
		for {
			select {
			case <-ctx.Done():
				return
			case _, open := <-u.C():
				if !open {
					return
				}
			case <-again:
			}
			if r, err := s.Get(ctx, Request{W: w, H: h}); err != ErrNoFrame && !yield(r, err) {
				return
			}
		}
	}
}
