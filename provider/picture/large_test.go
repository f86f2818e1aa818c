package picture

import (
	"context"
	"errors"
	"image"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/budget"
	"dashboard/internal/fetch"
	"dashboard/provider"
)

// An idle provider publishes nothing.
type idle struct{}

// Run implements provider.Provider.
func (idle) Run(ctx context.Context, _ *provider.Cell) error { <-ctx.Done(); return nil }

// A picture that did not fit into the memory is published as soon as there is room, although its bytes have not changed.
func TestRefusedPictureComesAgain(t *testing.T) {
	for _, kind := range []string{"picture", "snapshot"} {
		synctest.Test(t, func(t *testing.T) {
			memory := &budget.Memory{Jobs: budget.NewBudget(budget.MaxJobs), Bodies: budget.NewBudget(1 << 20), Kept: budget.NewLedger(10_000)}
			m := provider.NewManager(memory, func() {}, slog.New(slog.DiscardHandler))
			defer m.Close()
			set := m.Begin()
			other := set.Add("other", idle{})
			m.Commit(set)
			other.Publish(strings.Repeat("x", 9900), time.Now())
			client := fetch.NewWith(&web{pages: map[string]string{"http://h/a.png": dot(t, 9)}, etag: true})
			c := Config{Request: fetch.Request{URL: "http://h/a.png"}, Interval: time.Minute, Box: image.Pt(40, 40)}
			var p provider.Provider = New(c, client, nil)
			if kind == "snapshot" {
				p = NewCamera(c, Snapshot, client, nil)
			}
			cell := set.Add("picture", p)
			for range 3 {
				synctest.Wait()
				if s := cell.Load(); s.Has() || !errors.Is(s.Err, budget.ErrTooLarge) {
					t.Errorf("%s without room: got %v, %v", kind, s.Has(), s.Err)
				}
				time.Sleep(time.Minute)
			}
			other.Publish("", time.Now())
			time.Sleep(time.Minute)
			synctest.Wait()
			if s := cell.Load(); s.Err != nil || !s.Has() {
				t.Errorf("%s with room: got %v, %v", kind, s.Has(), s.Err)
			}
		})
	}
}
