package mqtt

import (
	"testing"
	"testing/synctest"
	"time"

	"dashboard/provider"
)

// A board without a battery starts with the time of its last run, and its clock is set later. The clock is therefore checked again long
// before a restored message seems to expire.
func TestClockSetAfterRestore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		h := &held{expire: time.Hour, at: map[string]*arrived{"door": {value: "ring", at: now.Add(-time.Minute).Round(0)}}}
		over := h.over(now)
		time.Sleep(2 * time.Minute)
		select {
		case <-over:
		default:
			t.Error("the clock was not checked again within two minutes")
		}
		cell := provider.NewCell(nil)
		cell.Publish("ring", now)
		h.tell(cell, now.Add(9*time.Hour)) // the clock was set
		if s := cell.Load(); s.Value != nil {
			t.Errorf("got %v, want no value", s.Value)
		}
	})
}
