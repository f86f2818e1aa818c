// Package walltest builds walls for tests of widgets. The test provides the values that the widgets show.
package walltest

import (
	"os"
	"runtime/debug"
	"testing"

	"dashboard/widgets/kit"
)

// Main runs the tests of a package with a catalog. It raises the GC percentage, because garbage collection took up to a quarter of the
// processor time.
func Main(m *testing.M, c kit.Catalog) {
	debug.SetGCPercent(300)
	Catalog = c
	os.Exit(m.Run())
}
