package netstream

import (
	"context"
	"iter"
	"time"
)

// Frames yields the response to a request repeatedly: first for the current frame, then for newer ones. A slow reader misses some
// frames. If there is no newer frame for the time of resend, it yields the same one again (0: never). It ends with ctx, with Halt,
// or after an error. The caller closes each Body.
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
