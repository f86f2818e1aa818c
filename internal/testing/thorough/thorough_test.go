package thorough

import (
	"strconv"
	"testing"

	"dashboard/internal/testing/race"
)

func TestOnly(t *testing.T) {
	want := testing.Short() && !race.Enabled && strconv.IntSize == 64
	skipped := false
	t.Run("marked", func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		Only(t)
	})
	if skipped != want {
		t.Errorf("skipped: %v, want %v", skipped, want)
	}
}
