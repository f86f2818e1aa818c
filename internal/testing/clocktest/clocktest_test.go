package clocktest

import (
	"testing"
	"time"
)

func TestSet(t *testing.T) {
	for _, by := range []time.Duration{0, time.Hour, -time.Hour, 365 * 24 * time.Hour, -365 * 24 * time.Hour} {
		now := time.Now()
		got := Set(now, by)
		if d := got.Sub(now); d != 0 {
			t.Errorf("by %v: the monotonic clock went by %v", by, d)
		}
		if d := got.Round(0).Sub(now.Round(0)); d != by {
			t.Errorf("by %v: the time of day went by %v", by, d)
		}
		if d := Set(now.Round(0), by).Sub(now.Round(0)); d != by {
			t.Errorf("by %v: a time without a monotonic reading went by %v", by, d)
		}
	}
}
