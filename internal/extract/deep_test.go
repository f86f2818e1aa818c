package extract

import (
	"runtime"
	"strings"
	"testing"
)

// Decoding n nested mappings needs memory in proportion to n and not to the square of n.
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
