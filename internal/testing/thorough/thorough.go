// Package thorough marks tests that `make test` omits because they take long: attacks, failing hardware and large numbers of cases.
package thorough

import (
	"strconv"
	"testing"

	"dashboard/internal/testing/race"
)

// Only skips t with -short. It does not skip t under the race detector or in 32-bit code, because these runs also use -short, and an attack
// can show faults there that it does not show elsewhere.
func Only(t testing.TB) {
	t.Helper()
	if testing.Short() && !race.Enabled && strconv.IntSize == 64 {
		t.Skip("omitted with -short")
	}
}
