package derived

import (
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/testing/crowdtest"
	"dashboard/provider"
)

// An unchanged input does not confirm a refused result. The result is published again until there is room, although
// the input does not change.
func TestRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := provider.NewCell(nil)
		find := func(string) (*provider.Cell, bool) { return in, true }
		_, p, err := New(params(t, ".a"), provider.Place{}, find, nil, []string{"a"})
		if err != nil {
			t.Fatal(err)
		}
		cell, free := crowdtest.Run(t, p)
		in.Publish("a value", time.Now())
		for range 2 {
			synctest.Wait()
			crowdtest.Check(t, cell)
			time.Sleep(time.Minute)
			in.Confirm(time.Now())
		}
		free()
		time.Sleep(provider.RefusedAgain)
		synctest.Wait()
		if s := cell.Load(); s.Err != nil || s.Value != "a value" {
			t.Errorf("with room: got %v, %v", s.Value, s.Err)
		}
	})
}
