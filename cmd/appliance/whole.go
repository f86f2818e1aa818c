//go:build linux && !initramfs

package main

import "dashboard/appliance"

// commands returns all commands, for a system that has the program in a file of its own.
func commands() []appliance.Commands { return []appliance.Commands{appliance.Early, appliance.Late} }
