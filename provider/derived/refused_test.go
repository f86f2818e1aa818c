package derived

import (
	"testing"
	"testing/synctest"

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
		crowdtest.Unchanged(t, p, in)
	})
}
