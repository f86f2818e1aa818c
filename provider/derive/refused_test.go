package derive

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/testing/crowdtest"
	"dashboard/provider"
)

// An unchanged input does not confirm a refused value. The value is made again until there is room, although the input
// does not change.
func TestRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := provider.NewCell(nil)
		p := New(Config{From: []*provider.Cell{in}, Make: func(_ context.Context, v []any) (any, error) { return v[0], nil }})
		crowdtest.Unchanged(t, p, in)
	})
}

// A value that is computed again while another value is refused ends the refusal.
func TestBackAfterRefusal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := provider.NewCell(nil)
		p := New(Config{From: []*provider.Cell{in}, Make: func(_ context.Context, v []any) (any, error) { return v[0], nil }})
		cell, free := crowdtest.Run(t, p)
		free()
		in.Publish("a value", time.Now())
		synctest.Wait()
		in.Publish(strings.Repeat("x", 200_000), time.Now())
		synctest.Wait()
		crowdtest.Check(t, cell)
		in.Publish("a value", time.Now())
		synctest.Wait()
		if s := cell.Load(); s.Err != nil || !s.Has() {
			t.Errorf("the old value is back: got %v, %v", s.Value, s.Err)
		}
	})
}
