//go:build linux

// Command appliance is the first program of a card. The kernel starts it. Later, units of the root file system start it with other
// arguments.
package main

import (
	"os"

	"dashboard/appliance"
)

func main() {
	if os.Getpid() == 1 {
		appliance.Boot()
	}
	os.Exit(appliance.Main(os.Args[1:], commands()...))
}
