package main

import (
	"io"

	"dashboard/internal/daemon"
)

// check tells everything that is wrong with a configuration, and returns 1 if anything is.
func check(o *options, stdout io.Writer) int {
	b := newBuilder(func() {}, discardLog())
	defer b.providers.Close()
	_, report := b.load(o, alone(func() {}))
	return daemon.Check(stdout, report, o.JSON)
}
