package main

import (
	"io"

	"dashboard/internal/daemon"
)

// check tells everything that is wrong with a configuration, and returns 1 if anything is.
func check(o *options, stdout io.Writer) int {
	w := newWorkshop(func() {}, discardLog())
	defer w.providers.Close()
	_, report := w.load(o)
	return daemon.Check(stdout, report, o.json)
}
