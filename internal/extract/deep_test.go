package extract

import (
	"runtime"
	"strings"
	"testing"
)

// Mappings in each other, as deep as may be, take memory by their number, not by its square.
func TestDeepMappings(t *testing.T) {
	for _, text := range []string{strings.Repeat(`{"a":`, maxDepth+1), strings.Repeat(`{"a":`, maxDepth) + "1" + strings.Repeat("}", maxDepth)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Decode(t.Context(), []byte(text))
		runtime.ReadMemStats(&after)
		const most = 16 << 20 // a stack that grew by one for each was 800 MB
		if n := after.TotalAlloc - before.TotalAlloc; n > most {
			t.Errorf("%d bytes were asked for, %v", n, err)
		}
	}
}
