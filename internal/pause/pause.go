// Package pause waits until a time has passed or a context ends.
package pause

import (
	"context"
	"time"
)

// For blocks for the duration d. If ctx ends first, it returns the error of ctx.
func For(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
