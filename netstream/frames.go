package netstream

import (
	"context"
	"iter"
	"time"
)

// Frames yields the current frame at a size (0, 0: the render size), then each newer one that its reader has time
// for, and the same one again when there has been no newer one for the time of resend (0: never). It ends with ctx,
// with Halt, or after an error. Whoever loops closes each Body.
func (s *Stream) Frames(ctx context.Context, w, h int, resend time.Duration) iter.Seq2[Response, error] {
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
			resp, err := s.Get(ctx, Request{W: w, H: h})
			if err != ErrNoFrame && (!yield(resp, err) || err != nil) {
				return
			}
			if resend > 0 {
				again.Reset(resend)
			}
		}
	}
}
