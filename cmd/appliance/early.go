//go:build linux && initramfs

package main

import "dashboard/appliance"

// commands returns the commands of the program in the initramfs. The units start the program in the root file system, which has the other
// commands.
func commands() []appliance.Commands { return []appliance.Commands{appliance.Early} }
