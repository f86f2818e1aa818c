package netstream

import (
	"context"
	"iter"
	"time"
)

// Frames yields the answer to a request again and again: for the current frame, then for each newer one that its reader
// has time for, and for the same one when there has been no newer one for the time of resend (0: never). It ends with
// ctx, with Halt, or after an error. Whoever loops closes each Body.
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
