package extract

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain collects garbage less often than a program with little memory does. Otherwise the collection would take a tenth to a quarter of
// the processor's time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
