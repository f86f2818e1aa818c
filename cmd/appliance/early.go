//go:build linux && initramfs

package main

import "dashboard/appliance"

// commands() returns the commands of the program in the initramfs. The root file system contains another build of the program, which has
// the other commands.
func commands() []appliance.Commands { return []appliance.Commands{appliance.Early} }
