package push

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config/value"
	"dashboard/provider"
)

// A board without a battery starts with the time of its last run. When the clock is set, a restored value that has expired meanwhile
// disappears within a minute.
func TestClockSetAfterRestore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var behind atomic.Int64
		behind.Store(int64(9 * time.Hour))
		p := New("door", Params{TTL: value.Duration(10 * time.Minute)})
		p.now = func() time.Time { return time.Now().Round(0).Add(-time.Duration(behind.Load())) }
		at := p.now().Add(-time.Minute)
		v, err := p.Restore([]byte(`"ring"`), at)
		if err != nil || v != "ring" {
			t.Fatalf("got %v, %v", v, err)
		}
		cell := provider.NewCell(nil)
		cell.Publish(v, at)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); _ = p.Run(ctx, cell) }()
		defer func() { cancel(); <-ended }()
		time.Sleep(time.Second)
		behind.Store(0)
		time.Sleep(time.Minute)
		synctest.Wait()
		if s := cell.Load(); s.Value != nil || s.Err == nil {
			t.Errorf("got %v, %v, want an expired value", s.Value, s.Err)
		}
	})
}
