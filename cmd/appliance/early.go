//go:build linux && initramfs

package main

import "dashboard/appliance"

// commands returns the commands of the initramfs. The units start the program of the root file system, which has the others.
func commands() []appliance.Commands { return []appliance.Commands{appliance.Early} }
