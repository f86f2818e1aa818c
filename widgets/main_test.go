package widgets

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain collects garbage less often than a program does that is to be small: a tenth to a quarter of the processor's time was that.
func TestMain(m *testing.M) {
	debug.SetGCPercent(300)
	catalog = All()
	os.Exit(m.Run())
}
