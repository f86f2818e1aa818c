package edit

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain makes Go collect garbage less often. With the usual setting, the collection needed half of the processor time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
