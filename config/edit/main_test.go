package edit

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain collects garbage less often than a program with little memory does. The collection took half of the processor's time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
