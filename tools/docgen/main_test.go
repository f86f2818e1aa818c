package main

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain makes the garbage collector run less often, because the collector took between a tenth and a quarter of the processor time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
