package extract

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain makes the garbage collector run less often. With the default setting, the collector would take a tenth to a quarter of the
// processor's time, because the tests use little memory.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
