//go:build linux

// Command appliance is the first process on the memory card of an appliance. The kernel starts it.
// Later, systemd units in the root file system start it with other arguments.
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
