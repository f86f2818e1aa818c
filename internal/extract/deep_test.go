package extract

import (
	"runtime"
	"strings"
	"testing"
)

// The memory for mappings at the maximum depth is proportional to their number and not to its square.
func TestDeepMappings(t *testing.T) {
	for _, text := range []string{strings.Repeat(`{"a":`, maxDepth+1), strings.Repeat(`{"a":`, maxDepth) + "1" + strings.Repeat("}", maxDepth)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Decode(t.Context(), []byte(text))
		runtime.ReadMemStats(&after)
		const most = 16 << 20 // a stack that grew by one value each time would allocate 800 MB in total
		if n := after.TotalAlloc - before.TotalAlloc; n > most {
			t.Errorf("%d bytes were asked for, %v", n, err)
		}
	}
}
