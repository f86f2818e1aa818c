package sun

import (
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/testing/crowdtest"
)

// Refused times are published again until there is room.
func TestRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cell, free := crowdtest.Run(t, mustNew(t, 45, 15, "UTC"))
		for range 2 {
			synctest.Wait()
			crowdtest.Check(t, cell)
			time.Sleep(pollMost)
		}
		free()
		time.Sleep(pollMost)
		synctest.Wait()
		if s := cell.Load(); s.Err != nil || !s.Has() {
			t.Errorf("with room: got %v, %v", s.Value, s.Err)
		}
	})
}
